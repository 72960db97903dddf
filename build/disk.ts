// What lies on the disk, asked by paths from the root. Names are compared letter by letter on every system: a
// path in the wrong case works on one machine and fails on the next. Each folder is looked at once, and all files
// of the repository are listed only when something asks for them.

import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFiles, type Repository } from './list-files.ts';

export type Disk = {
  exists(path: string): boolean;
  folderAt(path: string): boolean;
  /** Files and folders; none for what is no folder. */
  namesIn(folder: string): ReadonlySet<string>;
  /** The text of a small file; undefined for anything else, links included. */
  textOf(path: string): string | undefined;
  /** Every file that git does not ignore, by the bytes of their paths. */
  files(): readonly string[];
};

const NO_NAMES: ReadonlySet<string> = new Set();
const MOST_TEXT_BYTES = 1024 * 1024;

export const NO_DISK: Disk = {
  exists: () => false,
  folderAt: () => false,
  namesIn: () => NO_NAMES,
  textOf: () => undefined,
  files: () => [],
};

export function lookAt(repository: Repository): Disk {
  const { root } = repository;
  const folders = new Map<string, ReadonlySet<string>>();
  let listed: readonly string[] | undefined;

  const namesIn = (folder: string): ReadonlySet<string> => {
    const path = cleanPath(folder);
    if (path === undefined) return NO_NAMES;
    const names = folders.get(path) ?? readNames(join(root, path));
    folders.set(path, names);
    return names;
  };

  const isNamedSo = (path: string): boolean => {
    const segments = path === '' ? [] : path.split('/');
    return segments.every((name, n) => {
      const names = namesIn(segments.slice(0, n).join('/'));
      return names.has(name) || names.has(name.normalize('NFC'));
    });
  };

  const exists = (path: string): boolean => {
    const clean = cleanPath(path);
    return clean !== undefined && existsSync(join(root, clean)) && isNamedSo(clean);
  };

  return {
    exists,
    namesIn,
    folderAt: (path) => exists(path) && isFolder(join(root, path)),
    textOf: (path) => (exists(path) ? smallText(join(root, path)) : undefined),
    files() {
      listed ??= listFiles(repository, '**', () => {});
      return listed;
    },
  };
}

/** `a/b`, `` for the root itself; undefined for what leaves it. */
export function cleanPath(path: string): string | undefined {
  const clean = posix.normalize(path).replace(/\/$/, '');
  if (clean === '.') return '';
  return clean === '..' || clean.startsWith('../') || clean.startsWith('/') ? undefined : clean;
}

/** As they are, and composed: some systems store letters with their accents apart. */
function readNames(folder: string): ReadonlySet<string> {
  try {
    const names = readdirSync(folder);
    return new Set([...names, ...names.map((name) => name.normalize('NFC'))]);
  } catch {
    return NO_NAMES;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function smallText(path: string): string | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= MOST_TEXT_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
