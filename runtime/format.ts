// The bundle format in code, both directions: what FORMAT.md says in prose. Nothing here touches a
// file or keeps state; the writer (build/pack.ts) and the reader (bundle.ts) meet only on this page.

import { crc32 } from 'node:zlib';

export const MAGIC = Buffer.from([0x89, 0x46, 0x47, 0x42, 0x0d, 0x0a, 0x1a, 0x0a]);
export const MAJOR = 1;
export const MINOR = 0;
export const BLOCK_BYTES = 4096;
export const DIGEST_BYTES = 32;
export const NOT_LISTED = 0xffffffff;

const DIRECTORY_AT = 64;
const DIRECTORY_ENTRY_BYTES = 32;
const HEADER_CRC_AT = BLOCK_BYTES - 4;
const MAX_SECTIONS = 125;
const BLOCK_HEAD_BYTES = 16;

export const FLAG = { taken: 1, text: 2, value: 4, paged: 8 } as const;
export const CUT = { page: 1, heading: 2, fragment: 3 } as const;

/** Media types that a row names by number; any other stands in the list entry. */
export const MEDIA_TYPES = ['', 'text/markdown', 'text/plain', 'application/json'] as const;

export type Section = { kind: string; rows: number; offset: number; length: number };
export type Header = { id: Buffer; length: number; sections: Section[] };

export type LookRow = {
  hash: number;
  flags: number;
  mediaType: number;
  offset: number;
  length: number;
  textAt: number;
  textLength: number;
  rawLength: number;
  crc: number;
  place: number;
};

export type ListRow = { offset: number; length: number; crc: number; uriLength: number };

export type Cut = { at: number; rawAt: number; kind: number; level: number; label: string };

/** Why a bundle cannot be used; the message is a sentence for people. */
export class BundleError extends Error {
  readonly kind: 'missing' | 'unreadable' | 'not_a_bundle' | 'wrong_version' | 'damaged';
  constructor(kind: BundleError['kind'], reason: string) {
    super(reason);
    this.kind = kind;
  }
}

// Numbers wider than 32 bits

function writeU64(into: Buffer, value: number, at: number): void {
  into.writeUInt32LE(value % 2 ** 32, at);
  into.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4);
}

/** May exceed 2^53 in a damaged file; callers bound it before use. */
function readU64(from: Buffer, at: number): number {
  return from.readUInt32LE(at) + from.readUInt32LE(at + 4) * 2 ** 32;
}

// Checksums

export function idSeed(id: Buffer): number {
  return (id.readUInt32LE(0) ^ id.readUInt32LE(4)) >>> 0;
}

export function checksum(bytes: Uint8Array, seed: number, offset: number): number {
  return crc32(bytes, (seed ^ offset ^ Math.imul(Math.floor(offset / 2 ** 32), 0x9e3779b1)) >>> 0);
}

export function hashKey(key: string): number {
  return crc32(key);
}

// Header block

export function encodeHeader(header: Header): Buffer {
  if (header.sections.length > MAX_SECTIONS) throw new Error('too many sections');
  const block = Buffer.alloc(BLOCK_BYTES);
  MAGIC.copy(block, 0);
  block.writeUInt16LE(MAJOR, 8);
  block.writeUInt16LE(MINOR, 10);
  block.writeUInt32LE(header.sections.length, 12);
  writeU64(block, header.length, 16);
  header.id.copy(block, 24, 0, 8);
  for (const [n, section] of header.sections.entries()) {
    const at = DIRECTORY_AT + n * DIRECTORY_ENTRY_BYTES;
    block.write(section.kind, at, 4, 'latin1');
    block.writeUInt32LE(section.rows, at + 4);
    writeU64(block, section.offset, at + 8);
    writeU64(block, section.length, at + 16);
  }
  block.writeUInt32LE(crc32(block.subarray(0, HEADER_CRC_AT)), HEADER_CRC_AT);
  return block;
}

