// What a second look at the database found: a record that no column can take must not keep back those after it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../runtime/sessions/journal.ts';
import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { encodeRecord } from '../../runtime/sessions/record.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres.ts';

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
