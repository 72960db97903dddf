// The search index of one bundle, opened on its first search: counts, lengths and keys of the searchable
// texts. What one agent may see of it is a view of its own, in which nothing else leaves a trace: words,
// counts and averages are those of a bundle that never held the rest.

import type { Bundle } from '../bundle.ts';
import { dataView } from '../format.ts';
import { Dictionary } from './dictionary.ts';
import {
  DOCUMENT_BYTES,
  decodeDocument,
  decodeHead,
  decodeLength,
  decodePostings,
  type FindHead,
  HEAD_BYTES,
  type PostingList,
} from './postings-format.ts';
import { damaged, Sealed } from './sealed.ts';

export class SearchIndex {
  readonly dictionary: Dictionary;
  readonly documents: number;
  readonly sections: number;
  /** By document, and one more: where its key and its sections start. */
  readonly keyAt: Uint32Array;
  readonly firstSection: Uint32Array;
  readonly lengths: { title: Uint32Array; headings: Uint32Array; body: Uint32Array };
  readonly documentOf: Uint32Array;
  /** By section, about how many words it has. */
  readonly sectionLengths: Float64Array;
  readonly #sealed: Sealed;
  readonly #head: FindHead;

  constructor(sealed: Sealed) {
    this.#sealed = sealed;
    const head = decodeHead(dataView(sealed.slice(0, HEAD_BYTES)));
    this.#head = head;
    this.documents = head.documents;
    this.sections = head.sections;
    const documentsEnd = HEAD_BYTES + (head.documents + 1) * DOCUMENT_BYTES;
    const lengthsEnd = head.lengthsAt + head.sections;
    const { lengthsAt, keysAt, groupsAt, wordsAt, postingsAt, end } = head;
    const places = [documentsEnd, lengthsAt, lengthsEnd, keysAt, groupsAt, wordsAt, postingsAt, end, sealed.length];
    if (places.some((at, n) => at < (places[n - 1] ?? 0))) throw damaged('the head of the search index');
    const rows = head.documents + 1;
    this.keyAt = new Uint32Array(rows);
    this.firstSection = new Uint32Array(rows);
    this.lengths = { title: new Uint32Array(rows), headings: new Uint32Array(rows), body: new Uint32Array(rows) };
    this.documentOf = new Uint32Array(head.sections);
    this.#readDocuments(rows);
    this.sectionLengths = this.#readLengths();
    this.dictionary = new Dictionary(sealed, head);
  }

  key(document: number): string {
    const { keysAt, groupsAt } = this.#head;
    const to = keysAt + (this.keyAt[document + 1] as number);
    if (to > groupsAt) throw damaged('a key of the search index');
    return this.#sealed.slice(keysAt + (this.keyAt[document] as number), to).toString('utf8');
  }

  postings(from: number, to: number): PostingList {
    if (to > this.#head.end) throw damaged('the postings of a word');
    const list = decodePostings(this.#sealed.slice(from, to), this.sections);
    if (list === undefined) throw damaged('the postings of a word');
    return list;
  }

  #readDocuments(rows: number): void {
    const view = dataView(this.#sealed.slice(HEAD_BYTES, HEAD_BYTES + rows * DOCUMENT_BYTES));
    const { title, headings, body } = this.lengths;
    for (let n = 0, end = 0; n < rows; n++) {
      const row = decodeDocument(view, n);
      this.keyAt[n] = row.keyAt;
      this.firstSection[n] = row.section;
      title[n] = row.title;
      headings[n] = row.headings;
      body[n] = row.body;
      if (row.section < end || row.section > this.sections) throw damaged('a row of the search index');
      if (n > 0) this.documentOf.fill(n - 1, end, row.section);
      end = row.section;
    }
  }

  #readLengths(): Float64Array {
    const { lengthsAt } = this.#head;
    const known = Float64Array.from({ length: 256 }, (_, byte) => decodeLength(byte));
    const bytes = this.#sealed.slice(lengthsAt, lengthsAt + this.sections);
    const lengths = new Float64Array(this.sections);
    for (let n = 0; n < lengths.length; n++) lengths[n] = known[bytes[n] as number] as number;
    return lengths;
  }
}

const opened = new WeakMap<Bundle, SearchIndex>();

/** Undefined for a bundle that has no search index. */
export function searchIndexOf(bundle: Bundle): SearchIndex | undefined {
  const known = opened.get(bundle);
  if (known !== undefined) return known;
  const find = bundle.findSection('find');
  const sums = bundle.findSection('sums');
  if (find === undefined || sums === undefined) return undefined;
  const index = new SearchIndex(new Sealed(bundle, find, sums));
  opened.set(bundle, index);
  return index;
}
