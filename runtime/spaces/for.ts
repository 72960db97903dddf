// The page for the file in hand: the modules it belongs to, with their rules, patterns and known issues,
// and the documents that concern it, the most specific first. Looked up in an index of paths that the
// compiler made.

import { accessDenied } from '../advice.ts';
import { type Answer, escaped, type Part, textContents } from '../answer.ts';
import type { Bundle, Texts } from '../bundle.ts';
import { Failure } from '../failure.ts';
import { unescapeText } from '../format.ts';
import { compileGlob, isGlob } from '../glob.ts';
import { advise } from '../later-advice.ts';
import { belowRoot, type Roots } from '../roots.ts';
import { encodePath, forUri, moduleUri, safeInLink } from '../uri.ts';
import { OVERVIEW_URI } from '../ways-in.ts';

type May = (uri: string) => boolean;
type DocumentNote = readonly [uri: string, title: string, description: string];
type Concern = { modules: readonly [name: string, why: string][]; documents: readonly DocumentNote[] };
type Shown = { note: DocumentNote; why: string };

const MOST_DOCUMENTS = 50;
/** Of many modules, those after the first so many bytes are only named: the page is one page. */
const ROOM_BYTES = 40 * 1024;
const NOTHING: Concern = { modules: [], documents: [] };

export function readFor(
  { path: given, page }: { path: string; page: number },
  asked: string,
  bundle: Bundle,
  may: May,
  roots: Roots,
  texts: Texts = bundle,
): Answer {
  const path = fromRoot(given, asked, roots);
  if (!may(forUri(path))) throw accessDenied(asked);
  if (page !== 1) throw onePage(page, asked);
  const modules = modulesOf(path, bundle, may);
  const documents = documentsOf(path, bundle).filter(({ note: [uri] }) => may(uri));
  const parts: Part[] = [escaped(`# Context for ${path}\n`)];
  let room = ROOM_BYTES;
  let isLive = false;
  for (const [name, why] of modules) {
    const brief = room > 0 ? texts.findText(`brief/${encodeURIComponent(name)}`) : undefined;
    room -= brief?.stored.length ?? 0;
    isLive ||= brief?.isLive === true;
    parts.push(...moduleParts(name, why, brief?.stored));
  }
  if (documents.length > 0) parts.push(escaped(documentList(documents)));
  if (modules.length + documents.length === 0) parts.push(escaped(nothingKnown(may)));
  const answer = textContents(asked, 'text/markdown', parts);
  return isLive ? { ...answer, isLive } : answer;
}

/** Files that a module or a document names, if any of these may be seen. */
export function* knownFiles(bundle: Bundle, may: May): Generator<string> {
  for (const path of indexOf(bundle).files) {
    const { modules, documents } = concernOf(path, bundle);
    const isSeen = modules.some(([name]) => may(moduleUri(name))) || documents.some(([uri]) => may(uri));
    if (isSeen && may(forUri(path))) yield path;
  }
}

/** The modules it is a key file of, then those of the nearest folder that has any. */
function modulesOf(path: string, bundle: Bundle, may: May): [name: string, why: string][] {
  const found = new Map<string, string>();
  for (const [name, role] of concernOf(path, bundle).modules) {
    if (!may(moduleUri(name))) continue;
    found.set(name, `It is a key file of this module${role === '' ? '' : ` (${role})`}.`);
  }
  for (const folder of foldersOf(path)) {
    const modules = concernOf(folder, bundle).modules.filter(([name]) => may(moduleUri(name)));
    if (modules.length === 0) continue;
    for (const [name, file] of modules) {
      if (!found.has(name)) found.set(name, `It lies in the folder of ${file}, a key file of this module.`);
    }
    break;
  }
  return [...found];
}

/** Those that link to the file, those whose globs match it, the longest first, those that link to its folders. */
function documentsOf(path: string, bundle: Bundle): Shown[] {
  const found = new Map<string, Shown>();
  const add = (note: DocumentNote, why: string): void => {
    if (!found.has(note[0])) found.set(note[0], { note, why });
  };
  for (const note of concernOf(path, bundle).documents) add(note, 'links to this file');
  const matching = indexOf(bundle).globs.filter(([pattern]) => matches(pattern, path));
  matching.sort(([a], [b]) => fixedLength(b) - fixedLength(a));
  for (const [pattern, ...note] of matching) add(note, `applies to \`${pattern}\``);
  for (const folder of foldersOf(path)) {
    for (const note of concernOf(folder, bundle).documents) add(note, `links to ${folder}`);
  }
  return [...found.values()];
}

function moduleParts(name: string, why: string, brief: Buffer | undefined): Part[] {
  return [
    escaped(`\n## Module: ${name}\n\n${why}\n\n`),
    ...(brief === undefined ? [] : [brief, '\\n\\n']),
    escaped(`More: ${moduleUri(name)}\n`),
  ];
}

function documentList(documents: readonly Shown[]): string {
  const rows = documents.slice(0, MOST_DOCUMENTS).map(({ note: [uri, title, description], why }) => {
    const about = description === '' ? '' : `: ${description.replace(/\s+/g, ' ')}`;
    return `- [${title.replace(/[[\]\\]/g, '\\$&')}](${safeInLink(uri)})${about} (${why})`;
  });
  const more = documents.length - rows.length;
  if (more > 0) rows.push(`- and ${more} more: search for what you want to know`);
  return `\n## Documents (${documents.length})\n\n${rows.join('\n')}\n`;
}

function nothingKnown(may: May): string {
  const more = may(OVERVIEW_URI) ? ` ${OVERVIEW_URI} says what there is.` : '';
  return `\nNothing is known about this file in particular: no module has it or its folder among its key files, and no document names it.${more}\n`;
}

function onePage(page: number, uri: string): Failure {
  const reason = 'It has one page.';
  return new Failure('not_in_context', `Page not found: ${page}`, { uri, reason, ...advise('page') });
}

/** The path from the root of the project, whatever form it was given in. */
function fromRoot(given: string, asked: string, roots: Roots): string {
  const inside = belowRoot(given.startsWith('/') ? given : `/${given}`, roots) ?? (given.startsWith('/') ? '' : given);
  const path = inside
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  if (path !== '') return path;
  throw new Failure('invalid_params', 'Invalid path', {
    uri: asked,
    reason: 'It is not the path of a file in this project.',
    ...advise('path'),
  });
}

/** The folders that a path lies in, the nearest first, each with its slash. */
function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, n) => `${segments.slice(0, segments.length - n).join('/')}/`);
}

function indexOf(bundle: Bundle): { globs: [pattern: string, ...note: DocumentNote][]; files: string[] } {
  return recordOf('for', bundle) ?? { globs: [], files: [] };
}

function concernOf(place: string, bundle: Bundle): Concern {
  return recordOf<Concern>(`for/${encodePath(place)}`, bundle) ?? NOTHING;
}

function recordOf<T>(key: string, bundle: Bundle): T | undefined {
  const text = bundle.findText(key);
  return text === undefined ? undefined : JSON.parse(unescapeText(text.stored));
}

function matches(pattern: string, path: string): boolean {
  try {
    return compileGlob(pattern).matches(path);
  } catch {
    return false;
  }
}

/** How much of a path a pattern fixes; a path written out fixes all of it. */
function fixedLength(pattern: string): number {
  const fixed = pattern.replace(/\{[^{}]*\}|\[[^\]]*\]|[*?]/g, '').length;
  return isGlob(pattern) ? fixed : Number.POSITIVE_INFINITY;
}
