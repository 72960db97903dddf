// `fieldguide session hook` as agents run it: real processes, real pipes, and the journal they leave.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../runtime/sessions/journal.ts';
import { type Ended, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import {
  everythingStored,
  fixture,
  fixtureNames,
  fixtureText,
  recordsOf,
  sessionRecords,
  startHook,
} from '../support/hooks.ts';

const PROJECT = { 'project.yaml': 'version: "1.0"\n' };
const MIB = 1024 * 1024;

function assertSilent({ code, stdout, stderr }: Ended, what: string): void {
  assert.deepEqual({ code, stdout }, { code: 0, stdout: '' }, what);
  assert.ok(stderr.split('\n').length <= 2, `${what}: ${stderr}`);
}

/** Several at a time, as agents do. */
async function hookEach(names: readonly string[], root: string): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (let n = 0; n < names.length; n += 8) {
    const some = names.slice(n, n + 8).map((name) => {
      const event = name.split('/')[1] as string;
      const args = /^copilot\/(agent|subagent)/.test(name) ? ['--event', event, '--agent', 'copilot'] : [];
      return startHook(fixtureText(name, root), { args, cwd: root });
    });
    ended.push(...(await Promise.all(some)));
  }
  return ended;
}

test('every fixture is accepted in silence, twice; the journal holds paths and counts and nothing else', async (t) => {
  const root = temporaryFolder(t, { ...PROJECT, 'src/pay.ts': '' });
  const ends = fixtureNames().filter((name) => /sessionend/i.test(name));
  const others = fixtureNames().filter((name) => !ends.includes(name));
  for (const names of [others, others, ends, ends]) {
    for (const ended of await hookEach(names, root)) assert.deepEqual(ended, { code: 0, stdout: '', stderr: '' });
  }
  const stored = everythingStored(root);
  for (const secret of [/planted/i, /@/, /\.(jsonl|ssh)/, /outside/, /toolu|call[-_]/, /\/home/, new RegExp(root)]) {
    assert.doesNotMatch(stored, secret);
  }
  const journal = new Journal({ root });
  const filesOf = async (id: string): Promise<unknown> => {
    const session = await journal.find(id);
    const files = session?.files.map(({ path, count }) => `${path} ${count}`).sort();
    return { client: session?.client, status: session?.status, toolCalls: session?.toolCalls, files };
  };
  assert.deepEqual(await filesOf(fixture('claude/Stop', root).session_id), {
    client: 'claude',
    status: 'completed',
    toolCalls: 6,
    files: ['notes/a.ipynb 1', 'src/locked.ts 1', 'src/pay.ts 1'],
  });
  assert.deepEqual(await filesOf(fixture('codex/Stop', root).session_id), {
    client: 'codex',
    status: 'completed',
    toolCalls: 2,
    files: ['src/gone.ts 1', 'src/moved.ts 1', 'src/new.ts 1', 'src/old.ts 1'],
  });
  assert.deepEqual(await filesOf(fixture('gemini/AfterAgent', root).session_id), {
    client: 'gemini',
    status: 'completed',
    toolCalls: 2,
    files: ['src/missing.ts 1', 'src/relative.ts 1'],
  });
  assert.deepEqual(await filesOf(fixture('cursor/stop', root).conversation_id), {
    client: 'cursor',
    status: 'completed',
    toolCalls: 4,
    files: ['docs/logo.png 1', 'src/cart.ts 1', 'src/none.ts 1'],
  });
  assert.deepEqual(await filesOf(fixture('copilot/agentStop', root).sessionId), {
    client: 'copilot',
    status: 'completed',
    toolCalls: 4,
    files: ['src/no.ts 2', 'src/tax.ts 1', 'src/vat.ts 1'],
  });
  assert.deepEqual(await filesOf(fixture('vscode/Stop', root).sessionId), {
    client: 'vscode',
    status: 'active',
    toolCalls: 2,
    files: ['src/main.ts 1', 'src/one.ts 1', 'src/side.ts 1', 'src/two.ts 1'],
  });
  assert.equal(new Set(recordsOf(join(root, '.fieldguide/index.journal')).map(({ id }) => id)).size, 6);
});

