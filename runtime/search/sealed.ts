// Bytes of the section `find`, each block checked against the table `sums` before it is used. The sums
// stand apart so that a list may run across blocks and still be one slice of the file. Part of the reader,
// which has the checksums already, not of the search that is loaded later.

import { BLOCK_BYTES, BundleError, checksum, type Section } from '../format.ts';
import type { Bytes } from '../map.ts';

export class Sealed {
  readonly length: number;
  readonly #bytes: Bytes;
  readonly #offset: number;
  readonly #sums: { rows: number; row(n: number): number };
  readonly #seed: number;
  /** Blocks found whole; kept for a map only, since a read brings other bytes each time. */
  readonly #whole: Uint8Array;

  constructor(bytes: Bytes, section: Section, sums: { rows: number; row(n: number): number }, seed: number) {
    if (sums.rows !== Math.ceil(section.length / BLOCK_BYTES)) throw this.damage('its size');
    this.length = section.length;
    this.#bytes = bytes;
    this.#offset = section.offset;
    this.#sums = sums;
    this.#seed = seed;
    this.#whole = new Uint8Array(sums.rows);
  }

  slice(from: number, to: number): Buffer {
    if (!(from >= 0 && from <= to && to <= this.length)) throw this.damage('an offset');
    const first = Math.floor(from / BLOCK_BYTES);
    const last = Math.ceil(to / BLOCK_BYTES);
    const start = first * BLOCK_BYTES;
    const bytes = this.#bytes.view(this.#offset + start, Math.min(last * BLOCK_BYTES, this.length) - start);
    for (let n = first; n < last; n++) if (this.#whole[n] !== 1) this.#check(n, bytes, start);
    return bytes.subarray(from - start, to - start);
  }

  /** The error for something of the search index that is not as it should be. */
  damage(what: string): BundleError {
    return new BundleError('damaged', `A check of the search index failed: ${what}.`);
  }

  #check(n: number, bytes: Buffer, start: number): void {
    const at = n * BLOCK_BYTES;
    const block = bytes.subarray(at - start, at - start + BLOCK_BYTES);
    if (checksum(block, this.#seed, this.#offset + at) !== this.#sums.row(n)) throw this.damage(`block ${n}`);
    if (this.#bytes.mapped) this.#whole[n] = 1;
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
