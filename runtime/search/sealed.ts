// Bytes of the section `find`, each block checked against the table `sums` before it is used. The sums
// stand apart so that a list may run across blocks and still be one slice of the file.

import { type Bundle, Table } from '../bundle.ts';
import { BLOCK_BYTES, BundleError, checksum, REFS, type Section } from '../format.ts';

export class Sealed {
  readonly length: number;
  readonly #bundle: Bundle;
  readonly #section: Section;
  readonly #sums: Table<number>;
  /** Blocks found whole; kept for a map only, since a read brings other bytes each time. */
  readonly #whole: Uint8Array;

  constructor(bundle: Bundle, section: Section, sums: Section) {
    this.length = section.length;
    this.#bundle = bundle;
    this.#section = section;
    this.#sums = new Table(bundle.bytes, sums, REFS, bundle.seed);
    if (sums.rows !== Math.ceil(section.length / BLOCK_BYTES)) throw damaged('the size of the search index');
    this.#whole = new Uint8Array(sums.rows);
  }

  slice(from: number, to: number): Buffer {
    if (!(from >= 0 && from <= to && to <= this.length)) throw damaged('an offset of the search index');
    const first = Math.floor(from / BLOCK_BYTES);
    const last = Math.ceil(to / BLOCK_BYTES);
    const start = first * BLOCK_BYTES;
    const bytes = this.#bundle.bytes.view(
      this.#section.offset + start,
      Math.min(last * BLOCK_BYTES, this.length) - start,
    );
    for (let n = first; n < last; n++) this.#check(n, bytes, start);
    return bytes.subarray(from - start, to - start);
  }

  #check(n: number, bytes: Buffer, start: number): void {
    if (this.#whole[n] === 1) return;
    const at = n * BLOCK_BYTES;
    const sum = checksum(
      bytes.subarray(at - start, at - start + BLOCK_BYTES),
      this.#bundle.seed,
      this.#section.offset + at,
    );
    if (sum !== this.#sums.row(n)) throw damaged(`block ${n} of the search index`);
    if (this.#bundle.bytes.mapped) this.#whole[n] = 1;
  }
}

/** The sums of a section that will stand at `offset`. */
export function sumsOf(bytes: Buffer, seed: number, offset: number): number[] {
  const sums: number[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    sums.push(checksum(bytes.subarray(at, at + BLOCK_BYTES), seed, offset + at));
  }
  return sums;
}

export function damaged(what: string): BundleError {
  return new BundleError('damaged', `A check of ${what} failed.`);
}
