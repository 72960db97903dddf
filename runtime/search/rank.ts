// Scores, best first. BM25F over a document's title, headings and text (fields are weighed, then saturated
// once), a bonus for a title that the query covers, and one for a section that holds most of the query.

import type { Meant, Sense } from './meant.ts';
import { decodeLength } from './postings-format.ts';
import type { Visible } from './visible.ts';

export type Ranked = { document: number; score: number; section: number };

export const RANKING = {
  title: 8,
  headings: 3,
  text: 1,
  /** How much the length of a field takes off a use in it. */
  titleLength: 0.5,
  headingsLength: 0.5,
  textLength: 0.75,
  sectionLength: 0.8,
  saturation: 1.2,
  titleCover: 1,
  sectionCover: 1,
  sectionHeading: 1.2,
  sectionHalf: 0.1,
};

/** How many words a section has, by the byte of its length. */
const LENGTHS = Float64Array.from({ length: 256 }, (_, byte) => decodeLength(byte));

/** The best `limit` documents that are accepted, and how many are. */
export function rank(
  meanings: readonly Meant[],
  visible: Visible,
  limit: number,
  accepts: (document: number) => boolean,
): { best: Ranked[]; total: number } {
  const { documents, lengths } = visible.index;
  const sums = zeros(visible);
  for (const { senses, idf } of meanings) {
    sums.turn++;
    for (const sense of senses) addSense(sense, idf, visible, sums);
  }
  const whole = meanings.reduce((sum, { idf }) => sum + idf, 0);
  const best: Ranked[] = [];
  let least = -1;
  let total = 0;
  for (let document = 0; document < documents; document++) {
    const score = sums.scores[document] as number;
    if (score === 0 || !accepts(document)) continue;
    total++;
    const section = sums.bestSection[document] as number;
    const ofQuery = (sums.inTitle[document] as number) / whole;
    const ofTitle = Math.min(1, (sums.titleWords[document] as number) / Math.max(1, lengths.title[document] as number));
    const held = (sums.inSection[section] as number) / whole;
    const bonus = RANKING.titleCover * ofTitle * ofQuery * ofQuery + RANKING.sectionCover * held * held * held;
    const all = score + whole * bonus;
    if (all > least) {
      keepBest(best, { document, score: all, section }, limit);
      least = best[limit - 1]?.score ?? least;
    }
  }
  return { best, total };
}

/** Documents come in order, so that of two equal ones the first stays before the other. */
function keepBest(best: Ranked[], one: Ranked, limit: number): void {
  const worst = best[limit - 1];
  if (limit <= 0 || (worst !== undefined && worst.score >= one.score)) return;
  let at = worst === undefined ? best.length : limit - 1;
  for (; at > 0 && (best[at - 1] as Ranked).score < one.score; at--) best[at] = best[at - 1] as Ranked;
  best[at] = one;
}

/**
 * Adds one sense of a word. Senses of the same word do not add up twice: a document's score grows by what
 * the saturated frequency grows, a title or section counts its best sense. Everything the loop uses is
 * local: a first search runs it before it is compiled.
 */
