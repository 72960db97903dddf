// One record, one write, at the end of a file: what sixteen processes may do at once without losing any.

import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store.ts';

/** Windows has no such flag. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** A link is refused: the folder came with the repository, and a link in it may lead to any file of the user. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | NO_LINK;
/** Another user's agent may look on; nobody else writes. */
const MODE = 0o644;

/** Where the file ended before and after; `created` when this call made it. */
export type Appended = { before: number; after: number; created: boolean };

export function appendTo(file: string, bytes: Uint8Array): Appended {
  const { fd, created } = openToAppend(file);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new StoreError('the journal is not a file', 'EINVAL');
    const written = writeSync(fd, bytes);
    if (written < bytes.length) throw new StoreError('the journal cannot be written: the disk is full', 'ENOSPC');
    return { before: stats.size, after: fstatSync(fd).size, created };
  } catch (error) {
    throw storeError(error);
  } finally {
    closeSync(fd);
  }
}

/** Exactly one of many that come at once creates the file. */
function openToAppend(file: string): { fd: number; created: boolean } {
  for (let tries = 0; ; tries++) {
    try {
      return { fd: openSync(file, APPEND | constants.O_NONBLOCK), created: false };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw storeError(error);
    }
    try {
      return { fd: openSync(file, APPEND | constants.O_CREAT | constants.O_EXCL, MODE), created: true };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 9) throw storeError(error);
    }
  }
}

/** Makes the folder for live data and one in it; it keeps itself out of git. */
export function makeFolder(folder: string, inside = 'sessions'): void {
  refuseLinks(folder, inside);
  try {
    mkdirSync(join(folder, inside), { recursive: true });
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw storeError(error);
  }
}

/** A folder that is a link is refused as a file is, for the same reason. */
export function refuseLinks(folder: string, inside: string): void {
  for (const path of [folder, join(folder, inside)]) {
    if (isLink(path)) throw new StoreError('a folder of the journal is a link', 'ELOOP');
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    throw storeError(error);
  }
}

export function storeError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof StoreError || code === undefined) return error;
  const why = code === 'ENOSPC' || code === 'EDQUOT' ? ': the disk is full' : '';
  return new StoreError(`the journal cannot be used${why}`, code);
}
