// The bundle format in code, both directions: what FORMAT.md says in prose. Nothing here touches a
// file or keeps state; the writer (build/pack.ts) and the reader (bundle.ts) meet only on this page.

import { crc32 } from 'node:zlib';

export const MAJOR = 1;
export const MINOR = 4;
export const BLOCK_BYTES = 4096;
export const DIGEST_BYTES = 32;
export const NOT_LISTED = 0xffffffff;

/** Kinds of section: four ASCII letters, as a big-endian number. */
export const SECTION = {
  look: 0x6c6f6f6b,
  list: 0x6c697374,
  entr: 0x656e7472,
  recs: 0x72656373,
  docs: 0x646f6373,
  path: 0x70617468,
  refs: 0x72656673,
  find: 0x66696e64,
  sums: 0x73756d73,
} as const;

const MAGIC_HIGH = 0x89464742;
const MAGIC_LOW = 0x0d0a1a0a;
const ID_AT = 24;
const DIRECTORY_AT = 64;
const DIRECTORY_ENTRY_BYTES = 32;
const HEADER_CRC_AT = BLOCK_BYTES - 4;
const MAX_SECTIONS = 125;
export const BLOCK_HEAD_BYTES = 16;

export const FLAG = { taken: 1, text: 2, value: 4, paged: 8, group: 16, blob: 32, tooLarge: 64 } as const;
export const DOC = { default: 1, boundary: 2 } as const;
export const CUT = { page: 1, heading: 2, fragment: 3, count: 4, entries: 5, number: 6, instead: 7 } as const;

/** Of a row: its media type stands in its list entry. */
export const AS_LISTED = 0xffff;

/** Media types that a row names by number. */
export const MEDIA_TYPES = ['', 'text/markdown', 'text/plain', 'application/json'] as const;

export type Section = { rows: number; offset: number; length: number };

/** A header to be written, and what a reader keeps of one: sections by the number of their kind. */
export type Header = { id: Buffer; length: number; sections: ReadonlyMap<number, Section> };
export type OpenHeader = { seed: number; sections: ReadonlyMap<number, Section> };

/** What a category or collection is made of: rows of `docs`, rows of `refs`, and the limit of an answer. */
export type Group = { docsFrom: number; docsTo: number; refsFrom: number; refsTo: number; limit: number };

export type Cut = { at: number; rawAt: number; kind: number; level: number; label: string };

const MARK: unique symbol = Symbol.for('fieldguide.bundle-error');

/** Why a bundle cannot be used; the message is a sentence for people. Known by a mark, as Failure is. */
export class BundleError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }
  readonly [MARK] = true;
  readonly kind: 'missing' | 'unreadable' | 'not_a_bundle' | 'wrong_version' | 'wrong_digest' | 'damaged';
  constructor(kind: BundleError['kind'], reason: string) {
    super(reason);
    this.kind = kind;
  }
}

// Numbers wider than 32 bits

export function writeU64(into: Buffer, value: number, at: number): void {
  into.writeUInt32LE(value % 2 ** 32, at);
  into.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4);
}

/** May exceed 2^53 in a damaged file; callers bound it before use. */
export function readU64(from: DataView, at: number): number {
  return from.getUint32(at, true) + from.getUint32(at + 4, true) * 2 ** 32;
}

/** Reading goes through DataView: a builtin, so a first read compiles nothing. */
export function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Checksums

/** The part of every seed that a bundle's id gives; `head` is the id, or a header block from its id on. */
export function idSeed(id: DataView, at = 0): number {
  return (id.getUint32(at, true) ^ id.getUint32(at + 4, true)) >>> 0;
}

export function checksum(bytes: Uint8Array, seed: number, offset: number): number {
  return crc32(bytes, (seed ^ offset ^ Math.imul(Math.floor(offset / 2 ** 32), 0x9e3779b1)) >>> 0);
}

export function hashKey(key: string): number {
  return crc32(key);
}

// Header block

