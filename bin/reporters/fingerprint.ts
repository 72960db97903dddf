// What a problem is known by from one report to the next: its kind, its file and what it says, never its
// line, which moves with every edit above it. Equal problems of one file are told apart by counting.

import { createHash } from 'node:crypto';
import type { Outcome } from '../outcome.ts';

/** One for each diagnostic, in their order; no two are equal. */
export function fingerprints({ diagnostics, prefix }: Outcome): string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(({ code, file, what }) => {
    const same = JSON.stringify([code, prefix + file, normalised(what)]);
    const count = (seen.get(same) ?? 0) + 1;
    seen.set(same, count);
    return createHash('sha256').update(`${same} ${count}`).digest('hex').slice(0, 40);
  });
}

/** Numbers that are words count things that change: lines, sizes, how many more there are. */
function normalised(text: string): string {
  return text
    .replace(/(?<![^\s(])\d+(?![^\s).,;:])/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}
