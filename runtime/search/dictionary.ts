// The words of a bundle in the order of their bytes, read where they lie: a binary search over groups of
// sixteen, then a walk. Nothing is decoded but the words passed on the way, and nothing is made for each.

import { dataView } from '../format.ts';
import { type FindHead, GROUP_BYTES, GROUP_WORDS } from './postings-format.ts';
import type { Sealed } from './sealed.ts';

/** 64 letters of at most three bytes. */
export const MOST_WORD_BYTES = 192;

export class Dictionary {
  readonly sealed: Sealed;
  readonly head: FindHead;
  readonly groups: number;
  readonly #places: DataView;

  constructor(sealed: Sealed, head: FindHead) {
    this.sealed = sealed;
    this.head = head;
    this.groups = Math.ceil(head.words / GROUP_WORDS);
    const end = head.groupsAt + this.groups * GROUP_BYTES;
    if (end > head.wordsAt) throw sealed.damage('the groups of words');
    this.#places = dataView(sealed.slice(head.groupsAt, end));
  }

  /** Where the postings of a word stand. */
  find(word: Buffer): { from: number; to: number } | undefined {
    const walk = this.from(word);
    if (!walk.next() || walk.length !== word.length || !walk.startsWith(word)) return undefined;
    return { from: walk.from, to: walk.to };
  }

  /** A walk whose first step is to `word`, or to the first one after it. */
  from(word: Uint8Array): Walk {
    let low = 0;
    let high = this.groups;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#startsAfter(middle, word)) high = middle;
      else low = middle;
    }
    return new Walk(this, low, word);
  }

  /** The bytes of a group. */
  group(n: number): Buffer {
    const { wordsAt, postingsAt } = this.head;
    const at = n * GROUP_BYTES;
    const end = n + 1 === this.groups ? postingsAt : wordsAt + this.#places.getUint32(at + GROUP_BYTES, true);
    if (end > postingsAt) throw this.sealed.damage('the words');
    return this.sealed.slice(wordsAt + this.#places.getUint32(at, true), end);
  }

  /** Where the postings of its first word start. */
  postingsFrom(n: number): number {
    return this.head.postingsAt + this.#places.getUint32(n * GROUP_BYTES + 4, true);
  }

  /** Whether the first word of a group, which is spelt out, comes after a word. */
  #startsAfter(n: number, word: Uint8Array): boolean {
    const bytes = this.group(n);
    const low = bytes[1] ?? 0;
    const length = low < 0x80 ? low : (low & 0x7f) | ((bytes[2] ?? 0) << 7);
    const start = low < 0x80 ? 2 : 3;
    if (bytes[0] !== 0 || start + length > bytes.length) throw this.sealed.damage('a word');
    return compare(bytes, start, length, word) > 0;
  }
}

/** A place among the words: after a `next` that was true, a word and where its postings stand. */
export class Walk {
  readonly letters = Buffer.alloc(MOST_WORD_BYTES);
  length = 0;
  from = 0;
  to = 0;
  readonly #dictionary: Dictionary;
  #group: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #left = 0;
  #before: Uint8Array | undefined;

  constructor(dictionary: Dictionary, group: number, first: Uint8Array) {
    this.#dictionary = dictionary;
    this.#group = group;
    this.#before = first;
  }

  /** False at the end. */
  next(): boolean {
    while (this.#step()) {
      if (this.#before !== undefined && compare(this.letters, 0, this.length, this.#before) < 0) continue;
      this.#before = undefined;
      return true;
    }
    return false;
  }

  startsWith(prefix: Uint8Array): boolean {
    return this.length >= prefix.length && compare(this.letters, 0, prefix.length, prefix) === 0;
  }

  word(): string {
    return this.letters.toString('utf8', 0, this.length);
  }

  #step(): boolean {
    if (this.#left === 0 && !this.#nextGroup()) return false;
    this.#left--;
    const same = this.#varint();
    const rest = this.#varint();
    const end = this.#at + rest;
    if (same > this.length || same + rest > MOST_WORD_BYTES || end > this.#bytes.length) throw this.#damage();
    for (let n = same; this.#at < end; n++) this.letters[n] = this.#bytes[this.#at++] as number;
    this.length = same + rest;
    this.from = this.to;
    this.to += this.#varint();
    return true;
  }

  #nextGroup(): boolean {
    const { groups, head } = this.#dictionary;
    if (this.#group >= groups) return false;
    this.#bytes = this.#dictionary.group(this.#group);
    this.to = this.#dictionary.postingsFrom(this.#group);
    this.#left = Math.min(GROUP_WORDS, head.words - this.#group * GROUP_WORDS);
    this.#at = 0;
    this.length = 0;
    this.#group++;
    return true;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw this.#damage();
  }

  #damage(): Error {
    return this.#dictionary.sealed.damage('a word');
  }
}

/** The order of `length` letters from `start` on and a word, by bytes. */
function compare(letters: Uint8Array, start: number, length: number, word: Uint8Array): number {
  const both = Math.min(length, word.length);
  for (let n = 0; n < both; n++) {
    const difference = (letters[start + n] as number) - (word[n] as number);
    if (difference !== 0) return difference;
  }
  return length - word.length;
}
