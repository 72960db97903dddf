// What one agent may see of a search index. Postings come without the documents it may not see, and the
// counts that ranking rests on are made of the rest, so that an answer is the one of a bundle that never
// held them.

import type { PostingList } from './postings-format.ts';
import type { SearchIndex } from './search-index.ts';

export type Visible = {
  readonly index: SearchIndex;
  /** How many documents there are, and the mean lengths of their fields and sections. */
  readonly documents: number;
  readonly means: { title: number; headings: number; body: number; section: number };
  postings(place: { from: number; to: number }): PostingList;
};

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
  const sums = allowed === undefined ? sumsOfAll(index) : sumsOf(index, allowed);
  const mean = (sum: number, count = sums.documents): number => Math.max(1, sum / Math.max(1, count));
  return {
    index,
    documents: sums.documents,
    means: {
      title: mean(sums.title),
      headings: mean(sums.headings),
      body: mean(sums.body),
      section: mean(sums.body, sums.sections),
    },
    postings({ from, to }) {
      const list = index.postings(from, to);
      return allowed === undefined ? list : allowedPostings(list, allowed, index.documentOf);
    },
  };
}

type Sums = { documents: number; sections: number; title: number; headings: number; body: number };

/** They are stored: a first search should not go through all documents. */
function sumsOfAll({ documents, sections, lengths: { title, headings, body } }: SearchIndex): Sums {
  const last = (column: Uint32Array): number => column[documents] as number;
  return { documents, sections, title: last(title), headings: last(headings), body: last(body) };
}

export function sumsOf({ documents, firstSection, lengths }: SearchIndex, allowed?: Uint8Array): Sums {
  const sums = { documents: 0, sections: 0, title: 0, headings: 0, body: 0 };
  for (let n = 0; n < documents; n++) {
    if (allowed !== undefined && allowed[n] === 0) continue;
    sums.documents++;
    sums.sections += (firstSection[n + 1] as number) - (firstSection[n] as number);
    sums.title += lengths.title[n] as number;
    sums.headings += lengths.headings[n] as number;
    sums.body += lengths.body[n] as number;
  }
  return sums;
}

/** The list without what is not allowed, in its own place. */
function allowedPostings(list: PostingList, allowed: Uint8Array, documentOf: Uint32Array): PostingList {
  let length = 0;
  let documents = 0;
  let before = -1;
  for (let n = 0; n < list.length; n++) {
    const section = list.sections[n] as number;
    const document = documentOf[section] as number;
    if (allowed[document] === 0) continue;
    if (document !== before) documents++;
    before = document;
    list.sections[length] = section;
    list.uses[length++] = list.uses[n] as number;
  }
  return { ...list, length, documents };
}
