// Scores, best first. BM25F over a document's title, headings and text (fields are weighed, then saturated
// once), a bonus for a title that the query covers, and one for a section that holds most of the query.

import type { Meant } from './meant.ts';
import type { Visible } from './visible.ts';

export type Ranked = { document: number; score: number; section: number };

export const RANKING = {
  title: 8,
  headings: 3,
  text: 1,
  titleNorm: 0.5,
  headingsNorm: 0.5,
  textNorm: 0.75,
  saturation: 1.2,
  titleCover: 1,
  sectionCover: 1,
  sectionPower: 3,
  sectionHeading: 1.2,
  sectionHalf: 0.1,
  sectionNorm: 0.8,
};

export function rank(meanings: readonly Meant[], visible: Visible): Ranked[] {
  const { index } = visible;
  const { documents, documentOf, firstSection } = index;
  const scores = new Float64Array(documents);
  const inTitle = new Float64Array(documents);
  const titleWords = new Float64Array(documents);
  const inSection = new Float64Array(index.sections);
  const frequency = new Float64Array(documents);
  const ofTitle = new Float64Array(documents);
  const ofSection = new Float64Array(index.sections);
  const { sectionLengths } = index;
  const sectionHalf = (RANKING.sectionHalf * RANKING.sectionNorm) / visible.means.section;
  const whole = meanings.reduce((sum, { idf }) => sum + idf, 0);
  const norms = normsOf(visible);
  for (const { senses, idf } of meanings) {
    for (const { list, inHeadings, inTexts } of senses) {
      for (let n = 0; n < list.length; n++) {
        const section = list.sections[n] as number;
        const document = documentOf[section] as number;
        const uses = list.uses[n] as number;
        const count = uses >> 1;
        let more = (count * RANKING.text * inTexts) / (norms.body[document] as number);
        let cover =
          (inTexts * count) /
          (count + RANKING.sectionHalf * (1 - RANKING.sectionNorm) + sectionHalf * (sectionLengths[section] as number));
        if ((uses & 1) === 1) {
          cover = Math.max(cover, inHeadings * RANKING.sectionHeading);
          if (section === firstSection[document]) {
            more += (RANKING.title * inHeadings) / (norms.title[document] as number);
            ofTitle[document] = Math.max(ofTitle[document] as number, inHeadings);
          } else more += (RANKING.headings * inHeadings) / (norms.headings[document] as number);
        }
        frequency[document] = (frequency[document] as number) + more;
        if (cover > (ofSection[section] as number)) ofSection[section] = cover;
      }
    }
    for (const { list } of senses) {
      for (let n = 0; n < list.length; n++) {
        const section = list.sections[n] as number;
        const document = documentOf[section] as number;
        const often = frequency[document] as number;
        if (often > 0) {
          scores[document] = (scores[document] as number) + (idf * often) / (RANKING.saturation + often);
          inTitle[document] = (inTitle[document] as number) + idf * (ofTitle[document] as number);
          titleWords[document] = (titleWords[document] as number) + (ofTitle[document] as number);
          frequency[document] = 0;
          ofTitle[document] = 0;
        }
        inSection[section] = (inSection[section] as number) + idf * (ofSection[section] as number);
        ofSection[section] = 0;
      }
    }
  }
  const found: Ranked[] = [];
  for (let document = 0; document < documents; document++) {
    const score = scores[document] as number;
    if (score === 0) continue;
    let best = firstSection[document] as number;
    for (let section = best; section < (firstSection[document + 1] as number); section++) {
      if ((inSection[section] as number) > (inSection[best] as number)) best = section;
    }
    const ofQuery = (inTitle[document] as number) / whole;
    const ofTitleShare = Math.min(
      1,
      (titleWords[document] as number) / Math.max(1, index.lengths.title[document] as number),
    );
    const section = (inSection[best] as number) / whole;
    const bonus =
      RANKING.titleCover * ofTitleShare * ofQuery ** 2 + RANKING.sectionCover * section ** RANKING.sectionPower;
    found.push({ document, score: score + whole * bonus, section: best });
  }
  return found.sort((a, b) => b.score - a.score || a.document - b.document);
}

function normsOf({ index, means }: Visible): { title: Float64Array; headings: Float64Array; body: Float64Array } {
  const norm = (lengths: Uint32Array, mean: number, b: number): Float64Array =>
    Float64Array.from(lengths, (length) => 1 - b + (b * length) / mean);
  return {
    title: norm(index.lengths.title, means.title, RANKING.titleNorm),
    headings: norm(index.lengths.headings, means.headings, RANKING.headingsNorm),
    body: norm(index.lengths.body, means.body, RANKING.textNorm),
  };
}
