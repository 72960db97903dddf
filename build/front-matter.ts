// Front matter to what we know of it. YAML only, nothing in it is ever evaluated; keys of the author's
// own are passed over, and a key that looks like a slip of a known one is reported.

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { compileGlob } from '../runtime/glob.ts';
import { nearest } from '../runtime/nearest.ts';
import { type Code, type Place, problem, type Report } from './diagnostics.ts';
import type { Span } from './parse.ts';
import { show } from './yaml.ts';
import { nestsTooDeeply } from './yaml-depth.ts';

export type FrontMatter = {
  title?: string;
  description?: string;
  priority?: number;
  audience?: readonly ('user' | 'assistant')[];
  tags?: readonly string[];
  appliesTo?: readonly string[];
  lastModified?: string;
};

/** Reports a problem at a node inside a value. */
export type Tell = (code: Code, node: unknown, what: string, fix: string) => void;

export type Check = { expected: string; read(node: Node, tell: Tell, placeOf: (node: unknown) => Place): unknown };

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const MOST_BYTES = 64 * 1024;

const KNOWN: Record<keyof FrontMatter, Check> = {
  title: { expected: 'a text', read: readText },
  description: { expected: 'a text', read: readText },
  priority: {
    expected: 'a number from 0 to 1',
    read: (node) =>
      isScalar(node) && typeof node.value === 'number' && node.value >= 0 && node.value <= 1 ? node.value : undefined,
  },
  audience: {
    expected: 'a list of user and assistant',
    read: (node) => {
      const found = readTexts(node);
      return found?.every((who) => who === 'user' || who === 'assistant') ? found : undefined;
    },
  },
  tags: { expected: 'a list of texts', read: readTexts },
  appliesTo: { expected: 'a list of globs of repository paths, such as src/**', read: readGlobs },
  lastModified: {
    expected: 'a full date and time, such as 2026-01-12T15:00:00Z',
    read: (node) => {
      const found = readText(node);
      return found !== undefined && DATE_TIME.test(found) && !Number.isNaN(Date.parse(found)) ? found : undefined;
    },
  },
};

export function readFrontMatter(file: string, text: string, span: Span, report: Report): FrontMatter {
  return readKeys<FrontMatter>(KNOWN, file, text, span, report);
}

/** The known keys whose values are right; every other problem is reported. */
export function readKeys<Found extends object>(
  known: Readonly<Record<keyof Found & string, Check>>,
  file: string,
  text: string,
  span: Span,
  report: Report,
): Partial<Found> {
  const source = text.slice(span.from, span.to);
  const lines = new LineCounter();
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: span.line + Math.max(1, line) - 1, column: Math.max(1, col) };
  };
  if (source.length > MOST_BYTES) {
    report(
      problem('front-matter-syntax', placeAt(0), 'The front matter is longer than 64 KB.', 'Move it into the text.'),
    );
    return {};
  }
  if (nestsTooDeeply(source)) {
    report(problem('front-matter-syntax', placeAt(0), 'The front matter nests too deeply to be read.', 'Flatten it.'));
    return {};
  }
  const document = parseDocument(source, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    report(
      problem(
        'front-matter-syntax',
        placeAt(error.pos[0]),
        error.message.split('\n')[0] ?? '',
        'Mend the YAML, or quote the text.',
      ),
    );
    return {};
  }
  const found: Record<string, unknown> = {};
  const placeOf = (node: unknown): Place => placeAt((node as Node | null)?.range?.[0] ?? 0);
  const tell: Tell = (code, node, what, fix) => report(problem(code, placeOf(node), what, fix));
  for (const { key, value } of isMap(document.contents) ? document.contents.items : []) {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name === undefined || value === null || (isScalar(value) && value.value === null)) continue;
    const place = placeAt((key as Node).range?.[0] ?? 0);
    if (!Object.hasOwn(known, name)) {
      const near = name.length < 4 ? undefined : nearest(name, Object.keys(known), 1);
      if (near !== undefined)
        report(
          problem('front-matter-slip', place, `The key ${show(name)} is not known.`, `Did you mean ${show(near)}?`),
        );
      continue;
    }
    const check = known[name as keyof Found & string];
    const read = isAlias(value) ? undefined : check.read(value as Node, tell, placeOf);
    if (read !== undefined) found[name] = read;
    else
      report(
        problem('front-matter-value', place, `${show(name)} is ${describeValue(value)}.`, `Write ${check.expected}.`),
      );
  }
  return found as Partial<Found>;
}

export function describeValue(value: unknown): string {
  if (isMap(value)) return 'a map';
  if (isSeq(value))
    return `[${value.items
      .map((item) => describeValue(item))
      .slice(0, 3)
      .join(', ')}]`;
  return isScalar(value) ? show(value.value) : 'an alias';
}

export function readText(node: Node): string | undefined {
  if (!isScalar(node)) return undefined;
  return typeof node.value === 'string'
    ? node.value
    : typeof node.value === 'number'
      ? (node.source ?? String(node.value))
      : undefined;
}

/** As paths from the root are written; a folder stands for all that is in it. Undefined if one cannot be used. */
function readGlobs(node: Node): string[] | undefined {
  const globs = readTexts(node)?.map((text) => text.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**'));
  return globs?.every(isUsable) ? globs : undefined;
}

function isUsable(pattern: string): boolean {
  try {
    compileGlob(pattern);
    return pattern !== '';
  } catch {
    return false;
  }
}

/** One text stands for a list of one. */
function readTexts(node: Node): string[] | undefined {
  if (!isSeq(node)) {
    const one = readText(node);
    return one === undefined ? undefined : [one];
  }
  const texts = node.items.map((item) => readText(item as Node));
  return texts.every((item) => item !== undefined) ? (texts as string[]) : undefined;
}
