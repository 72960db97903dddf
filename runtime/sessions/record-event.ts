// Puts an event into a session's journal, and a session that is new into the index: all that a hook needs of
// the journal, so it reads nothing that is long and loads the rest only at the boundaries where a summary is due.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { appendTo, makeFolder, refuseLinks } from './append-file.ts';
import { decodeLine, encodeRecord, NEWLINE } from './record.ts';
import { safeName, sessionIdOf } from './safe-name.ts';
import type { SessionEvent } from './session.ts';
import { StoreError } from './store.ts';

export type IndexRecord = { k: 'session'; t: number; id: string };

/** Where live data is, under the project's root. */
export const LIVE_FOLDER = '.fieldguide';
/** About a thousand records. */
export const SUMMARY_EVERY_BYTES = 128 * 1024;
/** In its first records a session makes sure that the index has it: its creator may have been killed. */
const YOUNG_BYTES = 1024;
const YOUNG_TAIL_BYTES = 64 * 1024;

export function indexFileIn(folder: string): string {
  return join(folder, 'index.journal');
}

export function sessionFileIn(folder: string, id: string): string {
  return join(folder, 'sessions', `${safeName(id)}.journal`);
}

/** `created` when the session begins with this event. Throws StoreError. */
export async function recordEvent(
  folder: string,
  sessionId: string,
  event: SessionEvent,
): Promise<{ created: boolean }> {
  const id = sessionIdOf(sessionId);
  const file = sessionFileIn(folder, id);
  const { created, before, after } = inFolder(folder, () => appendTo(file, encodeRecord(event)));
  if (created || (before < YOUNG_BYTES && !isIndexed(indexFileIn(folder), id))) {
    const record: IndexRecord = { k: 'session', t: event.t, id };
    appendTo(indexFileIn(folder), encodeRecord(record));
  }
  if (Math.floor(before / SUMMARY_EVERY_BYTES) < Math.floor(after / SUMMARY_EVERY_BYTES)) {
    (await import('./session-file.ts')).summarise(file, event.t);
  }
  return { created };
}

/** Makes the folder when it turns out not to be there. */
export function inFolder<T>(folder: string, write: () => T): T {
  refuseLinks(folder, 'sessions');
  try {
    return write();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'ENOENT') throw error;
  }
  makeFolder(folder);
  return write();
}

/** Only the lines that name the session are decoded. */
function isIndexed(indexFile: string, id: string): boolean {
  const tail = tailOf(indexFile, YOUNG_TAIL_BYTES);
  const mark = `"id":"${id}"}`;
  for (let end = tail.length; ; ) {
    const at = end > 0 ? tail.lastIndexOf(mark, end - 1) : -1;
    if (at < 0) return false;
    const line = tail.subarray(tail.lastIndexOf(NEWLINE, at) + 1, at + mark.length);
    if (decodeLine(line)?.k === 'session') return true;
    end = at;
  }
}

/** Empty when it cannot be read: then the index gets one line too many. */
function tailOf(file: string, most: number): Buffer {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = fstatSync(fd);
    const bytes = Buffer.allocUnsafe(Math.min(size, most));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
