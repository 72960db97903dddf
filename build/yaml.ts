// YAML text to nodes with places, within bounds: size, depth and aliases are limited before anything
// is made of them, and duplicate keys are found here because the library's own check is quadratic.

import { type Alias, isAlias, isScalar, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml';
import { type Diagnostic, type Place, problem, type Report } from './diagnostics.ts';
import { tooDeepAt } from './yaml-depth.ts';

export type YamlTree = {
  root: Node | null;
  /** The node itself, or what an alias stands for. */
  resolve(node: unknown): Node | null;
  place(node: unknown): Place;
};

/** Ordinary files of this size are checked in seconds; twenty thousand modules fit. */
export const MOST_YAML_BYTES = 768 * 1024;
const MOST_ALIASES = 1000;

/** Undefined when the text could not be read as YAML; the reasons have then been reported. */
export function parseYaml(file: string, text: string, report: Report): YamlTree | undefined {
  const start = { file, line: 1, column: 1 };
  if (Buffer.byteLength(text) > MOST_YAML_BYTES) {
    report(tooLarge(file));
    return undefined;
  }
  try {
    return parseBounded(file, text, report);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(tooDeep(start));
    return undefined;
  }
}

export function tooLarge(file: string): Diagnostic {
  const what = `${file} is larger than ${MOST_YAML_BYTES / 1024} KB.`;
  return problem('project-too-large', { file, line: 1, column: 1 }, what, 'Move long texts out of it.');
}

function tooDeep(place: Place): Diagnostic {
  return problem('yaml-too-deep', place, `${place.file} nests too deeply to be read.`, 'Flatten it.');
}

function parseBounded(file: string, text: string, report: Report): YamlTree | undefined {
  const lines = new LineCounter();
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const before = text.slice(0, deep).split('\n');
    report(tooDeep({ file, line: before.length, column: (before.at(-1) as string).length + 1 }));
    return undefined;
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const place = (node: unknown): Place => placeAt((node as Node | null)?.range?.[0] ?? 0);
  const exhausted = document.errors.find(({ message }) => message.startsWith('Maximum call stack'));
  if (exhausted !== undefined) {
    report(tooDeep(placeAt(exhausted.pos[0])));
    return undefined;
  }
  for (const error of document.errors) {
    report(problem('yaml-syntax', placeAt(error.pos[0]), sentence(error.message), syntaxFix(error.code)));
  }
  if (document.errors.length > 0) return undefined;

  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | null>();
  let failed = false;
  visit(document, {
    Alias(_, alias) {
      const target = anchors.get(alias.source);
      if (target === undefined) {
        const what = `The alias *${alias.source} names no anchor before it.`;
        report(problem('yaml-syntax', place(alias), what, syntaxFix('BAD_ALIAS')));
        failed = true;
      }
      targets.set(alias, target ?? null);
    },
    Node(_, node) {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
    },
    Map(_, map) {
      if (map.anchor !== undefined) anchors.set(map.anchor, map);
      failed = reportDuplicates(map.items, place, report) || failed;
    },
  });
  if (targets.size > MOST_ALIASES) {
    const what = `There are ${targets.size} aliases; ${MOST_ALIASES} are allowed.`;
    report(problem('yaml-too-many-aliases', { file, line: 1, column: 1 }, what, 'Write the values out.'));
    return undefined;
  }
  if (failed) return undefined;
  const resolve = (node: unknown): Node | null =>
    isAlias(node) ? (targets.get(node) ?? null) : ((node as Node) ?? null);
  return { root: document.contents, resolve, place };
}

function reportDuplicates(items: Pair[], place: (node: unknown) => Place, report: Report): boolean {
  const seen = new Set<string>();
  let found = false;
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name)) {
      report(
        problem('yaml-duplicate-key', place(key), `The key ${show(name)} stands here twice.`, 'Keep one of the two.'),
      );
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
  if (message.startsWith('Source contains multiple documents')) return 'A second document starts here.';
  const first = message.split('\n')[0] as string;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function syntaxFix(code: string): string {
  if (code === 'TAB_AS_INDENT') return 'Indent with spaces; YAML does not allow tabs.';
  if (code === 'BAD_ALIAS') return 'Define the anchor (&name) before the alias (*name) that uses it.';
  if (code === 'MULTIPLE_DOCS') return 'Keep one document: remove the line ---.';
  return 'Mend the syntax at this place; a quoted string is safe where special characters are meant.';
}
