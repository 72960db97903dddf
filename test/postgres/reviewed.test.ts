// What a second look at the database found: a record that no column can take must not keep back those after it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Journal } from '../../runtime/sessions/journal.ts';
import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { encodeRecord } from '../../runtime/sessions/record.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

async function connectionsTo(url: string, name: string): Promise<number> {
  const client = new pg.Client({ connectionString: url.replace(/[?&]schema=.*/, '') });
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1', [
    name,
  ]);
  await client.end();
  return rows[0].n;
}

const T = Date.UTC(2025, 0, 15, 10);

test('a record of a time that is none is passed over, and what stands after it is handed over', async (t) => {
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  const live = new DatabaseLive({ root, where: await freshDatabase() });
  t.after(async () => await live.end());
  await journal.append('a', { k: 'start', t: T, client: 'claude' });
  const file = join(root, '.fieldguide/sessions/a.journal');
  for (const time of [T + 0.5, 1e300]) {
    writeFileSync(file, encodeRecord({ k: 'touch', t: time, paths: ['x'] } as never), { flag: 'a' });
  }
  await journal.append('a', { k: 'topic', t: T + 1, text: 'after it' });
  await live.handOver.all();
  const { topics, fileCount } = (await live.storeOnly(30).find('a')) ?? {};
  assert.deepEqual([topics, fileCount], [['after it'], 0]);
  assert.deepEqual((await journal.find('a'))?.topics, ['after it']);
});

test('who is ended while it connects to listen leaves no connection behind', async (t) => {
  const url = await freshDatabase();
  for (let n = 0; n < 3; n++) {
    const live = new DatabaseLive({ root: temporaryFolder(t), where: `${url}&application_name=ended` });
    live.hasDiscoveries();
    await sleep(n * 5);
    await live.end();
  }
  await until(async () => (await connectionsTo(url, 'ended')) === 0, 5000);
});

test('tables that were taken away are made again', async (t) => {
  const url = await freshDatabase();
  const live = new DatabaseLive({ root: temporaryFolder(t), where: url });
  t.after(async () => await live.end());
  const store = live.storeOnly(30);
  await store.append('a', { k: 'topic', t: T, text: 'before' });
  await live.database.ask(`DROP SCHEMA "${live.database.schema}" CASCADE`);
  await until(
    async () =>
      await store.append('b', { k: 'topic', t: T, text: 'after' }).then(
        () => true,
        () => false,
      ),
    5000,
  );
  assert.deepEqual((await store.find('b'))?.topics, ['after']);
});