export function encodeHeader(header: Header): Buffer {
  if (header.sections.size > MAX_SECTIONS) throw new Error('too many sections');
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeUInt32BE(MAGIC_HIGH, 0);
  block.writeUInt32BE(MAGIC_LOW, 4);
  block.writeUInt16LE(MAJOR, 8);
  block.writeUInt16LE(MINOR, 10);
  block.writeUInt32LE(header.sections.size, 12);
  writeU64(block, header.length, 16);
  header.id.copy(block, ID_AT, 0, 8);
  let at = DIRECTORY_AT;
  for (const [kind, section] of header.sections) {
    block.writeUInt32BE(kind, at);
    block.writeUInt32LE(section.rows, at + 4);
    writeU64(block, section.offset, at + 8);
    writeU64(block, section.length, at + 16);
    at += DIRECTORY_ENTRY_BYTES;
  }
  block.writeUInt32LE(crc32(block.subarray(0, HEADER_CRC_AT)), HEADER_CRC_AT);
  return block;
}

/** Reads a header block of a file of `fileLength` bytes; throws BundleError. */
export function decodeHeader(block: Uint8Array, fileLength: number): OpenHeader {
  const view = dataView(block);
  if (block.length < 12 || view.getUint32(0) !== MAGIC_HIGH || view.getUint32(4) !== MAGIC_LOW) {
    throw new BundleError('not_a_bundle', 'It does not start as a bundle does.');
  }
  const whole = block.length === BLOCK_BYTES;
  if (whole && view.getUint32(HEADER_CRC_AT, true) !== crc32(block.subarray(0, HEADER_CRC_AT))) {
    throw new BundleError('damaged', 'The checksum of its header is wrong.');
  }
  const major = view.getUint16(8, true);
  if (major !== MAJOR) {
    throw new BundleError('wrong_version', `It has format version ${major}; this program reads version ${MAJOR}.`);
  }
  if (!whole || readU64(view, 16) !== fileLength) {
    throw new BundleError('damaged', 'It is shorter or longer than its header says.');
  }
  const count = view.getUint32(12, true);
  if (count > MAX_SECTIONS) throw new BundleError('damaged', 'Its header names too many sections.');
  const sections = new Map<number, Section>();
  for (let at = DIRECTORY_AT; at < DIRECTORY_AT + count * DIRECTORY_ENTRY_BYTES; at += DIRECTORY_ENTRY_BYTES) {
    const section = {
      rows: view.getUint32(at + 4, true),
      offset: readU64(view, at + 8),
      length: readU64(view, at + 16),
    };
    if (section.offset < BLOCK_BYTES || section.offset + section.length > fileLength - DIGEST_BYTES) {
      throw new BundleError('damaged', 'One of its sections lies outside the file.');
    }
    sections.set(view.getUint32(at), section);
  }
  return { seed: idSeed(view, ID_AT), sections };
}

// Tables

/** How rows of one kind are laid out; rows.ts has the instances. */
export type RowLayout<Row> = {
  bytes: number;
  perBlock: number;
  write(into: Buffer, at: number, row: Row): void;
  read(from: DataView, at: number): Row;
};

export function tableBlocks(rows: number, rowLayout: { perBlock: number }): number {
  return Math.ceil(rows / rowLayout.perBlock);
}

/** The place of row `n` inside its block. */
export function rowAt(n: number, rowLayout: { bytes: number; perBlock: number }): number {
  return BLOCK_HEAD_BYTES + (n % rowLayout.perBlock) * rowLayout.bytes;
}

/** Rows (undefined: left empty) as a table that will stand at `offset` of the file. */
export function encodeTable<Row>(
  rows: readonly (Row | undefined)[],
  rowLayout: RowLayout<Row>,
  seed: number,
  offset: number,
): Buffer {
  const table = Buffer.alloc(tableBlocks(rows.length, rowLayout) * BLOCK_BYTES);
  for (const [n, row] of rows.entries()) {
    if (row === undefined) continue;
    rowLayout.write(table, Math.floor(n / rowLayout.perBlock) * BLOCK_BYTES + rowAt(n, rowLayout), row);
  }
  for (let at = 0; at < table.length; at += BLOCK_BYTES) {
    table.writeUInt32LE(at / BLOCK_BYTES, at + 4);
    table.writeUInt32LE(checksum(table.subarray(at + 4, at + BLOCK_BYTES), seed, offset + at), at);
  }
  return table;
}

