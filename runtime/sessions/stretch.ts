// The records of a stretch of a journal. What is not whole is skipped and counted.

import { crc32 } from 'node:zlib';
import { decodeLine, NEWLINE, type Record } from './record.ts';

/** What a stretch of a journal holds; `at` of a record is its line's place in the stretch. */
export type Stretch = { records: { record: Record; at: number }[]; damaged: number };

/** Reads whole lines; `bytes` starts at the start of a line, or with the break before one. */
export function decodeRecords(bytes: Buffer): Stretch {
  const stretch: Stretch = { records: [], damaged: 0 };
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end > at) {
      const record = decodeLine(bytes.subarray(at, end), crc32);
      if (record === undefined) stretch.damaged++;
      else stretch.records.push({ record, at });
    }
    at = end + 1;
  }
  return stretch;
}

/** The same from the last to the first; what is not asked for is not decoded. */
export function* recordsFromEnd(bytes: Buffer): Generator<Stretch['records'][number]> {
  for (let end = bytes.length; end > 0; ) {
    const at = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    const record = at === end ? undefined : decodeLine(bytes.subarray(at, end), crc32);
    if (record !== undefined) yield { record, at };
    end = at - 1;
  }
}
