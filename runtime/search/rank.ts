// Scores, best first. BM25F over a document's title, headings and text (fields are weighed, then saturated
// once), a bonus for a title that the query covers, and one for a section that holds most of the query.

import type { Meant } from './meant.ts';
import { decodeLength } from './postings-format.ts';
import type { Visible } from './visible.ts';

export type Ranked = { document: number; score: number; section: number };

export const RANKING = {
  title: 8,
  headings: 3,
  text: 1,
  saturation: 1.2,
  titleCover: 1,
  sectionCover: 1,
  sectionHeading: 1.2,
  sectionHalf: 0.1,
  sectionNorm: 0.8,
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
  const { scores, inTitle, titleWords, inSection, bestSection } = scored(meanings, visible);
  const whole = meanings.reduce((sum, { idf }) => sum + idf, 0);
  const best: Ranked[] = [];
  let total = 0;
  for (let document = 0; document < documents; document++) {
    if (scores[document] === 0 || !accepts(document)) continue;
    total++;
    const section = bestSection[document] as number;
    const ofQuery = (inTitle[document] as number) / whole;
    const ofTitle = Math.min(1, (titleWords[document] as number) / Math.max(1, lengths.title[document] as number));
    const held = (inSection[section] as number) / whole;
    const bonus = RANKING.titleCover * ofTitle * ofQuery * ofQuery + RANKING.sectionCover * held * held * held;
    keepBest(best, { document, score: (scores[document] as number) + whole * bonus, section }, limit);
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

/** What a ranking adds up: by section the weight; by document the score, the title's share, the best section. */
type Sums = {
  inSection: Float64Array;
  scores: Float64Array;
  inTitle: Float64Array;
  titleWords: Float64Array;
  bestSection: Uint32Array;
};

function scored(meanings: readonly Meant[], visible: Visible): Sums {
  const { sums, scratch } = tables(visible);
  const { frequency, ofTitle, ofSection } = scratch;
  const { documentOf } = visible.index;
  for (const { senses, idf } of meanings) {
    for (const sense of senses) addSense(sense, visible, scratch);
    for (const { list } of senses) {
      for (let n = 0; n < list.length; n++) {
        const section = list.sections[n] as number;
        const document = documentOf[section] as number;
        const often = frequency[document] as number;
        if (often > 0) {
          sums.scores[document] = (sums.scores[document] as number) + (idf * often) / (RANKING.saturation + often);
          frequency[document] = 0;
          const title = ofTitle[document] as number;
          if (title > 0) {
            sums.inTitle[document] = (sums.inTitle[document] as number) + idf * title;
            sums.titleWords[document] = (sums.titleWords[document] as number) + title;
            ofTitle[document] = 0;
          }
        }
        const inSection = (sums.inSection[section] as number) + idf * (ofSection[section] as number);
        sums.inSection[section] = inSection;
        ofSection[section] = 0;
        const best = sums.bestSection[document] as number;
        if (documentOf[best] !== document || inSection > (sums.inSection[best] as number)) {
          sums.bestSection[document] = section;
        }
      }
    }
  }
  return sums;
}

/** Adds one sense of a word: weighed frequencies by document, the best weight by title and section. */
function addSense({ list, inHeadings, inTexts }: Meant['senses'][number], visible: Visible, scratch: Scratch): void {
  const { documentOf, firstSection, sectionLengths } = visible.index;
  const { frequency, ofTitle, ofSection } = scratch;
  const { title, headings, body } = visible.norms;
  const { sections, uses, length } = list;
  const perWord = (RANKING.sectionHalf * RANKING.sectionNorm) / visible.meanSection;
  const half = RANKING.sectionHalf * (1 - RANKING.sectionNorm);
  for (let n = 0; n < length; n++) {
    const section = sections[n] as number;
    const document = documentOf[section] as number;
    const count = (uses[n] as number) >> 1;
    let more = RANKING.text * inTexts * count * (body[document] as number);
    let cover = (inTexts * count) / (count + half + perWord * (LENGTHS[sectionLengths[section] as number] as number));
    if (((uses[n] as number) & 1) === 1) {
      cover = Math.max(cover, inHeadings * RANKING.sectionHeading);
      if (section === firstSection[document]) {
        more += RANKING.title * inHeadings * (title[document] as number);
        ofTitle[document] = Math.max(ofTitle[document] as number, inHeadings);
      } else more += RANKING.headings * inHeadings * (headings[document] as number);
    }
    frequency[document] = (frequency[document] as number) + more;
    if (cover > (ofSection[section] as number)) ofSection[section] = cover;
  }
}

/** What one word adds up, and leaves as zeros. */
type Scratch = { frequency: Float64Array; ofTitle: Float64Array; ofSection: Float64Array };

const kept = new WeakMap<Visible, { sums: Sums; scratch: Scratch }>();

/** Tables of zeros, made once for each view. */
function tables(visible: Visible): { sums: Sums; scratch: Scratch } {
  const known = kept.get(visible);
  if (known !== undefined) {
    for (const table of Object.values(known.sums)) table.fill(0);
    return known;
  }
  const { documents, sections } = visible.index;
  const byDocument = (): Float64Array => new Float64Array(documents);
  const made = {
    sums: {
      scores: byDocument(),
      inTitle: byDocument(),
      titleWords: byDocument(),
      inSection: new Float64Array(sections),
      bestSection: new Uint32Array(documents),
    },
    scratch: { frequency: byDocument(), ofTitle: byDocument(), ofSection: new Float64Array(sections) },
  };
  kept.set(visible, made);
  return made;
}
