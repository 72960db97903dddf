// Globs of front matter that match no file of the repository. What git ignores is not listed: a glob that leads to
// such a folder is passed over.

import { compileGlob } from '../../runtime/glob.ts';
import { type Place, problem, type Report } from '../diagnostics.ts';
import type { Disk } from '../disk.ts';
import { didYouMean, type NearMisses, nearPattern } from '../near-misses.ts';
import type { Span } from '../parse.ts';
import { show } from '../yaml.ts';

export type Applying = { path: string; text: string; frontMatter: Span | undefined; appliesTo: readonly string[] };

/** Paths compared before the rest is left unchecked: thousands of patterns over a large repository. */
const MOST_COMPARED = 20_000_000;

export function checkAppliesTo(documents: readonly Applying[], disk: Disk, near: NearMisses, report: Report): void {
  const known = new Map<string, boolean>();
  let compared = 0;
  const matches = (pattern: string): boolean => {
    const glob = compileGlob(pattern);
    const folder = glob.prefix.slice(0, glob.prefix.lastIndexOf('/') + 1);
    if (compared > MOST_COMPARED || disk.exists(pattern)) return true;
    compared += disk.files().length * glob.alternatives;
    if (disk.files().some((file) => glob.matches(file))) return true;
    return folder !== '' && disk.exists(folder) && !disk.files().some((file) => file.startsWith(folder));
  };
  for (const { path: file, text, frontMatter, appliesTo } of documents) {
    for (const pattern of appliesTo) {
      const matched = known.get(pattern) ?? matches(pattern);
      known.set(pattern, matched);
      if (matched) continue;
      const place = placeIn(file, text, frontMatter, pattern);
      const what = `appliesTo names ${show(pattern)}, which matches no file.`;
      const fix = didYouMean(nearPattern('', pattern, disk, near), 'Mend it, or remove it.');
      report(problem('pattern-unmatched', place, what, fix));
    }
  }
}

/** Where the pattern stands in the front matter; where its key does, if it is written otherwise. */
function placeIn(file: string, text: string, span: Span | undefined, pattern: string): Place {
  const source = span === undefined ? '' : text.slice(span.from, span.to);
  const key = /^appliesTo\b/m.exec(source)?.index ?? 0;
  const written = [pattern, pattern.replace(/\*\*$/, '')].map((one) => source.indexOf(one, key));
  const before = source.slice(0, written.find((at) => at >= 0) ?? key).split('\n');
  return { file, line: (span?.line ?? 1) + before.length - 1, column: (before.at(-1) as string).length + 1 };
}
