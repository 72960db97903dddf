// Known-item queries of three kinds, the same in every run: titles, words of one section, titles with a
// slip. What makes a fair one is said in each maker.

import { random } from '../support/random.ts';
import type { Plain } from './search-corpus.ts';

export type Kind = 'title' | 'section' | 'slip';
export type Query = { kind: Kind; text: string; relevant: readonly string[] };

type Next = (below: number) => number;

const OF_EACH = 100;
const NEIGHBOURS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

export function makeQueries(plains: readonly Plain[], seed: number): Query[] {
  const next = random(seed);
  const known = documentCounts(plains);
  return [...titleQueries(plains, next), ...sectionQueries(plains, known, next), ...slipQueries(plains, known, next)];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function documentCounts(plains: readonly Plain[]): Map<string, Set<number>> {
  const counts = new Map<string, Set<number>>();
  for (const [n, { title, text }] of plains.entries()) {
    for (const word of new Set([...wordsOf(title), ...wordsOf(text)])) {
      const documents = counts.get(word);
      if (documents === undefined) counts.set(word, new Set([n]));
      else documents.add(n);
    }
  }
  return counts;
}

/** Lower-cased titles of at most four pages; all pages of a title are relevant. */
function titles(plains: readonly Plain[]): [string, string[]][] {
  const pages = new Map<string, string[]>();
  for (const { title, key } of plains) {
    const text = title.trim().toLowerCase();
    if (wordsOf(text).length > 0) pages.set(text, [...(pages.get(text) ?? []), key]);
  }
  return [...pages].filter(([, keys]) => keys.length <= 4);
}

/** At most thirty of one word. */
function titleQueries(plains: readonly Plain[], next: Next): Query[] {
  let single = 0;
  return pick(titles(plains), next, ([text, relevant]): Query | undefined => {
    if (wordsOf(text).length === 1 && ++single > 30) return undefined;
    return { kind: 'title', text, relevant };
  });
}

/**
 * Three to five words of highest tf-idf from one section's heading and first sentence: no word of fewer
 * than three documents, not the whole title, at most ten documents that hold them all.
 */
function sectionQueries(plains: readonly Plain[], known: Map<string, Set<number>>, next: Next): Query[] {
  const sections = plains.flatMap((one) => one.sections.map((section) => ({ one, section })));
  return pick(sections, next, ({ one, section }): Query | undefined => {
    const after = one.text.indexOf('\n', section.at);
    if (after < 0) return undefined;
    const [sentence = ''] = one.text
      .slice(after, after + 2000)
      .trim()
      .split(/(?<=[.!?])\s|\n\s*\n/);
    const counts = new Map<string, number>();
    for (const word of wordsOf(`${section.text} ${sentence}`)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const best = [...counts]
      .map(([word, count]) => ({ word, documents: known.get(word)?.size ?? 0, count }))
      .filter(({ documents, word }) => documents >= 3 && word.length > 1)
      .map(({ word, documents, count }) => ({ word, weight: count * Math.log(plains.length / documents) }))
      .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, 3 + next(3))
      .map(({ word }) => word);
    if (best.length < 3 || wordsOf(one.title).every((word) => best.includes(word))) return undefined;
    const [first, ...others] = best.map((word) => known.get(word) as Set<number>);
    const holding = [...(first as Set<number>)].filter((n) => others.every((documents) => documents.has(n)));
    if (holding.length === 0 || holding.length > 10) return undefined;
    return { kind: 'section', text: best.join(' '), relevant: [one.key] };
  });
}

/** A title with one word misspelt (odd ones) or inflected (even ones), unless that makes another page's title. */
function slipQueries(plains: readonly Plain[], known: Map<string, Set<number>>, next: Next): Query[] {
  let made = 0;
  let single = 0;
  const taken = new Set(plains.map(({ title }) => title.trim().toLowerCase()));
  return pick(titles(plains), next, ([title, relevant]): Query | undefined => {
    const words = [...title.matchAll(/(?<![\p{L}\p{N}])[a-z]{4,}(?![\p{L}\p{N}])/gu)];
    const chosen = words[next(Math.max(1, words.length))];
    if (chosen === undefined) return undefined;
    const [word] = chosen;
    const slipped = made % 2 === 0 ? inflected(word, next) : misspelt(word, next);
    if (slipped === word || (made % 2 === 1 && known.has(slipped))) return undefined;
    const text = title.slice(0, chosen.index) + slipped + title.slice(chosen.index + word.length);
    if (taken.has(text) || (wordsOf(text).length === 1 && ++single > 30)) return undefined;
    made++;
    return { kind: 'slip', text, relevant };
  });
}

function misspelt(word: string, next: Next): string {
  const at = 1 + next(word.length - 1);
  const letter = word[at] as string;
  switch (next(4)) {
    case 0:
      return at + 1 < word.length ? word.slice(0, at) + word[at + 1] + letter + word.slice(at + 2) : word;
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + letter + word.slice(at);
    default: {
      const row = NEIGHBOURS.find((keys) => keys.includes(letter)) as string;
      const place = row.indexOf(letter);
      return word.slice(0, at) + (row[place + 1] ?? row[place - 1]) + word.slice(at + 1);
    }
  }
}

function inflected(word: string, next: Next): string {
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  if (next(2) === 0 && !word.endsWith('ing')) return `${word.replace(/e$/, '')}ing`;
  return /(?:ss|x|ch|sh)$/.test(word) ? `${word}es` : word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** A hundred different queries, made of things drawn at random. */
function pick<Thing>(things: readonly Thing[], next: Next, make: (thing: Thing) => Query | undefined): Query[] {
  const queries = new Map<string, Query>();
  for (let tries = 0; queries.size < OF_EACH && tries < 100_000; tries++) {
    const query = make(things[next(things.length)] as Thing);
    if (query !== undefined && !queries.has(query.text)) queries.set(query.text, query);
  }
  return [...queries.values()];
}
