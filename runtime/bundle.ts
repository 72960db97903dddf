// From bytes to answers: checks, bounds, looks up. Opening reads one block, whatever the bundle holds;
// a look-up touches one or two table blocks and one record. Whatever fails a check is damage, an
// error; it is never served and never taken for "not there".

import {
  BLOCK_BYTES,
  BundleError,
  type Cut,
  checksum,
  DIGEST_BYTES,
  decodeCuts,
  decodeGroup,
  decodeHeader,
  FLAG,
  type Group,
  hashKey,
  recordHasKey,
  rowAt,
  SECTION,
  type Section,
} from './format.ts';
import type { Bytes } from './map.ts';
import { DOCS, type DocRow, LIST, type ListRow, LOOK, type LookRow, lookFlags, lookHash, REFS } from './rows.ts';
import { Sealed } from './search/sealed.ts';
import { damaged, Table } from './table.ts';

/** A stored text: `stored` is JSON-escaped, without its quotes, ready for an answer. */
export type StoredText = {
  stored: Buffer;
  rawLength: number;
  mediaType: number;
  page: number;
  pages: number;
  /** FLAG.blob: `stored` is base64; FLAG.tooLarge: it is not there, being more than an answer may hold. */
  flags: number;
  /** Live data was laid over it. */
  isLive?: true;
};

/** Where answers take their texts from: the bundle, or what lies over it. */
export type Texts = { findText(key: string, page?: number): StoredText | undefined };

/** A text with everything that is marked in it. */
export type Whole = { stored: Buffer; cuts: Cut[] };

export type ListEntry = { json: Buffer; uri: string };

/** Keys in a row, and keys of one hash, beyond which a table was not made by the compiler. */
const MOST_PROBES = 10_000;
const MOST_TWINS = 16;

/** Escaped text has none; one in a crafted bundle would start a line of its own on the wire. */
const NEWLINE = 10;

export class Bundle implements Texts {
  readonly bytes: Bytes;
  readonly #sections: ReadonlyMap<number, Section>;
  readonly #seed: number;
  readonly #look: Table<LookRow>;
  readonly #list: Table<ListRow>;
  readonly #entries: Section;
  #checkedPaths: Uint8Array | undefined;
  #guideTables: { docs: Table<DocRow>; refs: Table<number> } | undefined;

  /** Throws BundleError. The bundle owns the bytes from here on. */
  constructor(bytes: Bytes) {
    this.bytes = bytes;
    const { seed, sections } = decodeHeader(bytes.view(0, Math.min(BLOCK_BYTES, bytes.length)), bytes.length);
    this.#seed = seed;
    this.#sections = sections;
    this.#look = new Table(bytes, this.#section('look'), LOOK, seed);
    this.#list = new Table(bytes, this.#section('list'), LIST, seed);
    this.#entries = this.#section('entr');
  }

  get listLength(): number {
    return this.#list.rows;
  }

  /** The sha256 the bundle states of itself; `fieldguide verify` proves it. */
  get digest(): string {
    return this.bytes.view(this.bytes.length - DIGEST_BYTES, DIGEST_BYTES).toString('hex');
  }

  /** The row of a key, its record checked; undefined only when every block asked was whole. */
  find(key: string): { row: LookRow; record: Buffer } | undefined {
    const hash = hashKey(key);
    const { rows } = this.#look;
    let twins = 0;
    for (let n = hash % rows, probes = 0; probes < rows; n = (n + 1) % rows, probes++) {
      const block = this.#look.block(n);
      const at = rowAt(n, LOOK);
      if (lookFlags(block, at) === 0) return undefined;
      if (probes > MOST_PROBES || twins > MOST_TWINS) throw damaged('its look-up table');
      if (lookHash(block, at) !== hash) continue;
      twins++;
      const row = LOOK.read(block, at);
      const record = this.record(row);
      if (recordHasKey(record, key)) return { row, record };
    }
    return undefined;
  }