function addSense({ list, inHeadings, inTexts }: Sense, idf: number, visible: Visible, sums: Sums): void {
  const { documentOf, firstSection, sectionLengths } = visible.index;
  const { bestSection, inSection, ofSection, sectionTurn, documentTurn, frequency, scores, turn } = sums;
  const { sections, uses, length } = list;
  const bodies = visible.index.lengths.body;
  const perBodyWord = RANKING.textLength / visible.means.body;
  const leastBody = 1 - RANKING.textLength;
  const { saturation } = RANKING;
  const perWord = (RANKING.sectionHalf * RANKING.sectionLength) / visible.means.section;
  const half = RANKING.sectionHalf * (1 - RANKING.sectionLength);
  const inHeading = inHeadings * RANKING.sectionHeading;
  for (let n = 0; n < length; ) {
    let section = sections[n] as number;
    const document = documentOf[section] as number;
    const first = firstSection[document] as number;
    const end = firstSection[document + 1] as number;
    let count = 0;
    let headings = 0;
    let title = 0;
    let best = bestSection[document] as number;
    let bestWeight = best >= first && best < end ? (inSection[best] as number) : -1;
    do {
      const use = uses[n] as number;
      const times = use >> 1;
      count += times;
      let cover = (inTexts * times) / (times + half + perWord * (LENGTHS[sectionLengths[section] as number] as number));
      if ((use & 1) === 1) {
        if (cover < inHeading) cover = inHeading;
        if (section === first) title = 1;
        else headings++;
      }
      const before = sectionTurn[section] === turn ? (ofSection[section] as number) : 0;
      if (cover > before) {
        sectionTurn[section] = turn;
        ofSection[section] = cover;
        const weight = (inSection[section] as number) + idf * (cover - before);
        inSection[section] = weight;
        if (weight > bestWeight) {
          bestWeight = weight;
          best = section;
        }
      }
      section = ++n < length ? (sections[n] as number) : end;
    } while (section < end);
    bestSection[document] = best;
    let often = (RANKING.text * count * inTexts) / (leastBody + perBodyWord * (bodies[document] as number));
    if (headings + title > 0)
      often += addHeadings(document, headings * inHeadings, title * inHeadings, idf, visible, sums);
    const known = documentTurn[document] === turn ? (frequency[document] as number) : 0;
    const after = known + often;
    documentTurn[document] = turn;
    frequency[document] = after;
    const grown = after / (saturation + after) - known / (saturation + known);
    scores[document] = (scores[document] as number) + idf * grown;
  }
}

/** Adds the uses of one sense in the title of a document; gives how often it counts there and in the headings. */
function addHeadings(
  document: number,
  headings: number,
  title: number,
  idf: number,
  { index: { lengths }, means }: Visible,
  sums: Sums,
): number {
  const { turn } = sums;
  let often = 0;
  if (headings > 0) {
    const per = norm(lengths.headings[document] as number, means.headings, RANKING.headingsLength);
    often += RANKING.headings * headings * per;
  }
  if (title > 0) {
    often += RANKING.title * title * norm(lengths.title[document] as number, means.title, RANKING.titleLength);
    const before = sums.titleTurn[document] === turn ? (sums.ofTitle[document] as number) : 0;
    const more = Math.max(0, title - before);
    sums.titleTurn[document] = turn;
    sums.ofTitle[document] = before + more;
    sums.titleWords[document] = (sums.titleWords[document] as number) + more;
    sums.inTitle[document] = (sums.inTitle[document] as number) + idf * more;
  }
  return often;
}

function norm(length: number, mean: number, counts: number): number {
  return 1 / (1 - counts + (counts * length) / mean);
}

/** What a ranking adds up, and by turns, one for each word, what the word at hand has added. */
type Sums = {
  turn: number;
  scores: Float64Array;
  frequency: Float64Array;
  documentTurn: Uint32Array;
  inTitle: Float64Array;
  titleWords: Float64Array;
  ofTitle: Float64Array;
  titleTurn: Uint32Array;
  bestSection: Uint32Array;
  inSection: Float64Array;
  ofSection: Float64Array;
  sectionTurn: Uint32Array;
};

const kept = new WeakMap<Visible, Sums>();

/** Tables made once for each view; turns go on, so only the sums need to be zeros again. */
function zeros(visible: Visible): Sums {
  const { documents, sections } = visible.index;
  let sums = kept.get(visible);
  if (sums === undefined || sums.turn > 2 ** 31) {
    sums = {
      turn: 0,
      scores: new Float64Array(documents),
      frequency: new Float64Array(documents),
      documentTurn: new Uint32Array(documents),
      inTitle: new Float64Array(documents),
      titleWords: new Float64Array(documents),
      ofTitle: new Float64Array(documents),
      titleTurn: new Uint32Array(documents),
      bestSection: new Uint32Array(documents),
      inSection: new Float64Array(sections),
      ofSection: new Float64Array(sections),
      sectionTurn: new Uint32Array(sections),
    };
    kept.set(visible, sums);
    return sums;
  }
  for (const table of [sums.scores, sums.inTitle, sums.titleWords, sums.inSection]) table.fill(0);
  return sums;
}
