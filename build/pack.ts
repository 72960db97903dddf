// Tables to bytes, by runtime/format.ts: where each thing lies, its checksum, its row. The same tables
// always give the same bytes.

import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import {
  BLOCK_BYTES,
  checksum,
  DIGEST_BYTES,
  dataView,
  encodeGroup,
  encodeHeader,
  encodeTable,
  FLAG,
  GROUP_BYTES,
  hashKey,
  idSeed,
  keyAt,
  NOT_LISTED,
  SECTION,
  type Section,
  tableBlocks,
} from '../runtime/format.ts';
import { DOCS, type DocRow, LIST, type ListRow, LOOK, type LookRow, REFS } from '../runtime/rows.ts';
import { sumsOf } from '../runtime/search/sealed.ts';
import type { Tables } from './tabulate.ts';

/** Rows of the look-up table for each key: two probes on average, and one block. */
const ROOM = 1.4;

type PackedRecord = { bytes: Buffer; row: Omit<LookRow, 'offset' | 'crc' | 'place'>; key: string };

export function pack(tables: Tables): Buffer {
  const records = packRecords(tables);
  const id = contentId(records, tables);
  const seed = idSeed(dataView(id));
  const entries = Buffer.concat(
    tables.list.flatMap(({ json }, n) => [json, Buffer.from(n === tables.list.length - 1 ? '\n' : ',')]),
  );
  const lookRows = Math.max(LOOK.perBlock, Math.ceil(records.length * ROOM));

  let end = BLOCK_BYTES;
  const sections = new Map<number, Section>();
  const place = (kind: keyof typeof SECTION, rows: number, length: number): Section => {
    const section = { rows, offset: end, length };
    sections.set(SECTION[kind], section);
    end = Math.ceil((end + length) / BLOCK_BYTES) * BLOCK_BYTES;
    return section;
  };
  const look = place('look', lookRows, tableBlocks(lookRows, LOOK) * BLOCK_BYTES);
  const list = place('list', tables.list.length, tableBlocks(tables.list.length, LIST) * BLOCK_BYTES);
  const entr = place('entr', 0, entries.length);
  const docs = place('docs', tables.documents.length, tableBlocks(tables.documents.length, DOCS) * BLOCK_BYTES);
  const refs = place('refs', tables.references.length, tableBlocks(tables.references.length, REFS) * BLOCK_BYTES);
  const paths = Buffer.concat(tables.documents.map((document) => document.path));
  const path = place('path', 0, paths.length);
  const index = tables.find ?? Buffer.alloc(0);
  const find = tables.find && place('find', 0, index.length);
  const sumRows = Math.ceil(index.length / BLOCK_BYTES);
  const sums = tables.find && place('sums', sumRows, tableBlocks(sumRows, REFS) * BLOCK_BYTES);
  const recs = place(
    'recs',
    0,
    records.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );

  const file = Buffer.alloc(end + DIGEST_BYTES);
  encodeHeader({ id, length: file.length, sections }).copy(file, 0);
  const places = new Map(tables.list.map(({ uri }, n) => [uri, n]));
  encodeTable(layRecords(records, lookRows, places, file, recs.offset, seed), LOOK, seed, look.offset).copy(
    file,
    look.offset,
  );
  encodeTable(layEntries(tables, entries, entr.offset, seed), LIST, seed, list.offset).copy(file, list.offset);
  entries.copy(file, entr.offset);
  encodeTable(layDocuments(tables, paths, path.offset, seed), DOCS, seed, docs.offset).copy(file, docs.offset);
  encodeTable(tables.references, REFS, seed, refs.offset).copy(file, refs.offset);
  paths.copy(file, path.offset);
  if (find !== undefined && sums !== undefined) {
    index.copy(file, find.offset);
    encodeTable(sumsOf(index, seed, find.offset), REFS, seed, sums.offset).copy(file, sums.offset);
  }
  createHash('sha256').update(file.subarray(0, end)).digest().copy(file, end);
  return file;
}

