// What hooks record reaches the database, each thing once: while it is there, after it was away, and when whoever
// hands it over is ended in the middle.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../runtime/sessions/journal.ts';
import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { encodeRecord } from '../../runtime/sessions/record.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startHook } from '../support/hooks.ts';
import { freshDatabase, PostgresServer, withSchema } from '../support/postgres.ts';
import { replica } from '../support/replicas.ts';
import { until } from '../support/until.ts';

const T = Date.UTC(2025, 0, 15, 10);

function payload(root: string, n: number, session = 'hooked'): string {
  return JSON.stringify({
    session_id: session,
    cwd: root,
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_use_id: `toolu_${n}`,
    tool_input: { file_path: join(root, `src/file-${n % 7}.ts`) },
  });
}

test('hooks reach the database by themselves, with no server about, and none of them waits', async (t) => {
  const url = await freshDatabase();
  const { root, env } = replica(t, url);
  const database = new DatabaseLive({ root: temporaryFolder(t), where: url });
  t.after(async () => await database.end());
  const store = database.storeOnly(30);
  for (let n = 0; n < 10; n++) assert.equal((await startHook(payload(root, n), { env })).code, 0);
  await until(async () => (await store.find('hooked'))?.toolCalls === 10, 30_000);
  assert.equal((await store.find('hooked'))?.client, 'claude');
});

test('fifty hooks while the database is away are counted once each when it is back', async (t) => {
  const server = await PostgresServer.start();
  const url = withSchema(server.url, 'away');
  const { root, env } = replica(t, url);
  assert.equal(run(['session', 'start', '--id', 'other', '--root', root], { env }).code, 0);
  await server.stop('SIGKILL');
  for (let round = 0; round < 5; round++) {
    const hooks = Array.from({ length: 10 }, (_, n) => startHook(payload(root, round * 10 + n), { env }));
    assert.deepEqual([...new Set((await Promise.all(hooks)).map(({ code }) => code))], [0]);
  }
  const away = run(['session', 'show', 'hooked', '--root', root], { env });
  assert.equal(away.code, 1);
  assert.match(away.stderr, /the database cannot be reached \(ECONNREFUSED\)/);
  await server.start();
  for (let times = 0; times < 3; times++) {
    const { stdout } = run(['session', 'show', 'hooked', '--json', '--root', root], { env });
    assert.equal(JSON.parse(stdout).metadata.toolCallsCount, 50);
  }
  await startHook(payload(root, 50), { env });
  const { stdout } = run(['session', 'show', 'hooked', '--json', '--root', root], { env });
  const { metadata, filesAccessed } = JSON.parse(stdout);
  const counts = filesAccessed.map(({ accessCount }: { accessCount: number }) => accessCount).sort();
  assert.deepEqual([metadata.toolCallsCount, counts], [51, [7, 7, 7, 7, 7, 8, 8]]);
});

test('whoever hands over may be ended anywhere, and several may do it at once', async (t) => {
  const url = await freshDatabase();
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  const paths = ['src/a.ts'];
  // Files that a person names have nothing to tell one from the next: only the place in the journal does.
  for (let n = 0; n < 3000; n++) await journal.append(`s${n % 3}`, { k: 'touch', t: T + n, paths });
  await journal.append('Über uns', { k: 'topic', t: T, text: 'not a plain id' });
  const many = Array.from({ length: 4 }, () => new DatabaseLive({ root, where: url }));
  t.after(async () => await Promise.all(many.map((one) => one.end())));
  const [first, ...others] = many as [DatabaseLive, ...DatabaseLive[]];
  let cut = 0;
  for (let at = 1; at <= 12; at++) {
    const broken = new DatabaseLive({ root, where: url });
    let statements = 0;
    const { transaction } = broken.database;
    broken.database.transaction = async (work) =>
      (await transaction.call(broken.database, async (client) => {
        const query = client.query.bind(client) as (...given: unknown[]) => unknown;
        const counting = {
          query: (...given: unknown[]) => (++statements === at ? Promise.reject(new Error('ended')) : query(...given)),
        };
        return await work(counting as never);
      })) as never;
    await broken.handOver.all().catch(() => cut++);
    await broken.end();
  }
  assert.ok(cut >= 5, `it was ended in the middle ${cut} times`);
  await Promise.all(others.map((one) => one.handOver.all()));
  const store = first.storeOnly(30);
  const counts = async (): Promise<(number | undefined)[]> =>
    await Promise.all(['s0', 's1', 's2'].map(async (id) => (await store.find(id))?.files[0]?.count));
  assert.deepEqual(await counts(), [1000, 1000, 1000]);
  assert.deepEqual((await store.find('Über uns'))?.topics, ['not a plain id']);
  await journal.append('s1', { k: 'touch', t: T + 4000, paths });
  await Promise.all(many.map((one) => one.handOver.all()));
  assert.deepEqual(await counts(), [1000, 1001, 1000]);
});

