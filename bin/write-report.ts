// A report to its file: whole or not at all, by a rename. What is there and no plain file, a device, a pipe, a
// link, is written through, never replaced. The job summary of GitHub is appended to, within its limit.

import { appendFileSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { write } from '../build/write.ts';

/** GitHub drops the summary of a step that is longer. */
const MOST_SUMMARY_BYTES = 1024 * 1024;

export function writeReport(path: string, text: string): void {
  const file = resolve(path);
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) writeFileSync(file, text);
    else write(dirname(file), basename(file), Buffer.from(text), { durable: false });
  } catch (error) {
    throw new Error(`the report ${JSON.stringify(path)} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** False when there was no room for it. */
export function appendSummary(file: string, text: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (before + Buffer.byteLength(text) > MOST_SUMMARY_BYTES) return false;
    appendFileSync(file, text);
    return true;
  } catch (error) {
    throw new Error(`the job summary cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}
