// The journal: the suite of every store, and what is its own: files, damage, several processes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ApprovalFiles } from '../../runtime/sessions/approvals.ts';
import { Journal } from '../../runtime/sessions/journal.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';
import { storeSuite } from './suite.ts';

const BEGIN = Date.UTC(2025, 0, 15, 10);

storeSuite('the journal', (t, clock) => new Journal({ root: temporaryFolder(t), now: () => clock.now }));

function journal(t: TestContext): { root: string; store: Journal; file: (name: string) => string } {
  const root = temporaryFolder(t);
  return {
    root,
    store: new Journal({ root, now: () => BEGIN }),
    file: (name) => join(root, '.fieldguide', name),
  };
}

test('everything stands in one folder, which git passes over, and names are safe on any disk', async (t) => {
  const { root, store, file } = journal(t);
  for (const id of ['../../x', 'a\0b', 'CON', 'con', 'aux.txt', 'Abc', 'abc', 'x'.repeat(10_240), 'größe'])
    await store.append(id, { k: 'start', t: BEGIN });
  assert.deepEqual(readdirSync(root), ['.fieldguide']);
  assert.deepEqual(readdirSync(file('.')).sort(), ['.gitignore', 'index.journal', 'sessions']);
  assert.equal(readFileSync(file('.gitignore'), 'utf8'), '*\n');
  const names = readdirSync(file('sessions'));
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 9);
  for (const name of names) assert.match(name, /^(?:_[0-9a-f]{40}|[a-z0-9-]+)\.journal$/);
  assert.ok(!names.includes('con.journal'));
});

test('reading writes nothing', async (t) => {
  const { root, store } = journal(t);
  await store.recent(10);
  await store.current('a');
  await store.version(undefined);
  assert.deepEqual([store.discoveries(), readdirSync(root)], [[], []]);
});

test('a torn or damaged record costs itself alone, and is counted', async (t) => {
  const { store, file } = journal(t);
  for (const text of ['one', 'two', 'three']) await store.append('a', { k: 'topic', t: BEGIN, text });
  const path = file('sessions/a.journal');
  const whole = readFileSync(path);
  truncateSync(path, whole.length - 5);
  await store.append('a', { k: 'topic', t: BEGIN, text: 'four' });
  const { topics, damaged } = (await store.find('a')) ?? {};
  assert.deepEqual([topics, damaged], [['one', 'two', 'four'], 1]);
  const flipped = Buffer.from(whole);
  flipped.write('X', flipped.indexOf('two'));
  writeFileSync(path, flipped);
  assert.deepEqual((await store.find('a'))?.topics, ['one', 'three']);
});

test('garbage in any journal is passed over', async (t) => {
  const { store, file } = journal(t);
  await store.append('a', { k: 'start', t: BEGIN });
  await store.discover({ id: 'd', sessionId: 'a', at: BEGIN, type: 'rule', content: 'ten letters' });
  const below = random(7);
  const garbage = Buffer.from(Array.from({ length: 100_000 }, () => below(256)));
  for (const name of ['index.journal', 'discoveries.journal', 'sessions/a.journal']) {
    appendFileSync(file(name), garbage);
    appendFileSync(file(name), '\n{"k":"topic"}\nnull\n00000000 {}\n');
    appendFileSync(file(name), `${'{"k":"sum",'.repeat(150_000)}\n`);
    appendFileSync(file(name), Buffer.alloc(5 * 1024 * 1024));
  }
  await store.append('b', { k: 'start', t: BEGIN });
  await store.append('a', { k: 'topic', t: BEGIN, text: 'after' });
  assert.deepEqual((await store.find('a'))?.topics, ['after']);
  assert.deepEqual((await store.recent(10)).map(({ id }) => id).sort(), ['a', 'b']);
  assert.equal(new Journal({ root: join(file('.'), '..') }).discoveries().length, 1);
});

test('a long session is read from its last summary, and reads the same without it', async (t) => {
  const { store, file } = journal(t);
  for (let n = 0; n < 4000; n++) {
    const paths = [`src/some/folder/of/many/file-${n % 50}.ts`];
    await store.append('a', { k: 'touch', t: BEGIN + n, use: `use-${n}`, paths });
  }
  const path = file('sessions/a.journal');
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes('{"k":"sum",'));
  const session = await store.find('a');
  assert.deepEqual([session?.toolCalls, session?.fileCount, session?.files[7]?.count], [4000, 50, 80]);
  const without = text
    .split('\n')
    .filter((line) => !line.includes('{"k":"sum",'))
    .join('\n');
  writeFileSync(path, without);
  assert.deepEqual(await store.find('a'), session);
});

