// YAML text to nodes with places, within bounds: size, depth and aliases are limited before anything
// is made of them, and duplicate keys are found here because the library's own check is quadratic.

import { type Alias, isAlias, isScalar, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml';
import { type Place, problem, type Report } from './diagnostics.ts';

export type YamlTree = {
  root: Node | null;
  /** The node itself, or what an alias stands for. */
  resolve(node: unknown): Node | null;
  place(node: unknown): Place;
};

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_ALIASES = 1000;

/** Undefined when the text could not be read as YAML; the reasons have then been reported. */
export function parseYaml(file: string, text: string, report: Report): YamlTree | undefined {
  const start = { file, line: 1, column: 1 };
  if (Buffer.byteLength(text) > MOST_BYTES) {
    report(problem('project-too-large', start, `${file} is larger than 2 MiB.`, 'Move long texts into guide documents.'));
    return undefined;
  }
  try {
    return parseBounded(file, text, report);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(problem('yaml-too-deep', start, `${file} nests too deeply to be read.`, 'Flatten it.'));
    return undefined;
  }
}

function parseBounded(file: string, text: string, report: Report): YamlTree | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const place = (node: unknown): Place => placeAt((node as Node | null)?.range?.[0] ?? 0);
  for (const error of document.errors) {
    report(problem('yaml-syntax', placeAt(error.pos[0]), sentence(error.message), syntaxFix(error.code)));
  }
  if (document.errors.length > 0) return undefined;

  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | null>();
  let duplicates = false;
  visit(document, {
    Alias(_, alias) {
      targets.set(alias, anchors.get(alias.source) ?? null);
    },
    Node(_, node) {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
    },
    Map(_, map) {
      if (map.anchor !== undefined) anchors.set(map.anchor, map);
      duplicates = reportDuplicates(map.items, place, report) || duplicates;
    },
  });
  if (targets.size > MOST_ALIASES) {
    const what = `There are ${targets.size} aliases; ${MOST_ALIASES} are allowed.`;
    report(problem('yaml-too-many-aliases', { file, line: 1, column: 1 }, what, 'Write the values out.'));
    return undefined;
  }
  if (duplicates) return undefined;
  const resolve = (node: unknown): Node | null => (isAlias(node) ? (targets.get(node) ?? null) : ((node as Node) ?? null));
  return { root: document.contents, resolve, place };
}

function reportDuplicates(items: Pair[], place: (node: unknown) => Place, report: Report): boolean {
  const seen = new Set<string>();
  let found = false;
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name)) {
      report(problem('yaml-duplicate-key', place(key), `The key ${show(name)} stands here twice.`, 'Keep one of the two.'));
      found = true;
    }
    seen.add(name);
  }
  return found;
}

/** A value as it may stand in a message: quoted, on one line, not too long. */
export function show(value: unknown): string {
  const text = JSON.stringify(typeof value === 'string' && value.length > 60 ? `${value.slice(0, 57)}…` : value);
  return text ?? String(value);
}

function sentence(message: string): string {
  const first = message.split('\n')[0] as string;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function syntaxFix(code: string): string {
  if (code === 'TAB_AS_INDENT') return 'Indent with spaces; YAML does not allow tabs.';
  if (code === 'BAD_ALIAS') return 'Define the anchor (&name) before the alias (*name) that uses it.';
  if (code === 'MULTIPLE_DOCS') return 'Keep one document: remove the line ---.';
  return 'Mend the syntax at this place; a quoted string is safe where special characters are meant.';
}
