// What changed between two texts, as a unified diff with three lines around. Only the stretch between the
// first and the last change is compared line by line; when that would cost too much, it is shown as replaced.

import type { Paint } from './terminal.ts';

/** A line as it is, with its line break, and whether it is in both texts, gone or new. */
type Step = { sign: ' ' | '-' | '+'; line: string };

const AROUND = 3;
const MOST_COMPARISONS = 2_000_000;

/** Empty when nothing changed; undefined stands for a file that is not there. */
export function unifiedDiff(before: string | undefined, after: string | undefined, path: string): string {
  if (before === after) return '';
  const steps = stepsBetween(linesOf(before ?? ''), linesOf(after ?? ''));
  const head = `--- ${before === undefined ? '/dev/null' : path}\n+++ ${after === undefined ? '/dev/null' : path}\n`;
  return head + hunks(steps).join('');
}

export function paintDiff(diff: string, paint: Paint): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(?:---|\+\+\+) /.test(line)) return paint('bold', line);
      const colour = ({ '-': 'red', '+': 'green', '@': 'cyan', '\\': 'dim' } as const)[line[0] ?? ''];
      return colour === undefined ? line : paint(colour, line);
    })
    .join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd)) sameAtEnd++;
  const gone = before.slice(same, before.length - sameAtEnd);
  const come = after.slice(same, after.length - sameAtEnd);
  const isCheap = gone.length * come.length <= MOST_COMPARISONS;
  return [
    ...steps(' ', before.slice(0, same)),
    ...(isCheap ? compared(gone, come) : [...steps('-', gone), ...steps('+', come)]),
    ...steps(' ', before.slice(before.length - sameAtEnd)),
  ];
}

function steps(sign: Step['sign'], lines: readonly string[]): Step[] {
  return lines.map((line) => ({ sign, line }));
}

/** By the longest common subsequence. */
function compared(gone: readonly string[], come: readonly string[]): Step[] {
  const width = come.length + 1;
  const longest = new Uint32Array((gone.length + 1) * width);
  for (let a = gone.length - 1; a >= 0; a--) {
    for (let b = come.length - 1; b >= 0; b--) {
      const at = a * width + b;
      longest[at] =
        gone[a] === come[b]
          ? (longest[at + width + 1] as number) + 1
          : Math.max(longest[at + width] as number, longest[at + 1] as number);
    }
  }
  const found: Step[] = [];
  let b = 0;
  for (const [a, line] of gone.entries()) {
    const takesNew = (): boolean =>
      b < come.length &&
      line !== come[b] &&
      (longest[a * width + b + 1] as number) > (longest[(a + 1) * width + b] as number);
    while (takesNew()) found.push({ sign: '+', line: come[b++] as string });
    const isSame = line === come[b];
    found.push({ sign: isSame ? ' ' : '-', line });
    if (isSame) b++;
  }
  return [...found, ...steps('+', come.slice(b))];
}

/** Changes no further apart than their surroundings are one hunk. */
function hunks(all: readonly Step[]): string[] {
  const changed = all.flatMap(({ sign }, n) => (sign === ' ' ? [] : [n]));
  const ranges: { from: number; to: number }[] = [];
  for (const n of changed) {
    const last = ranges.at(-1);
    const to = Math.min(all.length, n + AROUND + 1);
    if (last !== undefined && n - AROUND <= last.to) last.to = to;
    else ranges.push({ from: Math.max(0, n - AROUND), to });
  }
  let [oldLine, newLine, at] = [1, 1, 0];
  return ranges.map(({ from, to }) => {
    const skipped = from - at;
    const shown = all.slice(from, to);
    const oldCount = shown.filter(({ sign }) => sign !== '+').length;
    const newCount = shown.filter(({ sign }) => sign !== '-').length;
    const head = `@@ -${range(oldLine + skipped, oldCount)} +${range(newLine + skipped, newCount)} @@\n`;
    [oldLine, newLine, at] = [oldLine + skipped + oldCount, newLine + skipped + newCount, to];
    return head + shown.map(stepText).join('');
  });
}

/** A stretch without lines is named by the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first - 1 : first}${count === 1 ? '' : `,${count}`}`;
}

function stepText({ sign, line }: Step): string {
  return `${sign}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`;
}
