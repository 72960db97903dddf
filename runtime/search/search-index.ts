// The search index of one bundle, opened on its first search: counts, lengths and keys of the searchable
// texts. What one agent may see of it is a view of its own, in which nothing else leaves a trace: words,
// counts and averages are those of a bundle that never held the rest.

import type { Bundle } from '../bundle.ts';
import { dataView } from '../format.ts';
import { Dictionary } from './dictionary.ts';
import {
  DOCUMENT_BYTES,
  decodeHead,
  decodePostings,
  documentColumn,
  type FindHead,
  HEAD_BYTES,
  type PostingList,
  type PostingRoom,
} from './postings-format.ts';
import type { Sealed } from './sealed.ts';

export class SearchIndex {
  readonly dictionary: Dictionary;
  readonly documents: number;
  readonly sections: number;
  /** By document, and one more: where its key and its sections start. */
  readonly keyAt: Uint32Array;
  readonly firstSection: Uint32Array;
  /** By document how many words a field has, and after the last one all of them. */
  readonly lengths: { title: Uint32Array; headings: Uint32Array; body: Uint32Array };
  readonly documentOf: Uint32Array;
  /** By section, about how many words it has, as a byte for LENGTHS. */
  readonly sectionLengths: Uint8Array;
  readonly #sealed: Sealed;
  readonly #head: FindHead;

  /** Throws BundleError. */
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
    if (places.some((at, n) => at < (places[n - 1] ?? 0))) throw sealed.damage('its head');
    const rows = head.documents + 1;
    const table = sealed.slice(HEAD_BYTES, documentsEnd);
    this.keyAt = documentColumn(table, rows, 'keyAt');
    this.firstSection = documentColumn(table, rows, 'section');
    this.lengths = {
      title: documentColumn(table, rows, 'title'),
      headings: documentColumn(table, rows, 'headings'),
      body: documentColumn(table, rows, 'body'),
    };
    this.documentOf = this.#documentsOf();
    this.sectionLengths = sealed.slice(lengthsAt, lengthsEnd);
    this.dictionary = new Dictionary(sealed, head);
  }

  key(document: number): string {
    const { keysAt, groupsAt } = this.#head;
    const to = keysAt + (this.keyAt[document + 1] as number);
    if (to > groupsAt) throw this.damage('a key');
    return this.#sealed.slice(keysAt + (this.keyAt[document] as number), to).toString('utf8');
  }

  /** In a `room` the list lasts until the next one. */
  postings(from: number, to: number, room?: PostingRoom): PostingList {
    if (to > this.#head.end) throw this.damage('the postings of a word');
    const list = decodePostings(this.#sealed.slice(from, to), this.documentOf, room);
    if (list === undefined) throw this.damage('the postings of a word');
    return list;
  }

  damage(what: string): Error {
    return this.#sealed.damage(what);
  }

  #documentsOf(): Uint32Array {
    const documents = new Uint32Array(this.sections);
    let before = 0;
    for (let n = 1; n <= this.documents; n++) {
      const end = this.firstSection[n] as number;
      if (end < before || end > this.sections) throw this.damage('the sections of a text');
      documents.fill(n - 1, before, end);
      before = end;
    }
    return documents;
  }
}

const opened = new WeakMap<Bundle, SearchIndex>();

/** Undefined for a bundle that has no search index. */
export function searchIndexOf(bundle: Bundle): SearchIndex | undefined {
  const known = opened.get(bundle);
  if (known !== undefined) return known;
  const sealed = bundle.findSearch();
  if (sealed === undefined) return undefined;
  const index = new SearchIndex(sealed);
  opened.set(bundle, index);
  return index;
}
