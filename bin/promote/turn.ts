// One process at a time. Each that wants its turn puts down a file of its own and then looks for those of others: of
// two that come at once at least one sees the other and steps back, so never two go on. What a dead process left
// is passed over and cleared away; its name is never used again, so nothing that counts can be cleared by mistake.

import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../../runtime/sessions/append-file.ts';
import { LIVE_FOLDER } from '../../runtime/sessions/record-event.ts';

const NAME = /^promote-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}\.turn$/;
/** Work takes a second or two. */
const MOST_HELD_MS = 60_000;
const MOST_WAITED_MS = 15_000;
const STEP_MS = 40;

export async function inTurn<T>(root: string, work: () => Promise<T>): Promise<T> {
  const live = join(root, LIVE_FOLDER);
  makeFolder(live);
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
  const own = `promote-${host}-${process.pid}-${randomBytes(4).toString('hex')}.turn`;
  for (const until = Date.now() + MOST_WAITED_MS; ; ) {
    closeSync(openSync(join(live, own), 'wx', 0o600));
    try {
      if (!isTaken(live, own, host)) return await work();
    } finally {
      remove(join(live, own));
    }
    if (Date.now() > until) throw new Error('another promotion is at work here; try again when it has ended');
    await wait(STEP_MS + (randomBytes(1)[0] as number));
  }
}

function isTaken(live: string, own: string, host: string): boolean {
  const others = readdirSync(live).filter((name) => name !== own && NAME.test(name));
  return others.filter((name) => isAlive(join(live, name), name, host)).length > 0;
}

function isAlive(file: string, name: string, host: string): boolean {
  const [, at, pid] = NAME.exec(name) as RegExpExecArray;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Math.abs(Date.now() - stats.mtimeMs) < MOST_HELD_MS && (at !== host || isRunning(Number(pid)))) return true;
  remove(file);
  return false;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process has cleared it away.
  }
}
