// A disk of its own that can be full or read-only; only who may mount has one.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export type SmallDisk = { folder: string; readOnly(): void };

/** Undefined, and the test skipped, where nothing can be mounted. */
export function smallDisk(t: TestContext, size: string): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'fieldguide-test-'));
  t.after(() => {
    spawnSync('umount', [folder]);
    rmdirSync(folder);
  });
  const mount = (...options: string[]) => spawnSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', folder]).status === 0;
  if (!mount('-o', `size=${size}`)) {
    t.skip('nothing can be mounted here');
    return undefined;
  }
  return {
    folder,
    readOnly: () => {
      if (!mount('-o', 'remount,ro')) throw new Error('the disk cannot be made read-only');
    },
  };
}
