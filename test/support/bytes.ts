// Bytes in memory behind the reader's interface, and the same in a file, mapped and read.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bundle } from '../../runtime/bundle.ts';
import { type Bytes, Mapper, memoryBytes } from '../../runtime/map.ts';

export function openBytes(bytes: Buffer): Bundle {
  return new Bundle(memoryBytes(bytes));
}

/** Runs `use` with the bytes in a file, opened in the given mode. */
export function withFile<T>(bytes: Buffer, mode: 'mmap' | 'pread', use: (opened: Bytes, file: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'fieldguide-test-'));
  try {
    const file = join(folder, 'context.fgb');
    writeFileSync(file, bytes);
    const opened = new Mapper(mode).open(file);
    try {
      return use(opened, file);
    } finally {
      opened.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