for (const linked of ['', 'sessions', 'approvals']) {
  test(`a link in place of the folder .fieldguide/${linked} is refused, and nothing is written where it leads`, async (t) => {
    const { root, store } = journal(t);
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    if (linked !== '') mkdirSync(join(root, '.fieldguide'), { recursive: true });
    symlinkSync(elsewhere, join(root, '.fieldguide', linked).replace(/\/$/, ''));
    const approvals = new ApprovalFiles(root);
    const request = { id: 'a'.repeat(48), t: BEGIN, tool: 'x', agent: 'local', given: {}, binding: 'b' };
    const discovery = { id: 'd', sessionId: 'c', at: BEGIN, type: 'rule', content: 'ten letters' } as const;
    const sessions = [() => store.append('a', { k: 'start', t: BEGIN }), () => store.discover(discovery)];
    const asked = [() => approvals.open(request), () => approvals.key()];
    const refused = linked === '' ? [...sessions, ...asked] : linked === 'sessions' ? sessions : asked;
    for (const work of refused) await assert.rejects(work, { name: 'StoreError', code: 'ELOOP' });
    assert.deepEqual(readdirSync(elsewhere), []);
  });
}

test('a link, a folder or a pipe in place of a journal is refused, and what it leads to is not touched', async (t) => {
  const { root, store, file } = journal(t);
  const precious = join(root, 'precious');
  writeFileSync(precious, 'as it was');
  await store.append('a', { k: 'start', t: BEGIN });
  rmSync(file('index.journal'));
  symlinkSync(precious, file('index.journal'));
  symlinkSync(precious, file('discoveries.journal'));
  symlinkSync(precious, file('sessions/b.journal'));
  const discovery = { id: 'd', sessionId: 'c', at: BEGIN, type: 'rule', content: 'ten letters' } as const;
  for (const work of [
    () => store.append('b', { k: 'start', t: BEGIN }),
    () => store.append('new', { k: 'start', t: BEGIN }),
    () => store.discover(discovery),
    () => store.find('b'),
    () => store.recent(10),
    async () => store.discoveries(),
  ])
    await assert.rejects(work, { name: 'StoreError', code: 'ELOOP' });
  assert.equal(readFileSync(precious, 'utf8'), 'as it was');
  rmSync(file('index.journal'));
  mkdirSync(file('index.journal'));
  await assert.rejects(() => store.recent(10), { name: 'StoreError', code: 'EINVAL' });
  await assert.rejects(() => store.append('newer', { k: 'start', t: BEGIN }), { name: 'StoreError', code: 'EISDIR' });
});

test('errors name no path of the machine', async (t) => {
  const { root, store, file } = journal(t);
  writeFileSync(file('.').replace(/\/$/, ''), '');
  await assert.rejects(
    () => store.append('a', { k: 'start', t: BEGIN }),
    (error: Error) => error.name === 'StoreError' && !error.message.includes(root),
  );
  assert.equal(statSync(file('.').replace(/\/$/, '')).size, 0);
});

test('a session whose creator was killed before it stood in the index is found again', async (t) => {
  const { store, file } = journal(t);
  await store.append('a', { k: 'start', t: BEGIN });
  rmSync(file('index.journal'));
  assert.deepEqual(await store.recent(10), []);
  await store.append('a', { k: 'touch', t: BEGIN, use: 'u' });
  assert.deepEqual(
    (await store.recent(10)).map(({ id }) => id),
    ['a'],
  );
});

const WRITER = `
  import { Journal } from ${JSON.stringify(join(import.meta.dirname, '../../runtime/sessions/journal.ts'))};
  const [root, name] = process.argv.slice(-2);
  const store = new Journal({ root });
  for (let n = 0; n < 100; n++) {
    await store.append('shared', { k: 'touch', t: ${BEGIN} + n, use: name + n, paths: ['f' + n] });
    await store.append(name, { k: 'topic', t: ${BEGIN} + n, text: 't' + n });
  }
  await store.discover({ id: name, sessionId: name, at: ${BEGIN}, type: 'rule', content: 'ten letters' });
`;

test('eight processes that write at once lose nothing and tear nothing', async (t) => {
  const { root, store, file } = journal(t);
  const codes = await Promise.all(
    Array.from(
      { length: 8 },
      (_, n) =>
        new Promise((resolve) => {
          const args = ['--import', 'tsx', '--input-type=module', '-e', WRITER, '--', root, `w${n}`];
          spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: 'inherit' }).on('close', resolve);
        }),
    ),
  );
  assert.deepEqual(codes, Array(8).fill(0));
  const shared = await store.find('shared');
  assert.deepEqual([shared?.toolCalls, shared?.damaged, shared?.files[5]?.count], [800, 0, 8]);
  for (let n = 0; n < 8; n++) {
    const own = await store.find(`w${n}`);
    assert.deepEqual([own?.topics.length, own?.topics[99], own?.damaged, own?.discoveryCount], [100, 't99', 0, 1]);
  }
  assert.equal((await store.recent(100)).length, 9);
  assert.equal(store.discoveries().length, 8);
  assert.ok(existsSync(file('index.journal')));
});
