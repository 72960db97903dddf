// From a path to its bytes: memory-mapped by the small native part, or by positioned reads, behind
// one interface. Windows of 16 MiB keep V8 from counting a large bundle as memory pressure, and one
// descriptor, kept from the start, keeps a bundle itself however often its path is replaced.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { BundleError } from './format.ts';

/** Bytes of one file. A view is read-only, a map or a copy, and stays valid after `close`. */
export interface Bytes {
  readonly length: number;
  readonly mapped: boolean;
  /** Throws RangeError outside the file, BundleError when the file has become shorter. */
  view(offset: number, length: number): Buffer;
  /** Gives the descriptor back. Maps are never torn down: the collector drops them. */
  close(): void;
}

export type MapMode = 'auto' | 'mmap' | 'pread';

type Native = { map(fd: number, offset: number, length: number): ArrayBuffer };

const WINDOW_BYTES = 1 << 24;

/** Beyond this many maps that the collector has not dropped yet, what is new is read, not mapped. */
const MOST_MAPS = 48;

/** Opens files; loads the native part once and counts the maps that live. */
export class Mapper {
  readonly mode: MapMode;
  #native: Native | undefined;
  #looked = false;
  #maps = 0;
  #dropped = new FinalizationRegistry<undefined>(() => {
    this.#maps--;
  });

  constructor(mode: MapMode) {
    this.mode = mode;
  }

  open(file: string): Bytes {
    const fd = openFile(file);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw new BundleError('not_a_bundle', 'It is not a file.');
      if (this.mode === 'mmap' && this.#load() === undefined) {
        throw new BundleError('unreadable', 'Memory mapping is not available here; use --map pread.');
      }
      return this.#bytes(fd, stats.size);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #bytes(fd: number, length: number): Bytes {
    const windows: (Buffer | undefined)[] = [];
    const mapped = this.mode !== 'pread' && this.#maps < MOST_MAPS && this.#load() !== undefined;
    return {
      length,
      mapped,
      view: (offset, size) => {
        if (!(offset >= 0 && size >= 0 && offset + size <= length)) throw new RangeError('outside the file');
        const n = Math.floor(offset / WINDOW_BYTES);
        const start = n * WINDOW_BYTES;
        const fits = mapped && size > 0 && offset + size <= start + WINDOW_BYTES;
        if (!fits) return readExactly(fd, offset, size);
        windows[n] ??= this.#map(fd, start, Math.min(WINDOW_BYTES, length - start));
        return windows[n]?.subarray(offset - start, offset - start + size) ?? readExactly(fd, offset, size);
      },
      close: () => closeSync(fd),
    };
  }

  /** Undefined when there are too many maps, or when the system gives none. */
  #map(fd: number, offset: number, length: number): Buffer | undefined {
    if (this.#maps >= MOST_MAPS) return undefined;
    try {
      const buffer = (this.#native as Native).map(fd, offset, length);
      this.#maps++;
      this.#dropped.register(buffer, undefined);
      return Buffer.from(buffer);
    } catch {
      return undefined;
    }
  }

  #load(): Native | undefined {
    if (!this.#looked) {
      this.#looked = true;
      this.#native = loadNative();
    }
    return this.#native;
  }
}

/** Bytes that are in memory already. */
export function memoryBytes(bytes: Buffer): Bytes {
  return {
    length: bytes.length,
    mapped: true,
    view(offset, length) {
      if (!(offset >= 0 && length >= 0 && offset + length <= bytes.length)) throw new RangeError('outside the bytes');
      return bytes.subarray(offset, offset + length);
    },
    close() {},
  };
}

/** Undefined where there is no prebuilt file, or where native code is not allowed. */
function loadNative(): Native | undefined {
  if (process.platform !== 'linux') return undefined;
  const loaded = { exports: {} as Native };
  try {
    process.dlopen(loaded, join(import.meta.dirname, 'native', `linux-${process.arch}.node`));
    return loaded.exports;
  } catch {
    return undefined;
  }
}

/** Never waits: a named pipe in place of a bundle would block a plain open for ever. */
function openFile(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new BundleError('missing', 'There is no such file.');
    throw new BundleError('unreadable', `It cannot be opened (${code}).`);
  }
}

function readExactly(fd: number, offset: number, length: number): Buffer {
  const into = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const count = readOnce(fd, into, done, offset + done);
    if (count === 0) throw new BundleError('damaged', 'It has become shorter while it was read.');
    done += count;
  }
  return into;
}

function readOnce(fd: number, into: Buffer, at: number, position: number): number {
  try {
    return readSync(fd, into, at, into.length - at, position);
  } catch (error) {
    throw new BundleError('unreadable', `It cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
