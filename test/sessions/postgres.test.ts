// The store on PostgreSQL: the suite of every store against a real server, and what is its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { addressOf } from '../../runtime/sessions/store-address.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { WireCut } from '../support/wire-cut.ts';
import { storeSuite } from './suite.ts';

const RACER = join(import.meta.dirname, '../support/approval-racer.cjs');

storeSuite('PostgreSQL', async (t, clock) => {
  const live = new DatabaseLive({ root: temporaryFolder(t), where: await freshDatabase(), now: () => clock.now });
  t.after(async () => await live.end());
  return await live.store(30);
});

async function database(t: TestContext, where?: string): Promise<{ where: string; live: DatabaseLive }> {
  const url = where ?? (await freshDatabase());
  const live = new DatabaseLive({ root: temporaryFolder(t), where: url });
  t.after(async () => await live.end());
  return { where: url, live };
}

test('several that start at once make the tables together; an older program leaves newer ones alone', async (t) => {
  const url = await freshDatabase();
  const many = await Promise.all(Array.from({ length: 8 }, async () => (await database(t, url)).live));
  await Promise.all(many.map((live, n) => live.storeOnly(30).append('a', { k: 'topic', t: n, text: `t${n}` })));
  const [one] = many as [DatabaseLive];
  assert.equal((await one.storeOnly(30).find('a'))?.topics.length, 8);
  await one.database.ask('UPDATE schema_version SET version = version + 1');
  const { live: older } = await database(t, url);
  await assert.rejects(
    older.storeOnly(30).recent(1),
    /StoreError: the database was made by a newer program; its tables are of version 2, this program knows 1: update fieldguide/,
  );
});

test('with many rows, no question reads all of them', async (t) => {
  const { live } = await database(t);
  const store = live.storeOnly(30);
  const now = Date.now();
  await store.append('own', { k: 'start', t: now });
  await live.database.ask(
    `INSERT INTO sessions (id, started_at, last_at, ended_at, state)
     SELECT 'many-' || n, $1::bigint - n * 1000, $1::bigint - n * 1000, CASE WHEN n % 50 = 0 THEN NULL ELSE $1::bigint - n * 1000 END, s.state
     FROM generate_series(1, 30000) AS n, sessions AS s WHERE s.id = 'own'`,
    [now - 60_000],
  );
  await live.database.ask(
    `INSERT INTO approvals (id, made_at, request) SELECT 'approval-' || n, $1::bigint - n, '{}' FROM generate_series(1, 5000) n`,
    [now],
  );
  await live.database.ask('ANALYZE');
  await store.discoveries();
  const asked: { text: string; values: unknown[] }[] = [];
  const { ask } = live.database;
  live.database.ask = (async (text: string, values: unknown[] = []) => {
    asked.push({ text, values });
    return await ask.call(live.database, text, values);
  }) as typeof ask;
  await store.find('own');
  await store.current(undefined);
  await store.recent(10);
  await store.version('own');
  await live.approvals.find('approval-00000000000000001');
  await live.approvals.use('approval-00000000000000001', now);
  assert.equal(asked.length, 6);
  for (const { text, values } of asked) {
    const plan = await ask.call(live.database, `EXPLAIN ${text}`, values);
    const said = plan.map((row) => Object.values(row)[0]).join('\n');
    assert.match(said, /Index/, said);
    assert.doesNotMatch(said, /Seq Scan on (?:sessions|approvals)/, said);
  }
  assert.equal((await store.recent(100)).length, 100);
  const pruned = await store.prune(now - 3_600_000, now - 10_000_000);
  assert.ok(pruned.removed > 19_000 && pruned.archived > 5000, JSON.stringify(pruned));
});