test('what is stored of a session is exactly this', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const id = fixture('claude/Stop', root).session_id;
  for (const name of ['SessionStart', 'PostToolUse', 'PostToolUse-outside', 'FileChanged', 'Stop', 'SessionEnd']) {
    assertSilent(await startHook(fixtureText(`claude/${name}`, root)), name);
  }
  const records = sessionRecords(root, id);
  for (const { t: at } of records) assert.ok(Math.abs(at - Date.now()) < 60_000);
  assert.deepEqual(
    records.map(({ t: _, ...record }) => ({
      ...record,
      ...(record.use === undefined ? {} : { use: record.use.length }),
    })),
    [
      { k: 'start', client: 'claude' },
      { k: 'touch', use: 12, paths: ['src/pay.ts'] },
      { k: 'touch', use: 12 },
      { k: 'touch' },
      { k: 'end' },
    ],
  );
  assert.deepEqual(readdirSync(join(root, '.fieldguide')).sort(), ['.gitignore', 'index.journal', 'sessions']);
});

test('a session whose start was not told has its agent all the same', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  await startHook(fixtureText('cursor/cli-postToolUse-Read', root));
  const session = await new Journal({ root }).find(fixture('cursor/stop', root).conversation_id);
  assert.deepEqual([session?.client, session?.toolCalls, session?.fileCount], ['cursor', 1, 1]);
});

test('what is no payload leaves nothing behind and at most a line', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const payload = fixtureText('claude/SessionStart', root);
  const inputs: Record<string, string | Buffer> = {
    'nothing at all': '',
    garbage: 'PLANTED { not JSON',
    'half of it': payload.slice(0, -20),
    'two of them': payload + payload,
    binary: Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)),
    zeros: Buffer.alloc(1000),
    deep: '['.repeat(MIB),
    'deep and whole': `${'['.repeat(MIB)}${']'.repeat(MIB)}`,
    'an array': '[1,2]',
    'a string': '"PLANTED"',
    null: 'null',
    'no id': JSON.stringify({ hook_event_name: 'SessionStart', cwd: root }),
    'an unknown event': JSON.stringify({ ...fixture('claude/Stop', root), hook_event_name: 'PLANTED' }),
    'keys of prototypes': '{"__proto__":{"session_id":"x"},"constructor":{"prototype":{"session_id":"y"}}}',
    'too long': Buffer.alloc(17 * MIB, 32),
    'too long, and right up to then': payload + ' '.repeat(17 * MIB),
  };
  for (const [what, input] of Object.entries(inputs)) {
    const ended = await startHook(input, { cwd: root });
    assertSilent(ended, what);
    assert.doesNotMatch(ended.stderr, /planted/i, what);
  }
  assert.equal(existsSync(join(root, '.fieldguide')), false);
});

test('payloads of ten megabytes are recorded, and so are strange ones', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const edit = fixture('claude/PostToolUse', root);
  const at = (n: number, changes: object) => JSON.stringify({ ...edit, session_id: `odd-${n}`, ...changes });
  const payloads = [
    at(0, { tool_response: { originalFile: 'x'.repeat(10 * MIB) } }),
    at(1, { tool_use_id: undefined, timestamp: 5, tool_input: { file_path: 'a.ts', content: 'é'.repeat(5 * MIB) } }),
    at(2, { tool_use_id: 'x'.repeat(MIB) }),
    at(3, { tool_input: { file_path: 'x'.repeat(MIB) } }),
    at(4, { tool_input: { file_path: 'a\nb.ts', path: 'ok\u202e.ts' } }),
    at(5, { tool_input: { files: Array.from({ length: 100_000 }, (_, n) => `src/${n}.ts`) } }),
    `\uFEFF${at(6, {})}`,
    at(7, { tool_use_id: undefined, tool_input: 'DEEP' }).replace('"DEEP"', '['.repeat(MIB) + ']'.repeat(MIB)),
  ];
  for (const [n, payload] of payloads.entries()) assertSilent(await startHook(payload), String(n));
  const sessions = await Promise.all(payloads.map((_, n) => new Journal({ root }).find(`odd-${n}`)));
  assert.deepEqual(
    sessions.map((session) => [session?.toolCalls, session?.fileCount]),
    [
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 0],
      [1, 1],
      [1, 500],
      [1, 1],
      [1, 0],
    ],
  );
});

test('ids that are no names of files lead nowhere', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  for (const id of ['../../escaped', '/etc/passwd', 'a\0b', 'x'.repeat(MIB), 'CON', '.', '{{root}}\n', '👩‍💻']) {
    assertSilent(
      await startHook(JSON.stringify({ ...fixture('claude/SessionStart', root), session_id: id })),
      id.slice(0, 20),
    );
  }
  assert.deepEqual(readdirSync(root).sort(), ['.fieldguide', 'project.yaml']);
  const names = readdirSync(join(root, '.fieldguide/sessions'));
  assert.equal(names.length, 8);
  for (const name of names) assert.match(name, /^_?[0-9a-f]{40}\.journal$/);
  assert.doesNotMatch(everythingStored(root), /escaped|passwd/);
});

