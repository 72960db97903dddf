// What one agent may see of a search index. Postings come without the documents it may not see, and the
// counts that ranking rests on are made of the rest, so that an answer is the one of a bundle that never
// held them.

import type { PostingList } from './postings-format.ts';
import type { SearchIndex } from './search-index.ts';

export type Visible = {
  readonly index: SearchIndex;
  /** How many documents, and the mean length of a section. */
  readonly documents: number;
  readonly meanSection: number;
  /** By document: what one use in a field counts, less in a longer one. */
  readonly norms: { title: Float64Array; headings: Float64Array; body: Float64Array };
  postings(place: { from: number; to: number }): PostingList;
  /** How many documents a list names. */
  count(list: PostingList): number;
};

/** How much the length of a field takes off. */
export const LENGTHS_COUNT = { title: 0.5, headings: 0.5, body: 0.75 };

type May = (key: string) => boolean;

const views = new WeakMap<SearchIndex, WeakMap<May, Visible>>();
const ALL: May = () => true;

/** Asking about every key is done once for each `may`: keep the function, keep the view. */
export function visibleOf(index: SearchIndex, may: May, everything: boolean): Visible {
  const asked = everything ? ALL : may;
  let known = views.get(index);
  if (known === undefined) {
    known = new WeakMap();
    views.set(index, known);
  }
  let visible = known.get(asked);
  if (visible === undefined) {
    visible = makeVisible(index, everything ? undefined : allowedOf(index, may));
    known.set(asked, visible);
  }
  return visible;
}

function allowedOf(index: SearchIndex, may: May): Uint8Array {
  const allowed = new Uint8Array(index.documents);
  for (let n = 0; n < allowed.length; n++) allowed[n] = may(index.key(n)) ? 1 : 0;
  return allowed;
}

function makeVisible(index: SearchIndex, allowed: Uint8Array | undefined): Visible {
  const { documentOf, lengths } = index;
  let documents = 0;
  let sections = 0;
  const sums = { title: 0, headings: 0, body: 0 };
  for (let n = 0; n < index.documents; n++) {
    if (allowed !== undefined && allowed[n] === 0) continue;
    documents++;
    sections += (index.firstSection[n + 1] as number) - (index.firstSection[n] as number);
    sums.title += lengths.title[n] as number;
    sums.headings += lengths.headings[n] as number;
    sums.body += lengths.body[n] as number;
  }
  const mean = (sum: number, count = documents): number => Math.max(1, sum / Math.max(1, count));
  const norm = (field: keyof typeof sums): Float64Array => {
    const counts = LENGTHS_COUNT[field];
    return normsOf(lengths[field], 1 - counts, counts / mean(sums[field]));
  };
  return {
    index,
    documents,
    meanSection: mean(sums.body, sections),
    norms: { title: norm('title'), headings: norm('headings'), body: norm('body') },
    postings({ from, to }) {
      const list = index.postings(from, to);
      if (allowed === undefined) return list;
      let length = 0;
      for (let n = 0; n < list.length; n++) {
        const section = list.sections[n] as number;
        if (allowed[documentOf[section] as number] === 0) continue;
        list.sections[length] = section;
        list.uses[length++] = list.uses[n] as number;
      }
      return { ...list, length };
    },
    count(list) {
      let count = 0;
      let before = -1;
      for (let n = 0; n < list.length; n++) {
        const document = documentOf[list.sections[n] as number] as number;
        if (document !== before) count++;
        before = document;
      }
      return count;
    },
  };
}

function normsOf(lengths: Uint32Array, least: number, perWord: number): Float64Array {
  const norms = new Float64Array(lengths.length);
  for (let n = 0; n < norms.length; n++) norms[n] = 1 / (least + perWord * (lengths[n] as number));
  return norms;
}
