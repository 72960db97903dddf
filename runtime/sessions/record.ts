// A journal's record as bytes: a line break, the checksum of the JSON, the JSON, a line break, in one write.
// The break in front keeps a record whole when the one before it was torn; the checksum tells a torn or
// damaged line from a record.

import { crc32 } from './checksum.ts';

export type Record = { readonly k: string; readonly t: number };

/** A line longer than this is no record, however it came there. */
export const MOST_RECORD_BYTES = 2 * 1024 * 1024;

export const NEWLINE = 10;
const SUM_DIGITS = 8;
/** A time beyond cannot be written as a date, and one with a fraction stands in no column of a database. */
const LAST_TIME = 8.64e15;
/** Where the JSON of a record starts in its line. */
export const JSON_AT = SUM_DIGITS + 1;

export function encodeRecord(record: Record): Buffer {
  const json = JSON.stringify(record);
  return Buffer.from(`\n${digitsOf(crc32(Buffer.from(json)))} ${json}\n`);
}

/** Undefined when the line is not whole. */
export function decodeLine(line: Buffer, sum: (bytes: Uint8Array) => number = crc32): Record | undefined {
  const json = line.subarray(JSON_AT);
  if (line.length < JSON_AT + 2 || line.length > MOST_RECORD_BYTES) return undefined;
  if (line.toString('latin1', 0, JSON_AT) !== `${digitsOf(sum(json))} `) return undefined;
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function digitsOf(sum: number): string {
  return sum.toString(16).padStart(SUM_DIGITS, '0');
}

function isRecord(value: unknown): value is Record {
  if (typeof value !== 'object' || value === null) return false;
  const { k, t } = value as Partial<Record>;
  return typeof k === 'string' && Number.isInteger(t) && Math.abs(t as number) <= LAST_TIME;
}
