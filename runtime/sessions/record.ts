// A journal's record as bytes: a line break, the checksum of the JSON, the JSON, a line break, in one write.
// The break in front keeps a record whole when the one before it was torn; the checksum tells a torn or
// damaged line from a record. Reading skips what is not whole and counts it.

import { crc32 } from 'node:zlib';

export type Record = { readonly k: string; readonly t: number };

/** A line longer than this is no record, however it came there. */
export const MOST_RECORD_BYTES = 2 * 1024 * 1024;

const NEWLINE = 10;
const SUM_DIGITS = 8;
/** Where the JSON starts in a line. */
export const JSON_AT = SUM_DIGITS + 1;

export function encodeRecord(record: Record): Buffer {
  const json = JSON.stringify(record);
  return Buffer.from(`\n${sumOf(json)} ${json}\n`);
}

function sumOf(json: string | Uint8Array): string {
  return crc32(json).toString(16).padStart(SUM_DIGITS, '0');
}

/** What a stretch of a journal holds; `at` of a record is its line's place in the stretch. */
export type Stretch = { records: { record: Record; at: number }[]; damaged: number };

/** Reads whole lines; `bytes` starts at the start of a line, or with the break before one. */
export function decodeRecords(bytes: Buffer): Stretch {
  const stretch: Stretch = { records: [], damaged: 0 };
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end > at) {
      const record = decodeLine(bytes.subarray(at, end));
      if (record === undefined) stretch.damaged++;
      else stretch.records.push({ record, at });
    }
    at = end + 1;
  }
  return stretch;
}

function decodeLine(line: Buffer): Record | undefined {
  const json = line.subarray(JSON_AT);
  if (line.length < JSON_AT + 2 || line.length > MOST_RECORD_BYTES) return undefined;
  if (line.toString('latin1', 0, JSON_AT) !== `${sumOf(json)} `) return undefined;
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record {
  if (typeof value !== 'object' || value === null) return false;
  const { k, t } = value as Partial<Record>;
  return typeof k === 'string' && typeof t === 'number' && Number.isFinite(t);
}
