// The disk of the database is full: writing fails and says why, reading goes on, and with room it is written again.

import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { PostgresServer, withSchema } from '../support/postgres.ts';
import { smallDisk } from '../support/small-disk.ts';

test('a full disk of the database fails what is written, not what is read, and passes', async (t) => {
  const disk = smallDisk(t, '160M');
  if (disk === undefined) return;
  const postgres = await PostgresServer.start(join(disk.folder, 'data'));
  try {
    const live = new DatabaseLive({ root: temporaryFolder(t), where: withSchema(postgres.url, 'full') });
    const store = live.storeOnly(30);
    await store.append('before', { k: 'topic', t: Date.now(), text: 'there was room' });
    fill(join(disk.folder, 'filler'));
    let failure: Error | undefined;
    for (let n = 0; n < 300 && failure === undefined; n++) {
      const paths = Array.from({ length: 100 }, (_, m) => `src/${n}/${Math.random()}-${m}.ts`);
      await store.append(`s${n % 20}`, { k: 'touch', t: Date.now(), paths }).catch((error: Error) => {
        failure = error;
      });
    }
    assert.match(String(failure), /StoreError: the database|StoreError: the disk of the database is full/);
    if (postgres.isRunning) assert.deepEqual((await store.find('before'))?.topics, ['there was room']);
    rmSync(join(disk.folder, 'filler'));
    if (!postgres.isRunning) await postgres.start();
    for (let tries = 0; ; tries++) {
      try {
        await store.append('after', { k: 'topic', t: Date.now(), text: 'room again' });
        break;
      } catch (error) {
        if (tries > 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    assert.deepEqual((await store.find('after'))?.topics, ['room again']);
    assert.deepEqual((await store.find('before'))?.topics, ['there was room']);
    await live.end();
  } finally {
    await postgres.stop('SIGINT');
  }
});

function fill(file: string): void {
  const fd = openSync(file, 'w');
  try {
    for (let size = 1 << 20; size >= 1024; size /= 2) {
      try {
        while (writeSync(fd, Buffer.alloc(size, 1)) === size);
      } catch {
        // Not that much is left.
      }
    }
  } finally {
    closeSync(fd);
  }
}
