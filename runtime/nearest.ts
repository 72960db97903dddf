// Near misses: the known name that a misspelt one most likely meant.

/** A hint is not worth more work than this. */
const MOST_LETTERS = 64;
const MOST_CANDIDATES = 5000;

/** The closest candidate within `mostSlips`, a third of the name's length unless said; or undefined. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  mostSlips = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > MOST_LETTERS) return undefined;
  const wanted = name.toLowerCase();
  let left = MOST_CANDIDATES;
  let best: string | undefined;
  let bestDistance = mostSlips + 1;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = slips(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` when there are that many. */
export function slips(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
