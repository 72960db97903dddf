// The words of one text, counted: small, because the cache keeps it for every text, and near to how the
// bundle has it, because every build goes through all of them.

import type { Posting } from '../runtime/search/postings-format.ts';

/** A section is what stands under one heading; the first of a text stands before any. */
export type Counted = {
  /** Its different words, by their numbers in a table that other texts may share. */
  words: { table: readonly string[]; numbers: Uint32Array };
  /** For each word how many postings it has, then those, sections counted from the first of the text. */
  postings: Uint8Array;
  /** How many words the text of each section has. */
  lengths: readonly number[];
  /** How many different words each heading has, added up. */
  headings: number;
};

export function wordsOf({ words: { table, numbers } }: Counted): string[] {
  return Array.from(numbers, (number) => table[number] as string);
}

/** Goes through the postings of one word after the other; is the posting that it stands at. */
export class PostingWalk implements Posting {
  section = 0;
  inHeading = false;
  count = 0;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor({ postings }: Counted) {
    this.#bytes = postings;
  }

  /** To the next word; gives how many postings it has. */
  nextWord(): number {
    this.section = -1;
    return this.#varint();
  }

  next(): void {
    const step = this.#varint();
    const kind = step & 3;
    this.section += (step >> 2) + 1;
    this.inHeading = kind >= 2;
    this.count = kind === 0 ? 1 : kind === 1 ? this.#varint() + 2 : kind === 2 ? 0 : this.#varint() + 1;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

/** One table for many texts; each table that they had is gone through once. */
export class SharedWords {
  readonly table: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #moved = new Map<readonly string[], number[]>();

  /** The numbers of a text's words in the shared table. */
  numbersOf({ table, numbers }: Counted['words']): Uint32Array {
    const known = this.#moved.get(table) ?? [];
    this.#moved.set(table, known);
    return numbers.map((number) => {
      known[number] ??= this.#numberOf(table[number] as string);
      return known[number];
    });
  }

  #numberOf(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.table.push(word) - 1;
      this.#numbers.set(word, number);
    }
    return number;
  }
}
