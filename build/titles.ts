// Titles are what agents choose by: documents without one, and neighbours with the same one, are reported.
// Whole folders of fragments are reported once, not once for each.

import { posix } from 'node:path';
import { problem, type Report } from './diagnostics.ts';
import { show } from './yaml.ts';

type Titled = readonly [path: string, { title: string; hasTitle: boolean }];

/** From so many on, a folder most of whose documents have no title is reported as one. */
const MANY = 10;
/** Index pages are called what their folder is about, as its main document may be. */
const INDEX = /^(_?index|readme)\.[^.]+$/i;

export function checkTitles(documents: readonly Titled[], report: Report): void {
  reportMissing(documents, report);
  reportSame(documents, report);
}

function reportMissing(documents: readonly Titled[], report: Report): void {
  const counts = new Map<string, { all: number; missing: number }>();
  for (const [path, { hasTitle }] of documents) {
    for (const folder of foldersOf(path)) {
      const { all, missing } = counts.get(folder) ?? { all: 0, missing: 0 };
      counts.set(folder, { all: all + 1, missing: missing + (hasTitle ? 0 : 1) });
    }
  }
  const isFragments = (folder: string): boolean => {
    const { all, missing } = counts.get(folder) as { all: number; missing: number };
    return missing >= MANY && missing * 2 > all;
  };
  const reported = new Set<string>();
  for (const [path, { hasTitle }] of documents) {
    if (hasTitle) continue;
    const folder = foldersOf(path).find(isFragments);
    if (folder !== undefined && reported.has(folder)) continue;
    if (folder !== undefined) reported.add(folder);
    const others = folder === undefined ? 0 : (counts.get(folder)?.missing ?? 1) - 1;
    const who = others === 0 ? 'It has' : `It and ${others.toLocaleString('en')} others under ${folder}/ have`;
    const what = `${who} neither a title in the front matter nor a heading.`;
    report(problem('title-missing', { file: path, line: 1, column: 1 }, what, 'Give it a heading.'));
  }
}

function reportSame(documents: readonly Titled[], report: Report): void {
  const seen = new Map<string, string[]>();
  for (const [path, { title, hasTitle }] of documents) {
    if (!hasTitle || INDEX.test(posix.basename(path))) continue;
    const key = `${posix.dirname(path)}\0${title}`;
    const paths = seen.get(key);
    if (paths === undefined) seen.set(key, [path]);
    else paths.push(path);
  }
  for (const [key, [first, second, ...more]] of seen) {
    if (first === undefined || second === undefined) continue;
    const others = more.length === 0 ? '' : `, and so ${more.length === 1 ? 'is one more' : `are ${more.length} more`}`;
    const what = `It is called ${show(key.split('\0')[1])}, as ${posix.basename(first)} beside it is${others}.`;
    const fix = 'Say in the title what is in this one only.';
    report(problem('title-duplicate', { file: second, line: 1, column: 1 }, what, fix));
  }
}

/** The folders that a path lies in, the outermost first. */
function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, n) => segments.slice(0, n + 1).join('/'));
}