function packRecords(tables: Tables): PackedRecord[] {
  const packr = new Packr({ useRecords: false });
  const texts = tables.texts.map(({ key, stored, rawLength, cuts, paged, mediaType, blob }): PackedRecord => {
    const bytes = Buffer.from(packr.pack([key, stored, cuts]));
    const textAt = keyAt(key.length) + key.length + (stored.length < 0x100 ? 2 : stored.length < 0x10000 ? 3 : 5);
    const flags =
      FLAG.taken |
      FLAG.text |
      (paged ? FLAG.paged : 0) |
      (blob === undefined ? 0 : FLAG.blob) |
      (blob === 'too large' ? FLAG.tooLarge : 0);
    const row = {
      hash: hashKey(key),
      flags,
      mediaType,
      length: bytes.length,
      textAt,
      textLength: stored.length,
      rawLength,
    };
    return { bytes, row, key };
  });
  const values = tables.values.map(({ key, value }): PackedRecord => {
    const bytes = Buffer.from(packr.pack([key, value]));
    const flags = FLAG.taken | FLAG.value;
    const row = {
      hash: hashKey(key),
      flags,
      mediaType: 0,
      length: bytes.length,
      textAt: 0,
      textLength: 0,
      rawLength: 0,
    };
    return { bytes, row, key };
  });
  const groups = tables.groups.map(({ key, group }): PackedRecord => {
    const bytes = Buffer.from(packr.pack([key, encodeGroup(group)]));
    const row = {
      hash: hashKey(key),
      flags: FLAG.taken | FLAG.group,
      mediaType: 0,
      length: bytes.length,
      ...groupPlace(key),
    };
    return { bytes, row, key };
  });
  return [...texts, ...values, ...groups];
}

function groupPlace(key: string): Pick<LookRow, 'textAt' | 'textLength' | 'rawLength'> {
  return { textAt: keyAt(key.length) + key.length + 2, textLength: GROUP_BYTES, rawLength: GROUP_BYTES };
}

/** Tells bundles apart, so that a block left over from another one is noticed. */
function contentId(records: readonly PackedRecord[], tables: Tables): Buffer {
  const hash = createHash('sha256');
  const documents = tables.documents.map((document) => Buffer.from(JSON.stringify(document)));
  const references = Buffer.from(JSON.stringify(tables.references));
  const all = [
    ...records.map((record) => record.bytes),
    ...tables.list.map(({ json }) => json),
    ...documents,
    references,
    tables.find ?? Buffer.alloc(0),
  ];
  for (const bytes of all) {
    hash.update(String(bytes.length)).update('\0').update(bytes);
  }
  return hash.digest().subarray(0, 8);
}

/** Copies the records into the file and gives the rows of the look-up table. */
function layRecords(
  records: readonly PackedRecord[],
  rowCount: number,
  places: ReadonlyMap<string, number>,
  file: Buffer,
  start: number,
  seed: number,
): (LookRow | undefined)[] {
  const rows: (LookRow | undefined)[] = Array.from({ length: rowCount });
  let offset = start;
  for (const { bytes, row, key } of records) {
    bytes.copy(file, offset);
    let n = row.hash % rowCount;
    while (rows[n] !== undefined) n = (n + 1) % rowCount;
    rows[n] = { ...row, offset, crc: checksum(bytes, seed, offset), place: places.get(key) ?? NOT_LISTED };
    offset += bytes.length;
  }
  return rows;
}

function layEntries(tables: Tables, entries: Buffer, start: number, seed: number): ListRow[] {
  let at = 0;
  return tables.list.map(({ uri, json }) => {
    const offset = start + at;
    const crc = checksum(entries.subarray(at, at + json.length + 1), seed, offset);
    at += json.length + 1;
    return { offset, length: json.length, crc, uriLength: uri.length };
  });
}

function layDocuments(tables: Tables, paths: Buffer, start: number, seed: number): DocRow[] {
  let at = 0;
  return tables.documents.map(({ path, rawLength, category, flags, mediaType }) => {
    const offset = start + at;
    const crc = checksum(paths.subarray(at, at + path.length), seed, offset);
    at += path.length;
    return { offset, length: path.length, crc, rawLength, category, flags, mediaType };
  });
}
