// Globs of front matter that match no file of the repository. What git ignores is not listed: a glob that leads to
// such a folder is passed over.

import { compileGlob } from '../../runtime/glob.ts';
import { type Place, problem, type Report } from '../diagnostics.ts';
import type { Disk } from '../disk.ts';
import { didYouMean, type NearMisses, nearPattern } from '../near-misses.ts';
import type { Span } from '../parse.ts';
import { show } from '../yaml.ts';
import { matcherOf } from './matches-some.ts';

export type Applying = { path: string; text: string; frontMatter: Span | undefined; appliesTo: readonly string[] };

export function checkAppliesTo(documents: readonly Applying[], disk: Disk, near: NearMisses, report: Report): void {
  const matchesSome = matcherOf(disk);
  for (const { path: file, text, frontMatter, appliesTo } of documents) {
    for (const pattern of appliesTo) {
      if (disk.exists(pattern) || matchesSome(pattern) || leadsToIgnored(pattern, disk)) continue;
      const place = placeIn(file, text, frontMatter, pattern);
      const what = `appliesTo names ${show(pattern)}, which matches no file.`;
      const fix = didYouMean(nearPattern('', pattern, disk, near), 'Mend it, or remove it.');
      report(problem('pattern-unmatched', place, what, fix));
    }
  }
}

/** A folder that is there, and has no file that git knows. */
function leadsToIgnored(pattern: string, disk: Disk): boolean {
  const { prefix } = compileGlob(pattern);
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  return folder !== '' && disk.exists(folder) && !disk.files().some((file) => file.startsWith(folder));
}

/** Where the pattern stands in the front matter; where its key does, if it is written otherwise. */
function placeIn(file: string, text: string, span: Span | undefined, pattern: string): Place {
  const source = span === undefined ? '' : text.slice(span.from, span.to);
  const key = /^appliesTo\b/m.exec(source)?.index ?? 0;
  const written = [pattern, pattern.replace(/\*\*$/, '')].map((one) => source.indexOf(one, key));
  const before = source.slice(0, written.find((at) => at >= 0) ?? key).split('\n');
  return { file, line: (span?.line ?? 1) + before.length - 1, column: (before.at(-1) as string).length + 1 };
}
