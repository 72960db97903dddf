// The two files of one process's chain, opened: the audit that all append to, and its own head beside it. What is
// no plain file of ours is refused, so that a slip in a command line spoils nothing and nothing waits for a reader.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { encodeHead, headsFolder } from './head.ts';

export type Place = { fd: number; headFd: number };

/** Only its owner reads who read what. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Windows has no such flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | NO_LINK;
const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | NO_LINK;

const PASSING = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

/** What may be over in a while, and is no reason not to serve. */
export function isPassing(error: unknown): boolean {
  return PASSING.includes(codeOf(error));
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN';
}

/** The head is there before the first line: a chain without one was tampered with. */
export function openPlace(file: string, writer: string): Place {
  refuseOthers(file);
  const folder = headsFolder(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const fd = openSync(file, APPEND, FILE_MODE);
  const head = join(folder, writer);
  try {
    if (!fstatSync(fd).isFile()) throw notPlain(file);
    return { fd, headFd: openHead(head, writer) };
  } catch (error) {
    closeSync(fd);
    rmSync(head, { force: true });
    throw error;
  }
}

function openHead(head: string, writer: string): number {
  const fd = openSync(head, OVERWRITE, FILE_MODE);
  try {
    const first = encodeHead({ writer, number: 0, hash: '', isClosed: false });
    if (writeSync(fd, first, 0, first.length, 0) === first.length) return fd;
    throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Whether the name still leads to what was opened. */
export function isInPlace(file: string, { fd }: Place): boolean {
  try {
    const [named, open] = [statSync(file), fstatSync(fd)];
    return named.ino === open.ino && named.dev === open.dev;
  } catch {
    return false;
  }
}

/** Why a place cannot be used, and what to do. */
export function placeProblem(file: string, error: unknown): string {
  if (error instanceof PlaceRefused) return error.message;
  const code = codeOf(error);
  if (code === 'ENOENT') return `there is no folder ${dirname(file)} for the audit; make it, or name another file.`;
  if (code === 'ELOOP') return link(file);
  return `the audit cannot be written to ${file} (${code}); make it and its folder writable for the user that serves, or name another file.`;
}

class PlaceRefused extends Error {}

function refuseOthers(file: string): void {
  const there = look(file);
  const heads = look(headsFolder(file));
  if (there?.isSymbolicLink()) throw new PlaceRefused(link(file));
  if (there !== undefined && !there.isFile()) throw notPlain(file);
  if (heads !== undefined && !heads.isDirectory()) {
    throw new PlaceRefused(`${headsFolder(file)} is not a folder; move it away, or name another file for the audit.`);
  }
  if (look(dirname(file)) === undefined) throw Object.assign(new Error('no folder'), { code: 'ENOENT' });
  if (there === undefined || there.size === 0 || heads !== undefined) return;
  throw new PlaceRefused(
    `${file} is no audit, or its heads are gone (${headsFolder(file)}); name another file, or move this one away.`,
  );
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function link(file: string): string {
  return `the audit ${file} is a link; name the file that it leads to.`;
}

function notPlain(file: string): PlaceRefused {
  return new PlaceRefused(`${file} is not a plain file; name another for the audit.`);
}
