// What the words of a query may mean: themselves, and words of the same stem as weak synonyms. A word that
// nobody visible uses means the words it starts, if it is the last one, or else those it is a slip of.

import { slips } from '../nearest.ts';
import type { PostingList } from './postings-format.ts';
import { stem } from './stem.ts';
import type { Visible } from './visible.ts';
import { runsOf } from './words.ts';

/** A word of the bundle that a word of the query may mean, and how much it counts in headings and in texts. */
export type Sense = { word: string; list: PostingList; inHeadings: number; inTexts: number };

/** A word of the query. */
export type Meant = {
  asked: string;
  senses: readonly Sense[];
  idf: number;
  corrected: string | undefined;
};

export const MEANING = {
  stemInHeadings: 0.7,
  stemInTexts: 0.1,
  lostStemInTexts: 0.5,
  oneSlip: 0.8,
  twoSlips: 0.5,
  prefix: 0.6,
};

/** Words that hold a question together and say little about what it asks for. */
const GLUE = new Set(
  'a an and are as at be by can do does for from how i if in is it me my of on or should that the this to we what when where which why with you'.split(
    ' ',
  ),
);
/** The letters that an inflected word may end with. */
const ENDINGS = new Set(Buffer.from('deisgy'));
const MOST_CHARACTERS = 256;
const MOST_WORDS = 16;
const MOST_STEMS = 8;
const MOST_SLIPS = 3;
const MOST_STARTED = 12;
/** A walk through the words of one letter for each. */
const MOST_CORRECTIONS = 4;
const PREFIX_LETTERS = 3;

/** Words that are used beside the bundle: they need no correction. */
type Elsewhere = { has(word: string, isStart: boolean): boolean };

const NOWHERE: Elsewhere = { has: () => false };

export function meantBy(query: string, visible: Visible, elsewhere: Elsewhere = NOWHERE): Meant[] {
  const isUsed = (word: string): boolean => elsewhere.has(word, false) || sensed(word, 1, 1, visible) !== undefined;
  let corrections = MOST_CORRECTIONS;
  return wordsAsked(query, isUsed).map(([word, isLast]) =>
    meaningOf(word, isLast, visible, elsewhere, () => corrections-- > 0),
  );
}

/** The words of a query where there is no index to tell what they mean. */
export function wordsAlone(query: string): Meant[] {
  return wordsAsked(query, () => true).map(([asked]) => ({ asked, senses: [], idf: 1, corrected: undefined }));
}

/** The words of a query, and whether each is the last. */
function wordsAsked(query: string, isUsed: (word: string) => boolean): [word: string, isLast: boolean][] {
  const runs = [...runsOf(query.slice(0, MOST_CHARACTERS))];
  const asked = new Map<string, boolean>();
  for (const [n, { end, words }] of runs.entries()) {
    // The last character of a script without spaces was asked for with the one before it.
    if (end <= (runs[n - 1]?.end ?? 0)) continue;
    for (const word of wordsToAsk(words, isUsed)) {
      if (asked.size < MOST_WORDS || asked.has(word)) asked.set(word, n === runs.length - 1);
    }
  }
  // Nearly every document has the words that hold a question together: they are gone through only for themselves.
  const telling = [...asked].filter(([word]) => !GLUE.has(word));
  return telling.length > 0 ? telling : [...asked];
}

/** An identifier is asked for whole where somebody uses it whole, else by its parts. */
function wordsToAsk([whole, ...parts]: readonly string[], isUsed: (word: string) => boolean): readonly string[] {
  if (whole === undefined) return parts;
  return parts.length === 0 || isUsed(whole) ? [whole] : parts;
}

function meaningOf(
  asked: string,
  isLast: boolean,
  visible: Visible,
  elsewhere: Elsewhere,
  mayCorrect: () => boolean,
): Meant {
  const itself = sensed(asked, 1, 1, visible);
  const alike = ofOneStem(asked, itself === undefined, visible);
  if (itself !== undefined) return meant(asked, [itself, ...alike], [itself], visible);
  if (alike.length > 0) return meant(asked, alike, alike, visible);
  if (elsewhere.has(asked, false)) return meant(asked, [], [], visible);
  const started = isLast ? startedBy(asked, visible) : [];
  if (started.length > 0) return meant(asked, started, started, visible);
  if (elsewhere.has(asked, isLast)) return meant(asked, [], [], visible);
  const near = mayCorrect() ? slipsOf(asked, visible) : [];
  return meant(asked, near, near, visible, near[0]?.word);
}

