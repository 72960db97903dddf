// Which URIs a bundle answers, to hold against them what project.yaml and prompts name by URI.

import { VARIABLE } from '../runtime/aliases.ts';
import { type Address, categoryUri, collectionUri, parseUri } from '../runtime/uri.ts';
import type { Entry } from './render.ts';
import type { Guide } from './resolve.ts';

/** Stands for any value while a URI is written as its space writes it. */
const ANY = '0any0';

export function servedUris(entries: readonly Entry[], { categories, collections }: Guide): ReadonlySet<string> {
  return new Set([
    ...entries.map(({ uri }) => uri),
    ...categories.map(({ name }) => categoryUri(name)),
    ...collections.map(({ id }) => collectionUri(id)),
  ]);
}

/** Whether a URI leads somewhere; one with a `{name}`, whether some value of it does. */
export function isServed(uri: string, served: ReadonlySet<string>): boolean {
  const address = addressed(uri.replace(VARIABLE, ANY));
  if (address === undefined) return false;
  if (address.space === 'live' || (address.space === 'context' && address.kind === 'for')) return true;
  const [head = '', tail] = address.uri.split(ANY);
  if (tail === undefined) return served.has(address.uri);
  return [...served].some((one) => {
    const value = one.slice(head.length, one.length - tail.length);
    return value !== '' && !value.includes('/') && one === head + value + tail;
  });
}

function addressed(uri: string): Address | undefined {
  try {
    return parseUri(uri);
  } catch {
    return undefined;
  }
}
