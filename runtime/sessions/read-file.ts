// Stretches of a journal from disk, within bounds: nothing here reads a whole file that may be long.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { NO_LINK, storeError } from './append-file.ts';
import { JSON_AT, MOST_RECORD_BYTES, NEWLINE, type Record } from './record.ts';
import { StoreError } from './store.ts';
import { decodeRecords, recordsFromEnd } from './stretch.ts';

const STEP_BYTES = 1024 * 1024;

/** How far whole lines went. After them comes what may still grow: a record but for its line break, or less. */
export type Walked = { consumed: number; damaged: number; tail: Record | undefined; isTorn: boolean };

/** A journal that is open for reading, as long as it was then. */
export class OpenJournal {
  readonly #fd: number;
  readonly size: number;
  readonly key: string;

  private constructor(fd: number) {
    this.#fd = fd;
    const { size, ino, dev, mtimeMs } = fstatSync(fd);
    this.size = size;
    this.key = `${dev} ${ino} ${size} ${mtimeMs}`;
  }

  /** Undefined when there is none. */
  static open(file: string): OpenJournal | undefined {
    let fd: number | undefined;
    try {
      fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | NO_LINK);
      if (fstatSync(fd).isFile()) return new OpenJournal(fd);
      throw new StoreError('the journal is not a file', 'EINVAL');
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw storeError(error);
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  read(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, this.size) - from));
    let filled = 0;
    try {
      while (filled < bytes.length) {
        const got = readSync(this.#fd, bytes, filled, bytes.length - filled, from + filled);
        if (got === 0) break;
        filled += got;
      }
    } catch (error) {
      throw storeError(error);
    }
    return bytes.subarray(0, filled);
  }

  /**
   * Records from a place on, a step at a time; the place is the start of a line. A line longer than any record
   * is passed over without being kept.
   */
  forward(from: number, take: (record: Record) => void): Walked {
    let at = from;
    let damaged = 0;
    let consumed = from;
    let skipping = false;
    while (at < this.size) {
      const bytes = this.read(at, at + STEP_BYTES + MOST_RECORD_BYTES);
      if (bytes.length === 0) break;
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      const isLast = at + bytes.length >= this.size;
      if (whole > 0) {
        const start = skipping ? bytes.indexOf(NEWLINE) + 1 : 0;
        const stretch = decodeRecords(bytes.subarray(start, whole));
        for (const { record } of stretch.records) take(record);
        damaged += stretch.damaged + Number(skipping);
        skipping = false;
        consumed = at + whole;
      }
      if (isLast) {
        if (whole === bytes.length) break;
        const tail = skipping ? undefined : decodeRecords(bytes.subarray(whole)).records[0]?.record;
        return { consumed, damaged, tail, isTorn: tail === undefined };
      }
      if (whole === 0) skipping = true;
      at += whole > 0 ? whole : bytes.length;
    }
    return { consumed, damaged, tail: undefined, isTorn: false };
  }

  /** The latest records, newest first, until `take` has had enough; at most `most` bytes from the end. */
  backward(most: number, take: (record: Record, at: number) => boolean): { complete: boolean } {
    const least = Math.max(0, this.size - most);
    let end = this.size;
    for (let step = STEP_BYTES / 16; end > least; step = Math.min(step * 2, STEP_BYTES)) {
      const from = Math.max(0, end - step - MOST_RECORD_BYTES * Number(step === STEP_BYTES));
      const bytes = this.read(from, end);
      const start = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
      if (from > 0 && (start === 0 || start === bytes.length)) {
        if (step === STEP_BYTES) end = from;
        continue;
      }
      for (const { record, at } of recordsFromEnd(bytes.subarray(start))) {
        if (!take(record, from + start + at)) return { complete: false };
      }
      end = from + start;
      if (from === 0) return { complete: true };
    }
    return { complete: end === 0 };
  }

  /** The last whole record whose JSON starts as `mark` does; nothing else is decoded. */
  findLast(mark: string, most: number): Record | undefined {
    const least = Math.max(0, this.size - most);
    for (let end = this.size; end > least; ) {
      const from = Math.max(0, end - STEP_BYTES / 4);
      const bytes = this.read(from, end + MOST_RECORD_BYTES);
      let at = end - from;
      while (at > 0) {
        at = bytes.lastIndexOf(mark, at - 1);
        if (at < 0) break;
        const start = at - JSON_AT;
        if (start < 0 || (from + start > 0 && bytes[start - 1] !== NEWLINE)) continue;
        const newline = bytes.indexOf(NEWLINE, at);
        const [found] = decodeRecords(bytes.subarray(start, newline < 0 ? bytes.length : newline)).records;
        if (found !== undefined) return found.record;
      }
      end = from === 0 ? 0 : from + mark.length;
    }
    return undefined;
  }
}