function meant(asked: string, senses: Sense[], rare: Sense[], visible: Visible, corrected?: string): Meant {
  const count = Math.max(0, ...rare.map(({ list }) => list.documents));
  const idf = Math.log(1 + (visible.documents - count + 0.5) / (count + 0.5));
  return { asked, senses, idf, corrected };
}

/** Undefined when no visible document has the word. */
function sensed(word: string, inHeadings: number, inTexts: number, visible: Visible): Sense | undefined {
  const place = visible.index.dictionary.find(Buffer.from(word, 'utf8'));
  if (place === undefined) return undefined;
  const list = visible.postings(place);
  return list.length === 0 ? undefined : { word, list, inHeadings, inTexts };
}

function ofOneStem(asked: string, isLost: boolean, visible: Visible): Sense[] {
  const root = stem(asked);
  if (root.length < 3 || !/^[a-z]+$/.test(asked)) return [];
  const inTexts = isLost ? MEANING.lostStemInTexts : MEANING.stemInTexts;
  const inHeadings = isLost ? 1 : MEANING.stemInHeadings;
  const found: Sense[] = [];
  const start = Buffer.from(root);
  const walk = visible.index.dictionary.from(start);
  while (found.length < MOST_STEMS && walk.next() && walk.startsWith(start)) {
    const more = walk.length - root.length;
    if (more > 5 || (more > 0 && !ENDINGS.has(walk.letters[walk.length - 1] as number))) continue;
    const word = walk.word();
    if (word === asked || stem(word) !== root) continue;
    const list = visible.postings(walk);
    if (list.length > 0) found.push({ word, list, inHeadings, inTexts });
  }
  return found;
}

/** The words that most documents have, of those that start so. */
function startedBy(asked: string, visible: Visible): Sense[] {
  const isShort = asked.length < PREFIX_LETTERS && /^[\0-\x7f]*$/.test(asked);
  if (isShort) return [];
  const found: Sense[] = [];
  const start = Buffer.from(asked, 'utf8');
  const walk = visible.index.dictionary.from(start);
  while (walk.next() && walk.startsWith(start)) {
    const list = visible.postings(walk);
    if (list.length === 0) continue;
    found.push({ word: walk.word(), list, inHeadings: MEANING.prefix, inTexts: MEANING.prefix });
  }
  return found.sort((a, b) => b.list.documents - a.list.documents).slice(0, MOST_STARTED);
}

/** The nearest words with the same first letter: one slip from four letters, two from nine; titles' words first. */
function slipsOf(asked: string, visible: Visible): Sense[] {
  const letters = [...asked];
  const most = letters.length < 4 ? 0 : letters.length < 9 ? 1 : 2;
  if (most === 0) return [];
  const near: { word: string; list: PostingList; distance: number; titles: number }[] = [];
  let nearest = most;
  const bytes = Buffer.byteLength(asked);
  const first = Buffer.from(letters[0] as string, 'utf8');
  const walk = visible.index.dictionary.from(first);
  while (walk.next() && walk.startsWith(first)) {
    // A letter has at most three bytes.
    if (Math.abs(walk.length - bytes) > nearest * 3) continue;
    const word = walk.word();
    if (Math.abs(word.length - asked.length) > nearest) continue;
    const distance = slips(asked, word, nearest + 1);
    if (distance > nearest) continue;
    const list = visible.postings(walk);
    if (list.length === 0) continue;
    nearest = distance;
    near.push({ word, list, distance, titles: titleCount(list, visible) });
  }
  return near
    .filter(({ distance }) => distance === nearest)
    .sort((a, b) => Number(b.titles > 0) - Number(a.titles > 0) || b.list.length - a.list.length)
    .slice(0, MOST_SLIPS)
    .map(({ word, list, distance }) => {
      const weight = distance === 1 ? MEANING.oneSlip : MEANING.twoSlips;
      return { word, list, inHeadings: weight, inTexts: weight };
    });
}

function titleCount({ length, sections, uses }: PostingList, { index }: Visible): number {
  let count = 0;
  for (let n = 0; n < length; n++) {
    const section = sections[n] as number;
    if (((uses[n] as number) & 1) === 1 && index.firstSection[index.documentOf[section] as number] === section) count++;
  }
  return count;
}
