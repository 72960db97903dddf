// After a hook has recorded, where live data is kept in a database: another process, which nobody waits for, hands
// over what stands in the journal. One at a time is enough, and none while the last one found the database away.

import { spawn } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBundle } from '../runtime/current.ts';
import { Mapper } from '../runtime/map.ts';
import { readSettings } from '../runtime/settings.ts';
import { OUTPUT_FOLDER } from './find-project.ts';

/** Beside the journal: that hooks have somebody to start; who is at work, or was without success. */
const MARK = 'to-database';
export const AT_WORK = 'handing-over';

/** `asks`: what the bundle says is looked up first. Whatever fails, the record is in the journal. */
export function startHandOver(root: string, folder: string, asks: boolean): void {
  try {
    if (asks && !keepMark(root, join(folder, MARK))) return;
    const args = [join(import.meta.dirname, 'hand-over.cjs'), root];
    const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => {}).unref();
  } catch {
    // The next hook, server or command hands it over.
  }
}

/** Whether hooks have anything to hand over; a bundle that cannot be read changes nothing. */
function keepMark(root: string, mark: string): boolean {
  let store: string;
  try {
    const bundle = openBundle(join(root, OUTPUT_FOLDER), new Mapper('pread'));
    store = readSettings(bundle).sessions.store;
    bundle.close();
  } catch {
    return statSync(mark, { throwIfNoEntry: false }) !== undefined;
  }
  if (store === 'journal') rmSync(mark, { force: true });
  else writeFileSync(mark, '');
  return store !== 'journal';
}
