// Decodes msgpack values. In a file of its own because it brings msgpackr, which the first answered
// read must not pay for; `unpack-no-eval` because the plain import costs twenty milliseconds.

import { Unpackr } from 'msgpackr/unpack-no-eval';

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });

/** The value of a value record `[key, value]`, or the whole of any other record. */
export function decodeRecord(record: Buffer): unknown[] {
  const decoded: unknown = unpackr.unpack(record);
  if (!Array.isArray(decoded)) throw new Error('a record is not an array');
  return decoded;
}
