// Search: a query in, the best texts out, each with the section that answers it and the words that show
// why. Loaded on the first search; what an agent may not see leaves no trace in what it gets.

import type { SeenTexts } from '../access.ts';
import type { Bundle } from '../bundle.ts';
import { CUT, unescapeText } from '../format.ts';
import type { Beside } from './beside.ts';
import { type Meant, meantBy, wordsAlone } from './meant.ts';
import { plainText } from './plain-text.ts';
import { type Ranked, rank } from './rank.ts';
import { type SearchIndex, searchIndexOf } from './search-index.ts';
import { matchedWords, snippet, type Weights } from './snippet.ts';
import { visibleOf } from './visible.ts';

export type SearchOptions = {
  limit: number;
  /** Who is asking; keep the function, and what it answered is kept too. */
  may(key: string): boolean;
  everything: boolean;
  /** Where what is shown comes from, as far as who is asking may see it. */
  texts?: SeenTexts | undefined;
  /** Further wishes, such as one category; asked of every text that matched. */
  accepts?(key: string): boolean;
  /** Texts that are not in the bundle, as far as who is asking may see them. */
  beside?: Beside | undefined;
};

export type Hit = {
  key: string;
  score: number;
  /** The best section; neither when it stands before the first heading. */
  anchor?: string;
  heading?: string;
  snippet: string;
  /** The words that matched, as the text spells them. */
  words: readonly string[];
};

export type Found = {
  hits: readonly Hit[];
  total: number;
  /** Words that nobody uses, and what was looked for in their place. */
  corrected?: readonly { asked: string; used: string }[];
};

const SPACE = 0x20;
/** Of a long section, what a snippet is chosen from. */
const MOST_SECTION_BYTES = 1 << 15;

export function search(bundle: Bundle, query: string, options: SearchOptions): Found {
  const { accepts = () => true, beside, limit } = options;
  const index = searchIndexOf(bundle);
  if (index === undefined) return besideOnly(query, beside, limit, accepts);
  const visible = visibleOf(index, options.may, options.everything);
  const meanings = meantBy(query, visible, beside);
  const accepted = (document: number): boolean => options.accepts === undefined || accepts(index.key(document));
  const { best, total } = rank(meanings, visible, limit, accepted);
  const weights = weightsOf(meanings);
  const live = beside?.best(meanings, limit, accepts) ?? { best: [], total: 0 };
  const found: { score: number; hit: () => Hit }[] = [
    ...best.map((one) => ({ score: one.score, hit: () => hitOf(options.texts ?? bundle, index, one, weights) })),
    ...live.best.map((one) => ({ score: one.score, hit: () => (beside as Beside).hit(one, meanings) })),
  ];
  const hits = found.sort((a, b) => b.score - a.score).slice(0, limit);
  const corrected = meanings.flatMap(({ asked, corrected: used }) => (used === undefined ? [] : [{ asked, used }]));
  return {
    hits: hits.map(({ hit }) => hit()),
    total: total + live.total,
    ...(corrected.length === 0 ? {} : { corrected }),
  };
}

/** In a bundle without an index. */
function besideOnly(
  query: string,
  beside: Beside | undefined,
  limit: number,
  accepts: (key: string) => boolean,
): Found {
  if (beside === undefined) return { hits: [], total: 0 };
  const meanings = wordsAlone(query);
  const { best, total } = beside.best(meanings, limit, accepts);
  return { hits: best.map((one) => beside.hit(one, meanings)), total };
}

/** What a snippet should show. */
function weightsOf(meanings: readonly Meant[]): Weights {
  const weights = new Map<string, number>();
  for (const { senses, idf } of meanings) {
    for (const { word, inHeadings } of senses) {
      weights.set(word, Math.max(weights.get(word) ?? 0, idf * inHeadings));
    }
  }
  return weights;
}

function hitOf(texts: SeenTexts, index: SearchIndex, ranked: Ranked, weights: Weights): Hit {
  const key = index.key(ranked.document);
  const found = texts.findWhole(key);
  if (found === undefined) throw index.damage('a key');
  const { stored, cuts } = found;
  const headings = cuts.filter(({ kind }) => kind === CUT.heading);
  const place = ranked.section - (index.firstSection[ranked.document] as number);
  const cut = headings[place - 1];
  const starts = [0, ...headings.map(({ at }) => at), stored.length];
  if (place >= starts.length - 1 || !isRising(starts)) throw index.damage('the sections of a text');
  const heading = place === 0 ? '' : plainText(firstLine(textBetween(index, stored, starts, place)));
  let body = '';
  for (let n = place; n < starts.length - 1 && body.trim() === ''; n++)
    body = bodyOf(textBetween(index, stored, starts, n), n);
  const { text, words } = snippet(body, weights);
  return {
    key,
    score: ranked.score,
    ...(cut === undefined ? {} : { anchor: cut.label, heading }),
    snippet: text,
    words: [...new Set([...matchedWords(heading, weights), ...words])],
  };
}

function isRising(places: readonly number[]): boolean {
  return places.every((at, n) => at >= (places[n - 1] ?? 0));
}

/** The text of section `n`, or its start; cut at a space, which is never inside an escape. */
function textBetween(index: SearchIndex, stored: Buffer, starts: readonly number[], n: number): string {
  const from = starts[n] as number;
  const to = starts[n + 1] as number;
  const space = stored.lastIndexOf(SPACE, from + MOST_SECTION_BYTES);
  const section = stored.subarray(from, to - from > MOST_SECTION_BYTES && space > from ? space : to);
  try {
    return unescapeText(section);
  } catch {
    throw index.damage('the sections of a text');
  }
}

/** A section without the line of its heading. */
function bodyOf(text: string, n: number): string {
  return n === 0 ? text : text.slice(firstLine(text).length);
}

function firstLine(text: string): string {
  const newline = text.indexOf('\n');
  return newline < 0 ? text : text.slice(0, newline);
}
