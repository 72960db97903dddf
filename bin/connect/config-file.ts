// A client's file on disk: read within bounds, written whole or not at all, with its mode and owner. A link is
// written through to the file it names; one that leads out of the project would change what no project owns.

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { Unfit } from './unfit.ts';

/** Below a folder; a project's files may not leave theirs by a link, a user's own may. */
export type FilePlace = { base: string; path: string; mayLeave: boolean };

export type ConfigFile = {
  place: FilePlace;
  /** Without its byte order mark; undefined when there is no file. */
  text: string | undefined;
  mark: string;
  target: string;
  stats: Stats | undefined;
  isLink: boolean;
};

const MOST_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** A path that leads nowhere is nowhere; reading it says why. */
export function isThere({ base, path }: FilePlace): boolean {
  try {
    return lstatSync(join(base, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

export function readConfig(place: FilePlace): ConfigFile {
  const named = join(place.base, place.path);
  const own = lstatSync(named, { throwIfNoEntry: false });
  const isLink = own?.isSymbolicLink() === true;
  const target = own === undefined ? join(existingFolder(place), basename(named)) : realTarget(named);
  if (!place.mayLeave && !isWithin(realpathSync(place.base), target)) {
    throw new Unfit(`is a link out of the project, to ${target}`);
  }
  if (own === undefined) return { place, text: undefined, mark: '', target: named, stats: undefined, isLink };
  const stats = statSync(target);
  if (!stats.isFile()) throw new Unfit('is not a file');
  if (stats.size > MOST_BYTES) throw new Unfit('is over 1 MB, too large for a configuration');
  const text = decoded(readFileSync(target));
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { place, text: text.slice(mark.length), mark, target, stats, isLink };
}

export function writeConfig({ target, mark, stats }: ConfigFile, text: string): void {
  if (stats !== undefined) accessSync(target, constants.W_OK);
  mkdirSync(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    const fd = openSync(temporary, 'wx', 0o666);
    try {
      if (stats !== undefined) keepMode(fd, stats);
      writeFileSync(fd, mark + text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The file, and folders on the way to it that hold nothing else. */
export function deleteConfig({ place, target }: ConfigFile): void {
  rmSync(target);
  for (let folder = dirname(place.path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(place.base, folder));
    } catch {
      return;
    }
  }
}

function keepMode(fd: number, stats: Stats): void {
  try {
    fchownSync(fd, stats.uid, stats.gid);
  } catch {
    // Who may not give a file away writes it as their own.
  }
  fchmodSync(fd, stats.mode & 0o7777);
}

function realTarget(named: string): string {
  try {
    return realpathSync(named);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Unfit('is a link to nothing');
    throw error;
  }
}

/** The nearest folder that is there already: a file that is made goes below it. */
function existingFolder({ base, path }: FilePlace): string {
  for (let folder = dirname(join(base, path)); ; folder = dirname(folder)) {
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return realTarget(folder);
  }
}

function isWithin(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path.split(sep)[0] !== '..' && !isAbsolute(path);
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unfit('is not UTF-8');
  }
}