test('the project is the nearest folder above with a description or a bundle; without one nothing is written', async (t) => {
  const outer = temporaryFolder(t, {
    ...PROJECT,
    'inner/dist-index/context.fgb': 'x',
    'inner/deep/er/a.ts': '',
    'other/b.ts': '',
  });
  const none = temporaryFolder(t);
  const edit = fixture('claude/PostToolUse', outer);
  const touch = (session_id: string, cwd: string, file_path: string) =>
    startHook(JSON.stringify({ ...edit, session_id, cwd, tool_input: { file_path } }), { cwd: outer });
  await touch('inner', join(outer, 'inner/deep'), 'er/a.ts');
  await touch('outer', join(outer, 'other'), '../other/./b.ts');
  await touch('across', join(outer, 'inner'), '../other/b.ts');
  await touch('folder', outer, 'other');
  await touch('none', none, 'b.ts');
  assert.deepEqual(sessionRecords(join(outer, 'inner'), 'inner')[0].paths, ['deep/er/a.ts']);
  assert.deepEqual(sessionRecords(outer, 'outer')[0].paths, ['other/b.ts']);
  assert.equal(sessionRecords(join(outer, 'inner'), 'across')[0].paths, undefined);
  assert.equal(sessionRecords(outer, 'folder')[0].paths, undefined);
  assert.deepEqual(readdirSync(none), []);
  assert.equal(sessionRecords(outer, 'none').length, 0);
});

test('a project behind a link, and a file behind one, are themselves', async (t) => {
  const folder = temporaryFolder(t, { 'real/project.yaml': '', 'real/src/a.ts': '' });
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const edit = fixture('claude/PostToolUse', folder);
  const touch = (cwd: string, file_path: string, n: number) =>
    startHook(JSON.stringify({ ...edit, session_id: 'linked', cwd, tool_use_id: `u${n}`, tool_input: { file_path } }));
  await touch(join(folder, 'link'), join(folder, 'link/src/a.ts'), 1);
  await touch(join(folder, 'link'), join(folder, 'real/src/a.ts'), 2);
  await touch(join(folder, 'real'), join(folder, 'link/src/a.ts'), 3);
  await touch(join(folder, 'real'), join(folder, 'link/src/new.ts'), 4);
  const session = await new Journal({ root: join(folder, 'real') }).find('linked');
  assert.deepEqual(
    session?.files.map(({ path, count }) => [path, count]),
    [
      ['src/a.ts', 3],
      ['src/new.ts', 1],
    ],
  );
});

test('sixteen hooks at once lose nothing, in one session and in sixteen', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const edit = fixture('claude/PostToolUse', root);
  const each = Array.from({ length: 16 }, (_, n) => n);
  const payload = (session_id: string, n: number) =>
    JSON.stringify({ ...edit, session_id, tool_use_id: `use-${n}`, tool_input: { file_path: `src/${n % 4}.ts` } });
  const ended = await Promise.all(each.map((n) => startHook(payload('one', n))));
  ended.push(...(await Promise.all(each.map((n) => startHook(payload(`many-${n}`, n))))));
  for (const one of ended) assert.deepEqual(one, { code: 0, stdout: '', stderr: '' });
  const journal = new Journal({ root });
  const one = await journal.find('one');
  assert.equal(one?.toolCalls, 16);
  assert.deepEqual(
    one?.files.map(({ count }) => count),
    [4, 4, 4, 4],
  );
  assert.deepEqual(
    (await journal.recent(50)).map(({ id }) => id).sort(),
    ['one', ...each.map((n) => `many-${n}`)].sort(),
  );
});

test('a writer that never closes is not waited for beyond three seconds; what it wrote counts', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const start = fixtureText('claude/SessionStart', root);
  const [silent, half, whole] = await Promise.all([
    startHook('', { keepOpen: true, cwd: root }),
    startHook(start.slice(0, 50), { keepOpen: true, cwd: root }),
    startHook(start, { keepOpen: true }),
  ]);
  assert.match(silent.stderr, /nothing came on stdin in time/);
  assert.match(half.stderr, /not JSON/);
  for (const ended of [silent, half, whole]) assertSilent(ended, '');
  assert.equal(sessionRecords(root, fixture('claude/SessionStart', root).session_id).length, 1);
});

