// The words of a bundle in the order of their bytes, read where they lie: a binary search over groups of
// sixteen, then a walk. Nothing is decoded but the words passed on the way.

import { dataView } from '../format.ts';
import { type FindHead, GROUP_BYTES, GROUP_WORDS } from './postings-format.ts';
import type { Sealed } from './sealed.ts';

/** A word as UTF-8, valid until the walk goes on, and where its postings stand in the section. */
export type DictionaryWord = { letters: Uint8Array; length: number; from: number; to: number };

/** 64 letters of at most three bytes. */
const MOST_WORD_BYTES = 192;

export class Dictionary {
  readonly #sealed: Sealed;
  readonly #head: FindHead;
  readonly #groups: number;
  readonly #places: DataView;

  constructor(sealed: Sealed, head: FindHead) {
    this.#sealed = sealed;
    this.#head = head;
    this.#groups = Math.ceil(head.words / GROUP_WORDS);
    const end = head.groupsAt + this.#groups * GROUP_BYTES;
    if (end > head.wordsAt) throw sealed.damage('the groups of words');
    this.#places = dataView(sealed.slice(head.groupsAt, end));
  }

  find(word: Buffer): { from: number; to: number } | undefined {
    for (const { letters, length, from, to } of this.from(word)) {
      return length === word.length && compare(letters, length, word) === 0 ? { from, to } : undefined;
    }
    return undefined;
  }

  /** The words from `word` on, in order. */
  *from(word: Buffer): Generator<DictionaryWord> {
    let low = 0;
    let high = this.#groups;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#startsAfter(middle, word)) high = middle;
      else low = middle;
    }
    const letters = new Uint8Array(MOST_WORD_BYTES);
    let passed = false;
    for (let n = low; n < this.#groups; n++) {
      for (const entry of this.#group(n, letters)) {
        passed ||= compare(entry.letters, entry.length, word) >= 0;
        if (passed) yield entry;
      }
    }
  }

  /** The words that start so. */
  *startingWith(prefix: Buffer): Generator<DictionaryWord> {
    for (const entry of this.from(prefix)) {
      if (entry.length < prefix.length || compare(entry.letters, prefix.length, prefix) !== 0) return;
      yield entry;
    }
  }

  /** Whether the first word of a group, which is spelt out, comes after a word. */
  #startsAfter(n: number, word: Buffer): boolean {
    const { bytes } = this.#groupBytes(n);
    const low = bytes[1] ?? 0;
    const length = low < 0x80 ? low : (low & 0x7f) | ((bytes[2] ?? 0) << 7);
    const start = low < 0x80 ? 2 : 3;
    if (bytes[0] !== 0 || start + length > bytes.length) throw this.#sealed.damage('a word');
    return compare(bytes.subarray(start), length, word) > 0;
  }

  #groupBytes(n: number): { bytes: Buffer; postingsFrom: number } {
    const { wordsAt, postingsAt } = this.#head;
    const at = n * GROUP_BYTES;
    const end = n + 1 === this.#groups ? postingsAt : wordsAt + this.#places.getUint32(at + GROUP_BYTES, true);
    if (end > postingsAt) throw this.#sealed.damage('the words');
    const bytes = this.#sealed.slice(wordsAt + this.#places.getUint32(at, true), end);
    return { bytes, postingsFrom: postingsAt + this.#places.getUint32(at + 4, true) };
  }

  *#group(n: number, letters: Uint8Array): Generator<DictionaryWord> {
    const { bytes, postingsFrom } = this.#groupBytes(n);
    let place = 0;
    let from = postingsFrom;
    const varint = (): number => {
      let value = 0;
      for (let shift = 0; shift < 28; shift += 7) {
        const byte = bytes[place++];
        if (byte === undefined) break;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
      throw this.#sealed.damage('a word');
    };
    const count = Math.min(GROUP_WORDS, this.#head.words - n * GROUP_WORDS);
    for (let k = 0, before = 0; k < count; k++) {
      const same = varint();
      const rest = varint();
      const length = same + rest;
      if (same > before || length > MOST_WORD_BYTES || place + rest > bytes.length) throw this.#sealed.damage('a word');
      for (let j = 0; j < rest; j++) letters[same + j] = bytes[place + j] as number;
      place += rest;
      const to = from + varint();
      yield { letters, length, from, to };
      from = to;
      before = length;
    }
  }
}

/** The order of the first `length` letters and a word, by bytes. */
function compare(letters: Uint8Array, length: number, word: Uint8Array): number {
  const both = Math.min(length, word.length);
  for (let n = 0; n < both; n++) {
    const difference = (letters[n] as number) - (word[n] as number);
    if (difference !== 0) return difference;
  }
  return length - word.length;
}
