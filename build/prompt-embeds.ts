// What a prompt's front matter says to put before its text: URIs that are read when somebody asks for the prompt. Those
// without an argument in them are held against what is served.

import { isScalar, isSeq, type Node } from 'yaml';
import { parseUri } from '../runtime/uri.ts';
import { type AliasConfig, meant } from './aliases.ts';
import type { Place } from './diagnostics.ts';
import { readText, type Tell } from './front-matter.ts';

export type Embed = { uri: string; place: Place };

/** Each costs as much as a read. */
const MOST_EMBEDS = 16;

/** One text stands for a list of one. Undefined when it is neither. */
export function readEmbeds(node: Node, tell: Tell, placeOf: (node: unknown) => Place): Embed[] | undefined {
  const items: readonly unknown[] = isSeq(node) ? node.items : [node];
  const found = items.flatMap((item) => {
    const uri = isScalar(item) ? readText(item) : undefined;
    return uri === undefined || uri.trim() === '' ? [] : [{ uri: uri.trim(), place: placeOf(item) }];
  });
  if (found.length < items.length) return undefined;
  if (found.length > MOST_EMBEDS) {
    const what = `The prompt embeds ${found.length} resources.`;
    tell('front-matter-value', items[MOST_EMBEDS], what, `Keep at most ${MOST_EMBEDS}; the others are left out.`);
  }
  return found.slice(0, MOST_EMBEDS);
}

/** As the reader needs them: what is read, and what one must be allowed to read to be offered the prompt. */
export function embedsForReader(
  embeds: readonly Embed[],
  aliases: readonly AliasConfig[],
): { uris: string[]; needs: string[] } {
  const needs = embeds.flatMap(({ uri }) => (hasArgument(uri) ? [] : (canonical(meant(uri, aliases)) ?? [])));
  return { uris: embeds.map(({ uri }) => uri), needs };
}

export function hasArgument(uri: string): boolean {
  return uri.includes('{{');
}

function canonical(uri: string): string | undefined {
  try {
    return parseUri(uri).uri;
  } catch {
    return undefined;
  }
}
