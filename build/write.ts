// Bytes to disk, whole or not at all: a temporary file in the same folder, fsync, rename, fsync of the
// folder. A file that somebody may have mapped is never written in place. What is there already, equal
// byte for byte, is left alone.

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export function write(folder: string, name: string, bytes: Buffer, { durable = true } = {}): { changed: boolean } {
  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder, name);
  const target = join(folder, name);
  if (holds(target, bytes)) return { changed: false };
  const temporary = join(folder, `.${name}.${process.pid}.tmp`);
  try {
    writeWhole(temporary, bytes, durable);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(folder);
  return { changed: true };
}

function writeWhole(file: string, bytes: Buffer, durable: boolean): void {
  const fd = openSync(file, 'wx', 0o666);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Temporary files of builds that were killed: those whose process is gone. */
function removeLeftovers(folder: string, name: string): void {
  for (const file of readdirSync(folder)) {
    const pid = file.startsWith(`.${name}.`) ? /\.(\d+)\.tmp$/.exec(file)?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, file), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the file is there and has these bytes. */
export function holds(file: string, bytes: Buffer): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size === bytes.length && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