export function blockIsWhole(block: DataView, bytes: Uint8Array, seed: number, offset: number): boolean {
  return block.getUint32(0, true) === checksum(bytes.subarray(4), seed, offset);
}

// Records

/** Where the key starts in a record: after the array's one byte and the string's header. */
export function keyAt(keyLength: number): number {
  return keyLength < 0x20 ? 2 : keyLength < 0x100 ? 3 : 4;
}

/** Whether a record is that of a key. Keys are ASCII, so characters are bytes. */
export function recordHasKey(record: Uint8Array, key: string): boolean {
  const start = keyAt(key.length);
  if (record.length < start + key.length || keyLength(record) !== key.length) return false;
  for (let n = 0; n < key.length; n++) if (record[start + n] !== key.charCodeAt(n)) return false;
  return true;
}

function keyLength(record: Uint8Array): number | undefined {
  const head = record[1] ?? 0;
  const high = record[2] ?? 0;
  if ((head & 0xe0) === 0xa0) return head & 0x1f;
  if (head === 0xd9) return high;
  return head === 0xda ? high * 0x100 + (record[3] ?? 0) : undefined;
}

/** JSON-escaped, without its quotes. Lone surrogates become escapes, so any string is storable. */
export function escapeText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8');
}

export function unescapeText(stored: Buffer): string {
  return JSON.parse(`"${stored.toString('utf8')}"`);
}

// Groups

export const GROUP_BYTES = 20;

export function encodeGroup(group: Group): Buffer {
  const bytes = Buffer.alloc(GROUP_BYTES);
  for (const [n, value] of [group.docsFrom, group.docsTo, group.refsFrom, group.refsTo, group.limit].entries()) {
    bytes.writeUInt32LE(value, n * 4);
  }
  return bytes;
}

export function decodeGroup(bytes: Uint8Array): Group {
  const view = dataView(bytes);
  const [docsFrom, docsTo, refsFrom, refsTo, limit] = [0, 4, 8, 12, 16].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { docsFrom, docsTo, refsFrom, refsTo, limit };
}

// Cuts

const CUT_HEAD_BYTES = 12;

export function encodeCuts(cuts: readonly Cut[]): Buffer {
  return Buffer.concat(
    cuts.map((cut) => {
      const label = Buffer.from(cut.label, 'utf8');
      const head = Buffer.alloc(CUT_HEAD_BYTES);
      head.writeUInt32LE(cut.at, 0);
      head.writeUInt32LE(cut.rawAt, 4);
      head.writeUInt8(cut.kind, 8);
      head.writeUInt8(cut.level, 9);
      head.writeUInt16LE(label.length, 10);
      return Buffer.concat([head, label]);
    }),
  );
}

/** The page cuts, which stand first; all cuts with `every`. Throws RangeError inside a cut that is cut off. */
export function decodeCuts(bytes: Buffer, every: boolean): Cut[] {
  const cuts: Cut[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (!every && bytes.readUInt8(at + 8) !== CUT.page) break;
    const labelLength = bytes.readUInt16LE(at + 10);
    const end = at + CUT_HEAD_BYTES + labelLength;
    if (end > bytes.length) throw new RangeError('cuts end too early');
    cuts.push({
      at: bytes.readUInt32LE(at),
      rawAt: bytes.readUInt32LE(at + 4),
      kind: bytes.readUInt8(at + 8),
      level: bytes.readUInt8(at + 9),
      label: bytes.toString('utf8', at + CUT_HEAD_BYTES, end),
    });
    at = end;
  }
  return cuts;
}
