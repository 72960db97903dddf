// What is accepted and does not happen: entries of `ignore:`, their globs, and comments that silence nothing. Asked
// last, when everything else has been reported.

import { problem, type Report } from '../diagnostics.ts';
import type { Disk } from '../disk.ts';
import type { Silences } from '../silences.ts';
import { show } from '../yaml.ts';
import { matcherOf } from './matches-some.ts';

const FIX = 'Remove it.';

/** `read` are the files whose every problem has been looked for: a document in no category has other worries. */
export function reportUnused(
  { entries, comments }: Silences,
  read: ReadonlySet<string>,
  disk: Disk,
  report: Report,
): void {
  const matchesSome = matcherOf(disk);
  for (const [file, lines] of comments) {
    for (const { rule, line, column, silenced } of lines) {
      if (silenced > 0 || !read.has(file)) continue;
      report(problem('ignore-unused', { file, line, column }, `There is no ${rule} on the next line.`, FIX));
    }
  }
  const isAboutUnused = (rule: string): boolean => rule === 'ignore-unused' || rule === 'pattern-unmatched';
  const inOrder = [...entries].sort((a, b) => Number(isAboutUnused(a.rule)) - Number(isAboutUnused(b.rule)));
  for (const { rule, place, globs, silenced } of inOrder) {
    const unmatched = (globs ?? []).filter((glob) => glob.silenced === 0 && !matchesSome(glob.text));
    for (const { text, place: at } of unmatched) {
      const what = `The pattern ${show(text)} matches no file.`;
      report(problem('pattern-unmatched', at, what, 'Mend it, or remove it.'));
    }
    if (silenced > 0 || unmatched.length > 0) continue;
    const where = globs === undefined ? 'anywhere' : 'in these files';
    report(problem('ignore-unused', place, `There is no ${rule} ${where}.`, FIX));
  }
}
