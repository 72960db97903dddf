// All that `init` sees of a repository. Whatever stands there was written by others: files are read only when they
// are regular, inside the repository and of a reasonable size, folders are listed up to a bound, and links to
// folders are not followed. What is there and cannot be used becomes a note.

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join, sep } from 'node:path';
import { Ignored } from './ignored.ts';

export type Listed = { files: readonly string[]; folders: readonly string[] };

const MOST_BYTES = 1024 * 1024;
const MOST_IN_FOLDER = 2000;
/** Folders listed in all: a repository is got to know, not walked through. */
const MOST_FOLDERS = 1500;
const MOST_PATH = 1000;
const NOTHING: Listed = { files: [], folders: [] };

/** Never part of what a project is made of. */
const NEVER = new Set(['node_modules', 'target', 'dist', 'dist-index', 'vendor', 'venv', '__pycache__', 'coverage']);

export class Survey {
  /** What was passed over and why, a sentence each. */
  readonly notes: string[] = [];
  readonly root: string;
  readonly ignored: Ignored;
  readonly #real: string;
  readonly #listed = new Map<string, Listed>();
  readonly #texts = new Map<string, string | undefined>();

  constructor(root: string) {
    this.root = root;
    this.#real = realpathSync(root);
    this.ignored = new Ignored(this.#real);
  }

  /** A regular file of the repository that git does not ignore, whatever links lead to it. */
  isFile(path: string): boolean {
    const real = this.#inside(path);
    return real !== undefined && !this.ignored.has(path) && kindOf(real) === 'file';
  }

  size(path: string): number {
    return statsOf(join(this.#real, path))?.size ?? 0;
  }

  /** A folder itself, not a link to one. */
  isFolder(path: string): boolean {
    return kindOf(join(this.#real, path)) === 'folder';
  }

  /** Whether anything has this name, a link that leads nowhere included. */
  isTaken(path: string): boolean {
    return kindOf(join(this.#real, path)) !== undefined;
  }

  /** A folder with nothing but hidden names in it. */
  isEmptyFolder(path: string): boolean {
    return this.isFolder(path) && readFolder(join(this.#real, path)).every(({ name }) => name.startsWith('.'));
  }

  /** The path of what a file is, from the root: another than asked for where there is a link. */
  realPath(path: string): string | undefined {
    return this.#inside(path)
      ?.slice(this.#real.length + 1)
      .split(sep)
      .join('/');
  }

  /** The text of a file; undefined, with a note, when it is there and cannot be used. */
  text(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#read(path));
    return this.#texts.get(path);
  }

  json(path: string): unknown {
    const text = this.text(path);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      this.passOver(path, 'it is not valid JSON');
      return undefined;
    }
  }

  async toml(path: string): Promise<unknown> {
    const text = this.text(path);
    if (text === undefined) return undefined;
    const parsed = (await import('./read-toml.ts')).readToml(text);
    if (parsed === undefined) this.passOver(path, 'it is not valid TOML');
    return parsed;
  }

  /** What stands in a folder, sorted by bytes: no hidden names, nothing that git ignores, no output of tools. */
  list(folder: string): Listed {
    const known = this.#listed.get(folder);
    if (known !== undefined) return known;
    const listed = this.#listed.size < MOST_FOLDERS ? this.#list(folder) : NOTHING;
    this.#listed.set(folder, listed);
    return listed;
  }

  passOver(path: string, why: string): void {
    const note = `${path} is passed over: ${why}.`;
    if (!this.notes.includes(note)) this.notes.push(note);
  }

  #read(path: string): string | undefined {
    if (!this.isTaken(path)) return undefined;
    const real = this.#inside(path);
    if (real === undefined) return this.#unusable(path, 'it leads out of the repository, or nowhere');
    if (kindOf(real) !== 'file') return this.#unusable(path, 'it is not a file');
    try {
      const bytes = readBounded(real);
      if (bytes === undefined) return this.#unusable(path, `it is larger than ${MOST_BYTES / 1024} KB`);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isEncoding = code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
      return this.#unusable(path, isEncoding ? 'it is not UTF-8' : `it cannot be read (${code})`);
    }
  }

  #unusable(path: string, why: string): undefined {
    this.passOver(path, why);
    return undefined;
  }

  #list(folder: string): Listed {
    const full = join(this.#real, folder);
    if (kindOf(full) !== 'folder') return NOTHING;
    const entries = readFolder(full).filter(({ name }) => isPlainName(name) && !NEVER.has(name));
    const paths = (kind: (entry: Dirent) => boolean): string[] =>
      entries
        .filter((entry) => kind(entry) && !this.ignored.has(joined(folder, entry.name)))
        .map(({ name }) => name)
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return { files: paths((entry) => entry.isFile()), folders: paths((entry) => entry.isDirectory()) };
  }

  #inside(path: string): string | undefined {
    try {
      const real = realpathSync(join(this.#real, path));
      return real.startsWith(this.#real === sep ? sep : this.#real + sep) ? real : undefined;
    } catch {
      return undefined;
    }
  }
}

/** A path from the root; `` is the root itself. */
export function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
}

/** Undefined for what is not there, or may not be looked at. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A name that may stand in project.yaml: not hidden, nothing that steers a terminal, is no Unicode or no URI. */
function isPlainName(name: string): boolean {
  if (name === '' || name.startsWith('.') || name.trim() !== name) return false;
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\\ufffd]|^(?:\.|%2e){1,2}$|^<<$/iu.test(name);
}

/** A path of such names that is short enough for a URI. */
export function isPlainPath(path: string): boolean {
  return path.length <= MOST_PATH && path.split('/').every(isPlainName) && encodeURIComponent(path).length <= MOST_PATH;
}

function readFolder(path: string): Dirent[] {
  const entries: Dirent[] = [];
  try {
    const folder = opendirSync(path);
    try {
      for (let entry = folder.readSync(); entry !== null && entries.length < MOST_IN_FOLDER; entry = folder.readSync())
        entries.push(entry);
    } finally {
      folder.closeSync();
    }
  } catch {
    // A folder that cannot be listed is as good as empty.
  }
  return entries;
}

/** Undefined when it is too large. Nothing is waited for: a pipe put in a file's place is empty. */
function readBounded(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = fstatSync(file);
    if (size > MOST_BYTES) return undefined;
    const bytes = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const read = readSync(file, bytes, length, size - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