  /** The bytes of a record, checked against its row. */
  record(row: LookRow): Buffer {
    if (row.length < 2 || row.textAt + row.textLength > row.length) throw damaged('a row of its table');
    const record = this.#view(row.offset, row.length);
    if (checksum(record, this.#seed, row.offset) !== row.crc) throw damaged('a record');
    return record;
  }

  /** A text, or one page of it (1 is the first); undefined when there is no such key, page or text. */
  findText(key: string, page = 1): StoredText | undefined {
    const found = this.find(key);
    if (found === undefined || (found.row.flags & FLAG.text) === 0) return undefined;
    const { row, record } = found;
    const whole = record.subarray(row.textAt, row.textAt + row.textLength);
    if (whole.includes(NEWLINE)) throw damaged('a text');
    if ((row.flags & FLAG.paged) === 0) {
      if (page !== 1) return undefined;
      const { rawLength, mediaType, flags } = row;
      return { stored: whole, rawLength, mediaType, flags, page: 1, pages: 1 };
    }
    const starts = cutsOf(row, record, false);
    if (starts.length === 0) throw damaged('the cuts of a text');
    const from = starts[page - 1];
    if (from === undefined) return undefined;
    const to = starts[page] ?? { at: row.textLength, rawAt: row.rawLength };
    return {
      stored: whole.subarray(from.at, to.at),
      rawLength: to.rawAt - from.rawAt,
      mediaType: row.mediaType,
      flags: row.flags,
      page,
      pages: starts.length,
    };
  }

  /** How many pages a text has; 0 when there is no such text. */
  pages(key: string): number {
    return this.findText(key)?.pages ?? 0;
  }

  /** A text as it is stored, all pages of it, with everything that is marked in it. */
  findWhole(key: string): Whole | undefined {
    const found = this.find(key);
    if (found === undefined || (found.row.flags & FLAG.text) === 0) return undefined;
    const { row, record } = found;
    return { stored: record.subarray(row.textAt, row.textAt + row.textLength), cuts: cutsOf(row, record, true) };
  }

  /** The bytes of the search index; undefined in a bundle without one. */
  findSearch(): Sealed | undefined {
    const find = this.#sections.get(SECTION.find);
    if (find === undefined) return undefined;
    return new Sealed(this.bytes, find, new Table(this.bytes, this.#section('sums'), REFS, this.#seed), this.#seed);
  }

  /** The bytes of a value record, to be decoded by value.ts. */
  findValueRecord(key: string): Buffer | undefined {
    const found = this.find(key);
    return found !== undefined && (found.row.flags & FLAG.value) !== 0 ? found.record : undefined;
  }

  /** What a category or collection is made of. */
  findGroup(key: string): Group | undefined {
    const found = this.find(key);
    if (found === undefined || (found.row.flags & FLAG.group) === 0) return undefined;
    const group = decodeGroup(found.record.subarray(found.row.textAt, found.row.textAt + found.row.textLength));
    const { docs, refs } = this.#guide();
    const fits = group.docsFrom <= group.docsTo && group.docsTo <= docs.rows && group.refsFrom <= group.refsTo;
    if (!fits || group.refsTo > refs.rows) throw damaged('a category');
    return group;
  }

  /** How many documents and references the guide's tables have; none in a bundle without a guide. */
  guideSize(): { documents: number; references: number } {
    if (!this.#sections.has(SECTION.docs)) return { documents: 0, references: 0 };
    const { docs, refs } = this.#guide();
    return { documents: docs.rows, references: refs.rows };
  }

  document(n: number): DocRow {
    return this.#guide().docs.row(n);
  }

  /** The path of a document in its category, as UTF-8; checked, if it is mapped only when it is first used. */
  documentPath(n: number): Buffer {
    const { offset, length, crc } = this.document(n);
    const path = this.#view(offset, length);
    if (this.#checkedPaths?.[n] === 1) return path;
    if (checksum(path, this.#seed, offset) !== crc) throw damaged('a path');
    if (this.bytes.mapped) {
      this.#checkedPaths ??= new Uint8Array(this.#guide().docs.rows);
      this.#checkedPaths[n] = 1;
    }
    return path;
  }

  reference(n: number): number {
    return this.#guide().refs.row(n);
  }

  #guide(): { docs: Table<DocRow>; refs: Table<number> } {
    this.#guideTables ??= {
      docs: new Table(this.bytes, this.#section('docs'), DOCS, this.#seed),
      refs: new Table(this.bytes, this.#section('refs'), REFS, this.#seed),
    };
    return this.#guideTables;
  }

  /** One entry of the resource list, checked. */
  entry(n: number): ListEntry {
    const row = this.#entryRow(n);
    const json = this.#view(row.offset, row.length);
    if (json.includes(NEWLINE)) throw damaged('its list');
    return { json, uri: json.toString('latin1', 8, 8 + row.uriLength) };
  }

  /** The entries from `first` up to, not including, `end` as one slice of JSON, commas between. */
  entries(first: number, end: number): Buffer {
    if (first >= end) return Buffer.alloc(0);
    const start = this.#entryRow(first).offset;
    let stop = start;
    for (let n = first; n < end; n++) {
      const row = this.#entryRow(n);
      if (row.offset !== (n === first ? start : stop + 1)) throw damaged('its list');
      stop = row.offset + row.length;
    }
    const run = this.#view(start, stop - start);
    if (run.includes(NEWLINE)) throw damaged('its list');
    return run;
  }

  /** Every row of the look-up table in use, block by block; a damaged block is given to `onDamage`. */
  *lookRows(onDamage: (where: string) => void): Generator<LookRow> {
    for (let n = 0; n < this.#look.rows; n++) {
      try {
        const row = this.#look.row(n);
        if (row.flags !== 0) yield row;
      } catch (error) {
        onDamage((error as Error).message);
        n += LOOK.perBlock - 1 - (n % LOOK.perBlock);
      }
    }
  }

  close(): void {
    this.bytes.close();
  }

  #entryRow(n: number): ListRow {
    const row = this.#list.row(n);
    const end = row.offset + row.length + 1;
    if (row.offset < this.#entries.offset || end > this.#entries.offset + this.#entries.length)
      throw damaged('its list');
    if (checksum(this.#view(row.offset, row.length + 1), this.#seed, row.offset) !== row.crc) throw damaged('its list');
    return row;
  }

  #section(kind: keyof typeof SECTION): Section {
    const found = this.#sections.get(SECTION[kind]);
    if (found === undefined) throw new BundleError('damaged', `It has no section ${kind}.`);
    return found;
  }

  #view(offset: number, length: number): Buffer {
    try {
      return this.bytes.view(offset, length);
    } catch (error) {
      if (error instanceof RangeError) throw damaged('an offset');
      throw error;
    }
  }
}

/** The page cuts of a text record, or all its cuts. */
export function cutsOf(row: LookRow, record: Buffer, every: boolean): Cut[] {
  try {
    const at = row.textAt + row.textLength;
    const head = { 196: 2, 197: 3, 198: 5 }[record.readUInt8(at)];
    if (head === undefined) throw damaged('the cuts of a text');
    return decodeCuts(record.subarray(at + head), every);
  } catch (error) {
    if (error instanceof RangeError) throw damaged('the cuts of a text');
    throw error;
  }
}
