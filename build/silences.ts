// Problems that somebody has accepted, in project.yaml or in a comment of a document. What each has silenced is
// counted: one that silences nothing would hide the next problem of its kind.

import { compileGlob, type Glob } from '../runtime/glob.ts';
import type { Diagnostic, Place } from './diagnostics.ts';
import type { SilencedLines } from './silence-comments.ts';

/** An entry of `ignore:`, with its place and those of its globs. */
export type Ignored = { rule: string; files?: readonly { text: string; place: Place }[]; place: Place };

type Entry = { rule: string; place: Place; globs: IgnoredGlob[] | undefined; silenced: number };
type IgnoredGlob = { text: string; place: Place; glob: Glob; silenced: number };

export class Silences {
  readonly entries: Entry[] = [];
  readonly comments = new Map<string, (SilencedLines & { silenced: number })[]>();

  accept(ignored: readonly Ignored[]): void {
    for (const { rule, files, place } of ignored) {
      const globs = files?.map(({ text, place: at }) => ({ text, place: at, glob: compileGlob(text), silenced: 0 }));
      this.entries.push({ rule, place, globs, silenced: 0 });
    }
  }

  acceptLines(file: string, lines: readonly SilencedLines[]): void {
    this.comments.set(
      file,
      lines.map((one) => ({ ...one, silenced: 0 })),
    );
  }

  /** Whether a problem is accepted; whatever accepts it has been of use. */
  take(diagnostic: Diagnostic): boolean {
    const entries = this.entries.filter((entry) => accepts(entry, diagnostic));
    const lines = (this.comments.get(diagnostic.file) ?? []).filter(
      ({ rule, first, last }) => rule === diagnostic.code && first <= diagnostic.line && diagnostic.line <= last,
    );
    for (const one of [...entries, ...lines]) one.silenced++;
    return entries.length + lines.length > 0;
  }
}

function accepts({ rule, globs }: Entry, { code, file }: Diagnostic): boolean {
  if (code !== rule) return false;
  if (globs === undefined) return true;
  const matching = globs.filter(({ glob }) => glob.matches(file));
  for (const glob of matching) glob.silenced++;
  return matching.length > 0;
}
