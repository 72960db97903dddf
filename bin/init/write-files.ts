// Puts new files into a repository: all of them or none. A file that is there is never overwritten, not even one that
// appeared a moment ago; what was written before a failure is taken back.

import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export type Planned = { path: string; text: string; how: 'create' | 'append' };

export function writeFiles(root: string, planned: readonly Planned[]): void {
  const undo: (() => void)[] = [];
  try {
    for (const { path, text, how } of planned) {
      if (how === 'append') undo.push(append(join(root, path), text));
      else create(root, path, text, undo);
    }
  } catch (error) {
    for (const step of undo.reverse()) attempt(step);
    throw fault(error);
  }
}

function create(root: string, path: string, text: string, undo: (() => void)[]): void {
  for (const folder of foldersOf(path)) {
    const full = join(root, folder);
    if (lstatSync(full, { throwIfNoEntry: false })?.isDirectory()) continue;
    mkdirSync(full);
    undo.push(() => rmdirSync(full));
  }
  const full = join(root, path);
  const file = openSync(full, 'wx');
  undo.push(() => unlinkSync(full));
  try {
    writeWhole(file, text);
  } finally {
    closeSync(file);
  }
}

/** Gives back what takes the lines away again. */
function append(path: string, text: string): () => void {
  const file = openSync(
    path,
    constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  const { size } = fstatSync(file);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`);
    writeWhole(file, text);
  } catch (error) {
    attempt(() => ftruncateSync(file, size));
    throw error;
  } finally {
    closeSync(file);
  }
  return () => {
    const again = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    try {
      if (fstatSync(again).size === size + Buffer.byteLength(text)) ftruncateSync(again, size);
    } finally {
      closeSync(again);
    }
  };
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** The folders that a path lies in, the outermost first. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...foldersOf(folder), folder];
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // What cannot be taken back stays; the failure that led here is the one to tell.
  }
}

function fault(error: unknown): Error {
  const { code, path = '', message } = error as NodeJS.ErrnoException;
  if (code === undefined) return new Error(`${message}; nothing was written.`);
  const why = code === 'EEXIST' ? 'has appeared in the meantime' : `cannot be written (${code})`;
  return new Error(`${path} ${why}; nothing was written.`);
}
