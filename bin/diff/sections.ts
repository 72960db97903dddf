// Which sections of a text changed. Sections are told by their headings, not by their number, so that one put
// in front of the others changes none of them.

import { CUT, type Cut } from '../../runtime/format.ts';
import { textOf } from './snapshot.ts';

export type SectionChanges = { added: string[]; removed: string[]; changed: string[]; reordered?: true };

type Section = { heading: string; body: string };

/** What stands before the first heading. */
const START = '(start)';
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** Equal sections are set aside first; what is left of one heading is paired in order. */
export function changedSections(before: readonly Section[], after: readonly Section[]): SectionChanges {
  const kept = new Map<string, number>();
  for (const one of before) kept.set(keyOf(one), (kept.get(keyOf(one)) ?? 0) + 1);
  const left = after.filter((one) => !take(kept, keyOf(one)));
  const gone = before.filter((one) => take(kept, keyOf(one)));
  const headings = new Map<string, number>();
  for (const { heading } of gone) headings.set(heading, (headings.get(heading) ?? 0) + 1);
  const changed = left.filter(({ heading }) => take(headings, heading)).map(({ heading }) => heading);
  const paired = new Map<string, number>();
  for (const heading of changed) paired.set(heading, (paired.get(heading) ?? 0) + 1);
  const stillPaired = new Map(paired);
  return {
    added: left.filter(({ heading }) => !take(paired, heading)).map(({ heading }) => heading),
    removed: gone.filter(({ heading }) => !take(stillPaired, heading)).map(({ heading }) => heading),
    changed,
    ...(left.length + gone.length === 0 ? { reordered: true } : {}),
  };
}

/** By the headings that the compiler marked; where it marked none, by lines that look like headings. */
export function sectionsOf(stored: Buffer, cuts: readonly Cut[]): Section[] {
  const marked = cuts.filter(({ kind }) => kind === CUT.heading).map(({ at }) => at);
  if (marked.length === 0) return linesToSections(textOf(stored));
  const starts = [0, ...marked, stored.length];
  return starts.slice(0, -1).flatMap((from, n) => {
    const text = textOf(stored.subarray(from, starts[n + 1]));
    return n === 0 ? startSection(text) : [sectionOf(text)];
  });
}

function linesToSections(text: string): Section[] {
  const starts: number[] = [];
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      if (mark === undefined && ATX.test(line)) starts.push(at);
    } else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    at += line.length + 1;
  }
  return [
    ...startSection(text.slice(0, starts[0] ?? text.length)),
    ...starts.map((from, n) => sectionOf(text.slice(from, starts[n + 1] ?? text.length))),
  ];
}

function startSection(text: string): Section[] {
  return text.trim() === '' ? [] : [{ heading: START, body: text }];
}

function sectionOf(text: string): Section {
  const [first = ''] = text.trimStart().split('\n', 1);
  const heading = first
    .replace(/^#{1,6}[ \t]*/, '')
    .replace(/[ \t]+#+[ \t]*$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .trim();
  return { heading: heading === '' ? START : heading, body: text.trimEnd() };
}

function keyOf({ heading, body }: Section): string {
  return `${heading}\n${body}`;
}

/** Takes one away; false when there is none left. */
function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
