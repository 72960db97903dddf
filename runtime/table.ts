// A table of the bundle: rows of one width in blocks, each block checked when it is first used, so that a
// look-up touches one block and opening a bundle none.

import {
  BLOCK_BYTES,
  BundleError,
  blockIsWhole,
  dataView,
  type RowLayout,
  rowAt,
  type Section,
  tableBlocks,
} from './format.ts';
import type { Bytes } from './map.ts';

/** Checked blocks kept of a table that is read, not mapped: 2 MiB at most. */
const MOST_BLOCKS = 512;

export class Table<Row> {
  readonly rows: number;
  readonly #bytes: Bytes;
  readonly #offset: number;
  readonly #layout: RowLayout<Row>;
  readonly #seed: number;
  readonly #blocks = new Map<number, DataView>();

  constructor(bytes: Bytes, section: Section, layout: RowLayout<Row>, seed: number) {
    if (tableBlocks(section.rows, layout) * BLOCK_BYTES !== section.length) throw damaged('the size of a table');
    this.rows = section.rows;
    this.#bytes = bytes;
    this.#offset = section.offset;
    this.#layout = layout;
    this.#seed = seed;
  }

  row(n: number): Row {
    if (!(n >= 0 && n < this.rows)) throw damaged('a row number');
    return this.#layout.read(this.block(n), rowAt(n, this.#layout));
  }

  /** The block that row `n` stands in. */
  block(n: number): DataView {
    const number = Math.floor(n / this.#layout.perBlock);
    return this.#blocks.get(number) ?? this.#check(number);
  }

  #check(number: number): DataView {
    const offset = this.#offset + number * BLOCK_BYTES;
    const bytes = this.#bytes.view(offset, BLOCK_BYTES);
    const block = dataView(bytes);
    if (!blockIsWhole(block, bytes, this.#seed, offset)) throw damaged(`block ${number} of a table`);
    if (!this.#bytes.mapped && this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear();
    this.#blocks.set(number, block);
    return block;
  }
}

export function damaged(what: string): BundleError {
  return new BundleError('damaged', `A check of ${what} failed.`);
}
