// The rows of the bundle's tables, both directions: what FORMAT.md says of `look`, `list`, `docs` and `refs`.

import { BLOCK_BYTES, BLOCK_HEAD_BYTES, type RowLayout, readU64, writeU64 } from './format.ts';

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

/** One document of a category: where its path stands, how long its text is. */
export type DocRow = {
  offset: number;
  length: number;
  crc: number;
  rawLength: number;
  category: number;
  flags: number;
  mediaType: number;
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
    hash: from.getUint32(at, true),
    flags: from.getUint16(at + 4, true),
    mediaType: from.getUint16(at + 6, true),
    offset: readU64(from, at + 8),
    length: from.getUint32(at + 16, true),
    textAt: from.getUint32(at + 20, true),
    textLength: from.getUint32(at + 24, true),
    rawLength: from.getUint32(at + 28, true),
    crc: from.getUint32(at + 32, true),
    place: from.getUint32(at + 36, true),
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
    length: from.getUint32(at + 8, true),
    crc: from.getUint32(at + 12, true),
    uriLength: from.getUint32(at + 16, true),
  }),
);

export const DOCS: RowLayout<DocRow> = layout(
  32,
  (into, at, row) => {
    writeU64(into, row.offset, at);
    into.writeUInt32LE(row.length, at + 8);
    into.writeUInt32LE(row.crc, at + 12);
    into.writeUInt32LE(row.rawLength, at + 16);
    into.writeUInt32LE(row.category, at + 20);
    into.writeUInt16LE(row.flags, at + 24);
    into.writeUInt16LE(row.mediaType, at + 26);
  },
  (from, at) => ({
    offset: readU64(from, at),
    length: from.getUint32(at + 8, true),
    crc: from.getUint32(at + 12, true),
    rawLength: from.getUint32(at + 16, true),
    category: from.getUint32(at + 20, true),
    flags: from.getUint16(at + 24, true),
    mediaType: from.getUint16(at + 26, true),
  }),
);

export const REFS: RowLayout<number> = layout(
  4,
  (into, at, row) => into.writeUInt32LE(row, at),
  (from, at) => from.getUint32(at, true),
);

/** The two columns of a look-up row that a search reads before it reads the rest. */
export function lookHash(block: DataView, at: number): number {
  return block.getUint32(at, true);
}

export function lookFlags(block: DataView, at: number): number {
  return block.getUint16(at + 4, true);
}