test('stdin may be a file, a pipe, a folder, nothing, or closed', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const file = join(root, 'payload.json');
  writeFileSync(file, fixtureText('claude/SessionStart', root));
  const command = [START_FILE, 'session', 'hook'];
  const withStdin = (stdin: number | 'ignore') =>
    spawnSync(process.execPath, command, { stdio: [stdin, 'pipe', 'pipe'], encoding: 'utf8', cwd: root });
  const inShell = (line: string) =>
    spawnSync('sh', ['-c', line, process.execPath, ...command], { encoding: 'utf8', cwd: root });
  const all = {
    file: withStdin(openSync(file, 'r')),
    folder: withStdin(openSync(root, 'r')),
    nothing: withStdin('ignore'),
    pipe: inShell('cat payload.json | "$0" "$@"'),
    'slow pipe': inShell('(head -c 100 payload.json; sleep 0.3; tail -c +101 payload.json) | "$0" "$@"'),
    closed: inShell('"$0" "$@" <&-'),
  };
  for (const [what, { status, stdout, stderr }] of Object.entries(all))
    assertSilent({ code: status, stdout, stderr }, what);
  assert.equal(sessionRecords(root, fixture('claude/SessionStart', root).session_id).length, 3);
});

test('a Node without the quick way to stdin takes the other', async (t) => {
  const root = temporaryFolder(t, { ...PROJECT, 'gone.cjs': 'process.binding = () => { throw new Error("gone"); };' });
  const env = { NODE_OPTIONS: `--require ${join(root, 'gone.cjs')}` };
  assertSilent(await startHook(fixtureText('claude/SessionStart', root), { env }), 'other way');
  const late = await startHook('{', { env, keepOpen: true });
  assertSilent(late, 'late');
  assert.equal(sessionRecords(root, fixture('claude/SessionStart', root).session_id).length, 1);
});

test('options that are not known, or lack their value, stop nothing', async (t) => {
  const root = temporaryFolder(t, PROJECT);
  const start = fixtureText('claude/SessionStart', root);
  for (const args of [
    ['--nonsense'],
    ['--agent'],
    ['--event'],
    ['x', '--', '-z'],
    ['--agent=opencode', '--event=SessionStart'],
  ]) {
    assertSilent(await startHook(start, { args }), args.join(' '));
  }
  const records = sessionRecords(root, fixture('claude/SessionStart', root).session_id);
  assert.deepEqual(
    records.map(({ client }) => client),
    ['claude', 'claude', 'claude', 'claude', 'opencode'],
  );
  const help = await startHook('', { args: ['--help'] });
  assertSilent(help, 'help');
  assert.match(help.stderr, /coding agent/);
});

test('a journal that cannot be written costs a line, never the hook', async (t) => {
  const root = temporaryFolder(t, { ...PROJECT, '.fieldguide': 'a file' });
  const ended = await startHook(fixtureText('claude/SessionStart', root));
  assertSilent(ended, 'a file');
  assert.match(ended.stderr, /^fieldguide session hook: the journal cannot be used \(E[A-Z]+\)\n$/);
});

test('a journal that is a link is not written to, wherever it leads', async (t) => {
  const elsewhere = temporaryFolder(t, { 'profile.sh': 'keep\n' });
  const root = temporaryFolder(t, { ...PROJECT, '.fieldguide/sessions/.keep': '' });
  const { session_id } = fixture('claude/SessionStart', root);
  symlinkSync(join(elsewhere, 'profile.sh'), join(root, `.fieldguide/sessions/${session_id}.journal`));
  const ended = await startHook(fixtureText('claude/SessionStart', root));
  assertSilent(ended, 'a link');
  assert.match(ended.stderr, /ELOOP/);
  assert.equal(readFileSync(join(elsewhere, 'profile.sh'), 'utf8'), 'keep\n');
});

test('a folder that only others may write is said in one line', {
  skip: process.getuid?.() !== 0 && 'only root can become another user',
}, async (t) => {
  const root = temporaryFolder(t, PROJECT);
  chmodSync(root, 0o755);
  mkdirSync(join(root, '.fieldguide/sessions'), { recursive: true });
  for (const name of ['fieldguide.cjs', 'hook.cjs']) cpSync(join(dirname(START_FILE), name), join(root, name));
  const command = [join(root, 'fieldguide.cjs'), 'session', 'hook'];
  const child = spawn(process.execPath, command, { uid: 65534, gid: 65534, cwd: '/' });
  child.stdin.end(fixtureText('claude/SessionStart', root));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0);
  assert.match(stderr, /^fieldguide session hook: the journal cannot be used \(EACCES\)\n$/);
});