test('a thousand approvals that two processes race for are used a thousand times', async (t) => {
  const { where, live } = await database(t);
  const ids = Array.from({ length: 1000 }, (_, n) => `approval-${String(n).padStart(12, '0')}`);
  const request = { t: Date.now(), tool: 'x', agent: 'local', given: {}, binding: 'b' };
  await Promise.all(ids.map((id) => live.approvals.open({ id, ...request })));
  const racers = ['one', 'other'].map(() => {
    const child = spawn(process.execPath, [RACER, temporaryFolder(t), where, ids.join(',')]);
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    return { child, ready: once(child.stdout, 'data'), ended: once(child, 'close').then(() => said.split('\n')[1]) };
  });
  await Promise.all(racers.map(({ ready }) => ready));
  for (const { child } of racers) child.stdin.end('go');
  const [one = '', other = ''] = await Promise.all(racers.map(({ ended }) => ended));
  const won = [...one.split(','), ...other.split(',')].filter(Boolean);
  assert.deepEqual(won.sort(), ids, 'each once, by one of the two');
  assert.ok(one.length > 0 && other.length > 0, 'both were in the race');
  const [first = ''] = ids;
  assert.ok(await live.approvals.answer(first, { t: 1, approved: true, by: 'a' }));
  assert.ok(!(await live.approvals.answer(first, { t: 2, approved: false, by: 'b' })));
  const found = await live.approvals.find(first);
  assert.deepEqual([found?.answer?.by, typeof found?.usedAt, found?.request.tool], ['a', 'number', 'x']);
  const { live: another } = await database(t, where);
  assert.deepEqual(await another.approvals.key(), await live.approvals.key(), 'one key for all servers');
});

test('nothing is missed while nobody could be told', async (t) => {
  const { where, live } = await database(t);
  const store = live.storeOnly(30);
  await store.append('a', { k: 'start', t: 1 });
  const wire = await WireCut.before(t, Number(new URL(where).port));
  const { live: far } = await database(t, where.replace(/:\d+\//, `:${wire.port}/`));
  let told = 0;
  const stop = far.storeOnly(30).changed(() => told++);
  await until(() => told > 0);
  const hears = async (what: string, change: () => Promise<unknown>): Promise<void> => {
    const before = told;
    await change();
    await until(() => told > before).catch(() => assert.fail(what));
  };
  await hears('at once', () => store.append('a', { k: 'topic', t: 2, text: 'x' }));
  await hears('cut while it happens', async () => {
    wire.cut();
    await store.append('a', { k: 'topic', t: 3, text: 'y' });
    wire.mend();
  });
  await hears('silent while it happens', async () => {
    wire.swallow();
    await store.append('a', { k: 'topic', t: 4, text: 'z' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    wire.mend();
  });
  stop();
});

const named = (name: string): string => `\${${name}}`;

test('an address says what is wrong with it, and repeats nothing of it', () => {
  const wrong = (where: string): Error => {
    try {
      addressOf(where, { EMPTY: '', GOOD: 'postgres://u:p%2F?@h/d?schema=shop&sslmode=require' });
    } catch (error) {
      return error as Error;
    }
    return assert.fail(where);
  };
  assert.match(
    wrong(named('MISSING')).message,
    /^the environment variable MISSING, which sessions: \{ store \} names, is not set/,
  );
  assert.match(wrong(named('EMPTY')).message, /EMPTY.*is not set/);
  for (const where of [
    'mysql://u:secret@h/d',
    'secret',
    '',
    'postgres://u:secret@h:99999999/d',
    'postgres://u:secret@h/d?schema=A"',
  ]) {
    const { name, message } = wrong(where);
    assert.equal(name, 'StoreError');
    assert.doesNotMatch(message, /secret/);
  }
  assert.equal(addressOf('journal', {}), undefined);
  assert.deepEqual(addressOf(named('A'), { A: 'postgres://u:p@h/d?schema=shop&sslmode=require' }), {
    url: 'postgres://u:p@h/d?sslmode=require',
    schema: 'shop',
  });
  assert.deepEqual(addressOf(`postgres://u:${named('A')}@h/d`, { A: 'x' }), {
    url: 'postgres://u:x@h/d',
    schema: 'fieldguide',
  });
});