test('torn lines wait for their end; garbage is passed over; a journal begun anew is another one', async (t) => {
  const url = await freshDatabase();
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  const live = new DatabaseLive({ root, where: url });
  t.after(async () => await live.end());
  const store = live.storeOnly(30);
  await journal.append('a', { k: 'start', t: T, client: 'claude' });
  const file = join(root, '.fieldguide/sessions/a.journal');
  const half = encodeRecord({ k: 'touch', t: T, paths: ['x'] } as never);
  const append = (bytes: Buffer | string): void => writeFileSync(file, bytes, { flag: 'a' });
  append(half.subarray(0, 20));
  await live.handOver.all();
  assert.equal((await store.find('a'))?.fileCount, 0);
  append(half.subarray(20));
  append(`\n${'x'.repeat(5 * 1024 * 1024)}\n{"k":"touch"}\n`);
  await journal.append('a', { k: 'topic', t: T, text: 'after it' });
  await live.handOver.all();
  const { files, topics } = (await store.find('a')) ?? {};
  assert.deepEqual([files?.[0]?.count, topics], [1, ['after it']]);
  rmSync(file);
  await journal.append('a', { k: 'topic', t: T + 5, text: 'anew' });
  await live.handOver.all();
  assert.deepEqual((await store.find('a'))?.topics, ['after it', 'anew']);
});

test('what was in the journal before a project went over to a database goes with it; a copy counts for itself', async (t) => {
  const url = await freshDatabase();
  const { root, env } = replica(t, url);
  const asJournal = ['--store', 'journal', '--root', root];
  run(['session', 'start', '--id', 'early', ...asJournal]);
  run(['session', 'topic', 'before the move', ...asJournal]);
  run([
    'session',
    'discover',
    '--type',
    'rule',
    '--module',
    'auth',
    '--yes',
    'Refunds need two approvals',
    ...asJournal,
  ]);
  const { stdout } = run(['session', 'show', 'early', '--json', '--root', root], { env });
  assert.deepEqual(JSON.parse(stdout).topics, ['before the move']);
  assert.match(run(['read', 'context://module/auth', '--root', root], { env }).stdout, /Refunds need two approvals/);
  const copy = temporaryFolder(t);
  cpSync(root, copy, { recursive: true });
  await startHook(payload(copy, 1, 'of-copy'), { env });
  const shown = run(['session', 'list', '--json', '--root', copy], { env });
  assert.deepEqual(
    JSON.parse(shown.stdout)
      .sessions.map(({ id }: { id: string }) => id)
      .sort(),
    ['early', 'of-copy'],
  );
  assert.equal(
    JSON.parse(run(['session', 'discoveries', '--json', '--root', copy], { env }).stdout).accepted.length,
    1,
  );
});

test('a project with a journal starts nothing from its hooks, and nothing of an address is ever on the disk', async (t) => {
  const { root, env } = replica(t, 'postgres://somebody:hunter2@127.0.0.1:1/nothing');
  await startHook(payload(root, 1), { env });
  assert.ok(existsSync(join(root, '.fieldguide/to-database')));
  run(['session', 'list', '--root', root], { env });
  for (const name of ['to-database', 'folder-id', 'handed-over', 'handing-over']) {
    const file = join(root, '.fieldguide', name);
    if (existsSync(file)) assert.doesNotMatch(readFileSync(file, 'utf8'), /hunter2|somebody|127/, name);
  }
  const plain = replica(t, '', 'version: "1.0"\nproject: { name: a }\n');
  await startHook(payload(plain.root, 1));
  assert.ok(existsSync(join(plain.root, '.fieldguide/sessions/hooked.journal')));
  assert.ok(!existsSync(join(plain.root, '.fieldguide/to-database')));
});