/** Reads a header block of a file of `fileLength` bytes; throws BundleError. */
export function decodeHeader(block: Buffer, fileLength: number): Header {
  if (block.length < 12 || block.compare(MAGIC, 0, MAGIC.length, 0, MAGIC.length) !== 0) {
    throw new BundleError('not_a_bundle', 'It does not start as a bundle does.');
  }
  const major = block.readUInt16LE(8);
  if (block.length === BLOCK_BYTES && block.readUInt32LE(HEADER_CRC_AT) !== crc32(block.subarray(0, HEADER_CRC_AT))) {
    throw new BundleError('damaged', 'The checksum of its header is wrong.');
  }
  if (major !== MAJOR) {
    throw new BundleError('wrong_version', `It has format version ${major}; this program reads version ${MAJOR}.`);
  }
  if (block.length < BLOCK_BYTES || readU64(block, 16) !== fileLength) {
    throw new BundleError('damaged', 'It is shorter or longer than its header says.');
  }
  const count = block.readUInt32LE(12);
  if (count > MAX_SECTIONS) throw new BundleError('damaged', 'Its header names too many sections.');
  const sections: Section[] = [];
  for (let n = 0; n < count; n++) {
    const at = DIRECTORY_AT + n * DIRECTORY_ENTRY_BYTES;
    const section = {
      kind: block.toString('latin1', at, at + 4),
      rows: block.readUInt32LE(at + 4),
      offset: readU64(block, at + 8),
      length: readU64(block, at + 16),
    };
    if (section.offset < BLOCK_BYTES || section.offset + section.length > fileLength - DIGEST_BYTES) {
      throw new BundleError('damaged', `Its section ${JSON.stringify(section.kind)} lies outside the file.`);
    }
    sections.push(section);
  }
  return { id: Buffer.from(block.subarray(24, 32)), length: fileLength, sections };
}

// Tables

/** How rows of one kind are laid out; `look` and `list` are the two instances. */
export type RowLayout<Row> = {
  bytes: number;
  perBlock: number;
  write(into: Buffer, at: number, row: Row): void;
  read(from: Buffer, at: number): Row;
};

function layout<Row>(bytes: number, write: RowLayout<Row>['write'], read: RowLayout<Row>['read']): RowLayout<Row> {
  return { bytes, perBlock: Math.floor((BLOCK_BYTES - BLOCK_HEAD_BYTES) / bytes), write, read };
}

export const LOOK: RowLayout<LookRow> = layout(
  40,
  (into, at, row) => {
    into.writeUInt32LE(row.hash, at);
    into.writeUInt16LE(row.flags, at + 4);
    into.writeUInt16LE(row.mediaType, at + 6);
    writeU64(into, row.offset, at + 8);
    into.writeUInt32LE(row.length, at + 16);
    into.writeUInt32LE(row.textAt, at + 20);
    into.writeUInt32LE(row.textLength, at + 24);
    into.writeUInt32LE(row.rawLength, at + 28);
    into.writeUInt32LE(row.crc, at + 32);
    into.writeUInt32LE(row.place, at + 36);
  },
  (from, at) => ({
    hash: from.readUInt32LE(at),
    flags: from.readUInt16LE(at + 4),
    mediaType: from.readUInt16LE(at + 6),
    offset: readU64(from, at + 8),
    length: from.readUInt32LE(at + 16),
    textAt: from.readUInt32LE(at + 20),
    textLength: from.readUInt32LE(at + 24),
    rawLength: from.readUInt32LE(at + 28),
    crc: from.readUInt32LE(at + 32),
    place: from.readUInt32LE(at + 36),
  }),
);

export const LIST: RowLayout<ListRow> = layout(
  24,
  (into, at, row) => {
    writeU64(into, row.offset, at);
    into.writeUInt32LE(row.length, at + 8);
    into.writeUInt32LE(row.crc, at + 12);
    into.writeUInt32LE(row.uriLength, at + 16);
  },
  (from, at) => ({
    offset: readU64(from, at),
    length: from.readUInt32LE(at + 8),
    crc: from.readUInt32LE(at + 12),
    uriLength: from.readUInt32LE(at + 16),
  }),
);

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

export function blockIsWhole(block: Buffer, seed: number, offset: number): boolean {
  return block.readUInt32LE(0) === checksum(block.subarray(4), seed, offset);
}

// Records

/** The bytes of msgpack's header of a string or bin of `length` bytes, as msgpackr writes it. */
export function stringHeadBytes(length: number): number {
  return length < 0x20 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 5;
}

/** Where the key starts in a record: after the array's one byte and the string's header. */
export function keyAt(keyLength: number): number {
  return 1 + stringHeadBytes(keyLength);
}

/** JSON-escaped, without its quotes. Lone surrogates become escapes, so any string is storable. */
export function escapeText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8');
}

export function unescapeText(stored: Buffer): string {
  return JSON.parse(`"${stored.toString('utf8')}"`);
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

/** Throws RangeError when the bytes end inside a cut. */
export function decodeCuts(bytes: Buffer): Cut[] {
  const cuts: Cut[] = [];
  for (let at = 0; at < bytes.length; ) {
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
