// `fieldguide session` as people type it, and live pages as agents read them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Journal } from '../../runtime/sessions/journal.ts';
import { type Ended, type Message, run, Served, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop, LIVE_URIS } from '../support/served.ts';

const PROJECT = 'version: "1.0"\nproject: { name: a }\nmodules: { auth: {} }\n';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function project(t: TestContext, files: Record<string, string> = {}): string {
  return temporaryFolder(t, { 'project.yaml': PROJECT, 'src/deep/a.ts': '', ...files });
}

function session(root: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Ended {
  return run(['session', ...args], { cwd: root, ...options });
}

function data(root: string, args: string[]): Message {
  const { code, stdout, stderr } = session(root, [...args, '--json']);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return JSON.parse(stdout);
}

/** Everything that was kept. */
function kept(root: string): string {
  const folder = join(root, '.fieldguide');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.journal'))
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');
}

test('the group and each of its commands help, examples first', () => {
  const group = run(['session', '--help']);
  assert.match(group.stdout, /^[^\n]+\n\nExamples:\n {2}fieldguide session start +# /);
  for (const args of [['session'], ['help', 'session'], ['session', '-h'], ['session', 'help']])
    assert.deepEqual(run(args), group);
  const names = [...group.stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map((match) => match[1] as string);
  assert.deepEqual(names, [
    'start',
    'end',
    'touch',
    'topic',
    'discover',
    'list',
    'show',
    'prune',
    'discoveries',
    'approve',
    'deny',
    'promote',
    'hook',
  ]);
  for (const name of names) {
    const { code, stdout } = run(['help', 'session', name]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^[^\\n]+\\n\\nExamples:\\n {2}fieldguide session ${name}`));
    assert.match(stdout, new RegExp(`\\nUsage: fieldguide session ${name} `));
    if (name !== 'hook')
      assert.equal(run(['session', name, '--help']).stdout, stdout, 'a hook prints nothing on stdout');
    assert.equal(run(['session', 'help', name]).stdout, stdout);
  }
});

test('wrong usage is said in one line, exit code 2', (t) => {
  const root = project(t);
  const wrong: [string[], RegExp][] = [
    [['tpic', 'x'], /unknown command "tpic"; did you mean fieldguide session topic\?/],
    [['constructor'], /unknown command "constructor"; fieldguide session --help lists the commands/],
    [['--root', '.', 'start'], /options come after the command/],
    [['topic'], /session topic needs <text…>; fieldguide session topic --help shows examples/],
    [['touch'], /needs <path…>/],
    [['start', '--clinet', 'x'], /did you mean --client\?/],
    [['start', '--client', 'a b'], /--client is a name/],
    [['list', '--limit', '0'], /--limit is a whole number from 1 to 100/],
    [['list', '--limit', '5x'], /--limit is a whole number/],
    [['prune', '--older-than', 'soon'], /--older-than is a number of days or hours/],
    [['discover', 'something learned'], /needs --type/],
    [['discover', '--type', 'idea', 'something learned'], /--type is one of pattern, rule, decision, issue/],
    [['show', 'a', 'b'], /one argument too many/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = session(root, args);
    assert.deepEqual([code, stdout, stderr.trimEnd().split('\n').length], [2, '', 1], args.join(' '));
    assert.match(stderr, message);
  }
  assert.equal(kept(root), '');
});

test('a session from start to end, from any folder of the project', (t) => {
  const root = project(t);
  const cwd = join(root, 'src/deep');
  const started = session(root, ['start', '--client', 'zed'], { cwd });
  assert.deepEqual([started.code, started.stderr], [0, '']);
  assert.match(started.stdout, /^[0-9a-f-]{36}\n$/);
  const id = started.stdout.trim();
  const touched = session(root, ['touch', 'a.ts', './a.ts', '../../README.md', join(root, 'src/gone.ts')], { cwd });
  assert.deepEqual([touched.code, touched.stdout], [0, '']);
  assert.equal(touched.stderr, `Session ${id.slice(0, 8)}: noted 3 files.\n`);
  session(root, ['touch', 'src/deep/a.ts']);
  assert.equal(session(root, ['topic', 'refresh ', ' tokens\nrace']).code, 0);
  const shown = data(root, ['show']);
  assert.deepEqual(Object.keys(shown), ['id', 'startedAt', 'status', 'client', 'filesAccessed', 'topics', 'metadata']);
  assert.deepEqual([shown.id, shown.status, shown.client], [id, 'active', 'zed']);
  assert.deepEqual(
    shown.filesAccessed.map(({ path, accessCount }: Message) => [path, accessCount]),
    [
      ['src/deep/a.ts', 2],
      ['README.md', 1],
      ['src/gone.ts', 1],
    ],
  );
  assert.deepEqual(shown.topics, ['refresh tokens race']);
  assert.deepEqual([shown.metadata.toolCallsCount, shown.metadata.discoveryCount], [0, 0]);
  assert.match(
    session(root, ['show', id.slice(0, 6)]).stdout,
    /^Session .*\n(?:.*\n)*Files \(3\)\n {5}2 {2}src\/deep\/a\.ts/,
  );
  assert.match(session(root, ['end']).stderr, /^Session [0-9a-f]{8} ended after less than a minute\.\n$/);
  assert.match(session(root, ['end', id]).stderr, /had ended already/);
  assert.equal(data(root, ['show', id]).status, 'completed');
  const none = session(root, ['show']);
  assert.deepEqual([none.code, none.stdout], [1, '']);
  assert.match(none.stderr, /no active session; `fieldguide session list` shows the ones before/);
});

test('without an active session nothing is recorded, and it is said what to run', (t) => {
  const root = project(t);
  for (const args of [
    ['touch', 'a'],
    ['topic', 'x'],
    ['discover', '--type', 'rule', '--yes', 'something learned'],
    ['end'],
  ]) {
    const { code, stdout, stderr } = session(root, args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, `fieldguide session ${args[0]}: no active session; run \`fieldguide session start\`\n`);
  }
  assert.equal(existsSync(join(root, '.fieldguide')), false);
});

test('without a project, or a root that is none, it is said what to do', (t) => {
  const root = temporaryFolder(t);
  const { code, stderr } = session(root, ['start']);
  assert.equal(code, 1);
  assert.match(stderr, /^fieldguide session start: no project here: .* has a project\.yaml or a .*--root <folder>\n$/);
  assert.match(session(root, ['start', '--root', 'nowhere']).stderr, /there is no folder "nowhere"/);
  assert.deepEqual(readdirSync(root), []);
  assert.equal(session(root, ['start', '--root', '.']).code, 0, 'a root that is named needs nothing in it');
});

test('a session of a client is known by the id that the client gives', (t) => {
  const root = project(t);
  const env = { CLAUDE_CODE_SESSION_ID: 'Claude-1' };
  session(root, ['start', '--id', 'other']);
  assert.equal(session(root, ['topic', 'x'], { env }).code, 1, 'another one is not taken for it');
  assert.equal(session(root, ['start'], { env }).stdout, 'Claude-1\n');
  session(root, ['touch', 'a', '--root', '.'], { env });
  session(root, ['start', '--id', 'later']);
  assert.equal(session(root, ['topic', 'mine'], { env }).code, 0);
  assert.deepEqual(data(root, ['show', 'Claude-1']).topics, ['mine']);
  assert.equal(data(root, ['show']).id, 'Claude-1', 'it was active last');
  const crafted = session(root, ['start', '--id', '../../x']).stdout.trim();
  assert.match(crafted, /^[0-9a-f]{40}$/);
  assert.equal(data(root, ['show', '../../x']).id, crafted);
});

test('paths outside the project, and what is no path, are refused whole', (t) => {
  const root = project(t);
  const outside = temporaryFolder(t, { 'secret.txt': '' });
  symlinkSync(root, join(outside, 'link'));
  session(root, ['start', '--id', 's']);
  const before = kept(root);
  for (const path of ['/etc/passwd', '..', '.', '../x', root, `${root}-other/a`, 'a\nb', 'x'.repeat(5000), '\u202e']) {
    const { code, stderr } = session(root, ['touch', 'src/fine.ts', path]);
    assert.equal(code, 1, path.slice(0, 50));
    assert.match(stderr, /nothing was recorded\n$/);
  }
  assert.equal(kept(root), before);
  assert.equal(session(root, ['touch', join(outside, 'link/src/a.ts')]).code, 0, 'it is really below the root');
  assert.equal(session(outside, ['touch', 'link/b.ts', '--root', 'link']).code, 0);
  assert.deepEqual(
    data(root, ['show']).filesAccessed.map(({ path }: Message) => path),
    ['src/a.ts', 'b.ts'],
  );
});

test('secrets and unseen characters are refused, and nothing of them is stored or repeated', (t) => {
  const root = project(t);
  session(root, ['start']);
  const before = kept(root);
  const secret = `ghp_${'Zq7'.repeat(12)}`;
  for (const args of [
    ['topic', `the token is ${secret}`],
    ['discover', '--type', 'rule', '--yes', `the token is ${secret}`],
    ['discover', '--type', 'issue', '--yes', '--solution', secret, 'ten letters'],
    ['discover', '--type', 'issue', '--yes', '--module', secret, 'ten letters'],
    ['touch', secret],
    ['topic', 'a\u200bb'],
    ['topic', 'x'.repeat(201)],
    ['topic', ' '],
    ['discover', '--type', 'rule', '--yes', 'short'],
  ]) {
    const { code, stdout, stderr } = session(root, args);
    assert.deepEqual([code, stdout], [1, ''], args.join(' '));
    assert.ok(!stderr.includes('Zq7'), stderr);
    assert.match(stderr, /nothing was recorded/);
  }
  assert.match(session(root, ['topic', secret]).stderr, /a token of GitHub\. Leave the value out/);
  assert.equal(kept(root), before);
});

test('a discovery needs a yes: of a person on a terminal, or in the command', (t) => {
  const root = project(t);
  session(root, ['start', '--id', 'abcdefgh-1']);
  const args = [
    'discover',
    '--type',
    'issue',
    '--module',
    'auth',
    '--solution',
    'Take the mutex',
    'Refresh tokens race',
  ];
  const refused = session(root, args);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /needs a yes: run it on a terminal, or add --yes\. Nothing was recorded/);
  assert.ok(!kept(root).includes('Refresh'));
  const recorded = session(root, [...args, '--yes']);
  assert.match(recorded.stdout, /^[0-9a-f-]{36}\n$/);
  assert.equal(data(root, ['show']).metadata.discoveryCount, 1);
  const page = run(['read', 'context://discoveries?type=issue&module=auth', '--root', root]).stdout;
  assert.match(page, /^# Discoveries \(1\)\n\n## Issue \(Session: abcdefgh\)\n\nRefresh tokens race\n/);
  const { id, at, ...rest } = data(root, ['discover', '--type', 'rule', '--yes', 'Always the same']);
  assert.deepEqual(rest, { sessionId: 'abcdefgh-1', type: 'rule', content: 'Always the same' });
  assert.match(`${id} ${at}`, /^\S{36} \d{4}-.*Z$/);
});

test('on a terminal it asks, and anything but yes is no', (t) => {
  if (spawnSync('script', ['--version']).status !== 0) return t.skip('no command `script` here');
  const root = project(t);
  session(root, ['start']);
  const onTerminal = (answer: string): { status: number | null; stdout: string } => {
    const command = `${process.execPath} ${START_FILE} session discover --type rule 'Always the same'`;
    return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: root, input: answer, encoding: 'utf8' });
  };
  for (const answer of ['n\n', '\n', 'yesterday\n', '\u0004']) {
    const { status, stdout } = onTerminal(answer);
    assert.equal(status, 1, JSON.stringify(answer));
    assert.match(stdout, /rule: Always the same\s+[^\n]*Record this for everybody who reads this project\? \[y\/N\]/);
    assert.match(stdout, /Nothing was recorded\./);
  }
  assert.ok(!kept(root).includes('Always'));
  assert.equal(onTerminal('y\n').status, 0);
  assert.equal(data(root, ['show']).metadata.discoveryCount, 1);
});

test('list shows the latest, show finds by how an id begins', (t) => {
  const root = project(t);
  const empty = session(root, ['list']);
  assert.deepEqual([empty.code, empty.stdout], [0, '']);
  assert.match(empty.stderr, /No sessions yet; `fieldguide session start` begins one\./);
  assert.deepEqual(data(root, ['list']), { sessions: [] });
  for (const id of ['aaaa-1', 'aaaa-2', 'bbbb-1']) session(root, ['start', '--id', id]);
  const { stdout } = session(root, ['list', '--limit', '2']);
  assert.match(
    stdout,
    /^bbbb-1 {2}\d{4}-\S+Z {2}less than a minute {2}active {2}0 files {2}0 topics {2}0 discoveries\naaaa-2 .*\n$/,
  );
  assert.equal(data(root, ['list']).sessions.length, 3);
  assert.equal(data(root, ['show', 'bb']).id, 'bbbb-1');
  assert.match(session(root, ['show', 'aa']).stderr, /2 sessions have an id that begins with "aa": aaaa-2, aaaa-1/);
  assert.match(session(root, ['show', 'zz\u001b']).stderr, /no session has an id that begins with "zz\ufffd"/);
});

test('prune archives after 7 days and removes after 90, or what is said; a trial changes nothing', async (t) => {
  const root = project(t);
  const store = new Journal({ root });
  for (const days of [100, 40, 10, 3])
    await store.append(`d${days}`, { k: 'start', t: Date.now() - days * DAY, client: 'zed' });
  const status = (): string =>
    data(root, ['list'])
      .sessions.map(({ id, status }: Message) => `${id} ${status}`)
      .join();
  const before = status();
  assert.equal(before, 'd3 completed,d10 completed,d40 completed,d100 completed');
  assert.equal(session(root, ['prune', '--dry-run']).stdout, '2 sessions would be archived, 1 would be removed\n');
  assert.equal(status(), before);
  assert.deepEqual(data(root, ['prune']), { archived: 2, removed: 1, dryRun: false });
  assert.equal(status(), 'd3 completed,d10 archived,d40 archived');
  assert.equal(session(root, ['prune', '--older-than', '30d']).stdout, '0 sessions archived, 1 removed\n');
  assert.equal(session(root, ['prune', '--older-than', '48h']).stdout, '0 sessions archived, 2 removed\n');
  assert.equal(status(), '');
});

test('how long idle is, the bundle says; without one it is half an hour', async (t) => {
  const root = project(t, { 'project.yaml': `${PROJECT}sessions: { idleMinutes: 5 }\n` });
  await new Journal({ root }).append('a', { k: 'start', t: Date.now() - 10 * MINUTE });
  assert.equal(data(root, ['show', 'a']).status, 'active');
  assert.equal(run(['build', '--root', root]).code, 0);
  assert.equal(data(root, ['show', 'a']).status, 'completed');
  assert.equal(run(['read', 'context://session/current', '--root', root]).code, 1);
  rmSync(join(root, 'project.yaml'));
  assert.equal(data(join(root, 'src'), ['show', 'a']).status, 'completed', 'a bundle alone makes a project');
  writeFileSync(join(root, 'dist-index/context.fgb'), 'damaged');
  const { code, stderr } = session(root, ['show', 'a']);
  assert.equal(code, 0);
  assert.match(stderr, /^The bundle cannot be read \(.*\), so the usual settings hold\.\n$/);
});

test('a write that fails says so, exit code 1, and changes nothing', (t) => {
  const root = project(t);
  writeFileSync(join(root, '.fieldguide'), '');
  const { code, stdout, stderr } = session(root, ['start']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /^fieldguide session start: the journal cannot be used \(ENOTDIR\)\. Check the folder \.fieldguide/,
  );
  assert.equal(readFileSync(join(root, '.fieldguide'), 'utf8'), '');
  rmSync(join(root, '.fieldguide'));
  session(root, ['start', '--id', 'a']);
  const before = kept(root);
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$1" session "$2" "$3"`;
  for (const [command, given] of [
    ['topic', 'cannot be kept'],
    ['touch', 'src/a.ts'],
  ] as const) {
    const full = spawnSync('sh', ['-c', limited, process.execPath, START_FILE, command, given], { cwd: root });
    assert.equal(full.status, 1, String(full.stderr));
    assert.match(String(full.stderr), /the journal cannot be used \(EFBIG\)/);
  }
  assert.equal(kept(root), before);
  assert.equal(session(root, ['topic', 'with room again']).code, 0);
  assert.deepEqual(data(root, ['show']).topics, ['with room again']);
});

test('live pages are read over the protocol in both eras, and nobody keeps them', async (t) => {
  const root = builtShop(t);
  const server = new Served(t, ['--root', root]);
  for (const era of ['request', 'modern'] as const) {
    const { error } = await server[era]('resources/read', { uri: 'context://session/current' });
    assert.deepEqual([error.code, error.message, error.data.kind], [-32602, 'No active session', 'not_found']);
    assert.deepEqual([error.data.uri, error.data.resource], ['context://session/current', 'context://session/current']);
  }
  const read = async (uri: string): Promise<string> => {
    const { result: legacy } = await server.request('resources/read', { uri });
    const { result: modern } = await server.modern('resources/read', { uri });
    assert.deepEqual(legacy.contents, modern.contents);
    assert.deepEqual([modern.resultType, modern.ttlMs, modern.cacheScope], ['complete', 0, 'public']);
    assert.deepEqual([legacy.contents[0].uri, legacy.contents[0].mimeType], [uri, 'text/markdown']);
    return legacy.contents[0].text;
  };
  assert.equal(await read('context://sessions/recent'), '# Recent Sessions (0)\n');
  assert.equal(await read('context://discoveries'), '# Discoveries (0)\n');
  for (const id of ['first-session', 'second-session']) session(root, ['start', '--id', id]);
  session(root, ['topic', 'tokens']);
  session(root, ['touch', 'src/auth/index.ts']);
  assert.match(
    await read('context://session/current'),
    /^# Active Session\n[\s\S]*\n### src\/auth\/index\.ts\n[\s\S]*- tokens\n/,
  );
  assert.match(await read('context://sessions/recent?limit=1'), /^# Recent Sessions \(1\)\n\n## Session second-s\n/);
  assert.match(await read('context://sessions/recent?limit=100&other=x'), /^# Recent Sessions \(2\)\n/);
  for (const limit of ['0', '-1', '5x', '1e3', '101', '', '1&limit=2', '１']) {
    const { error } = await server.request('resources/read', { uri: `context://sessions/recent?limit=${limit}` });
    assert.equal(error.code, -32602, limit);
  }
  const bundleRead = await server.modern('resources/read', { uri: 'context://project/overview' });
  assert.ok(bundleRead.result.ttlMs > 0);
});

test('the current session is that of the client that asks', async (t) => {
  const root = builtShop(t);
  const server = new Served(t, ['--root', root], { env: { CLAUDE_CODE_SESSION_ID: 'mine' } });
  session(root, ['start', '--id', 'mine', '--client', 'claude']);
  session(root, ['topic', 'my own']);
  session(root, ['start', '--id', 'of-another']);
  const { result } = await server.request('resources/read', { uri: 'context://session/current' });
  assert.match(result.contents[0].text, /- my own\n/);
});

test('a long page comes in pages that joined are the whole', async (t) => {
  const root = project(t, { 'project.yaml': `${PROJECT}limits: { sessions: 2KB }\n` });
  run(['build', '--root', root]);
  const store = new Journal({ root });
  for (let n = 0; n < 60; n++) await store.append(`session-${n}`, { k: 'start', t: Date.now() - n });
  const server = new Served(t, ['--root', root]);
  let joined = '';
  let pages = 0;
  for (let uri: string | undefined = 'context://sessions/recent?limit=50'; uri !== undefined; pages++) {
    const { result }: Message = await server.request('resources/read', { uri });
    const [{ text }] = result.contents;
    assert.ok(Buffer.byteLength(text) <= 2048);
    const notice: RegExpExecArray | null = /\n\[Page \d+ of \d+\. The next is (\S+)\]$/.exec(text);
    joined += notice === null ? text : text.slice(0, notice.index);
    uri = notice?.[1];
  }
  assert.ok(pages > 2);
  assert.equal(joined.match(/^## Session /gm)?.length, 50);
});

async function record(server: Served, topic: string): Promise<Message> {
  const { result, error } = await server.request('tools/call', { name: 'record_topic', arguments: { topic } });
  assert.equal(error, undefined, JSON.stringify(error));
  return result;
}

test('record_topic notes a topic in the active session, or begins one; nothing else writes', async (t) => {
  const root = builtShop(t);
  const server = new Served(t, ['--root', root]);
  for (const uri of LIVE_URIS) await server.request('resources/read', { uri });
  await server.request('tools/call', { name: 'search', arguments: { query: 'auth' } });
  assert.equal(existsSync(join(root, '.fieldguide')), false, 'reading and searching leave no trace');
  const [{ text }] = (await record(server, ' refresh\n tokens ')).content;
  assert.match(text, /^Recorded the topic "refresh tokens" in session [0-9a-f]{8}, which begins with it\.$/);
  const again = (await record(server, 'rotation')).content[0].text;
  assert.match(again, /^Recorded the topic "rotation" in session [0-9a-f]{8}\.$/);
  const shown = data(root, ['show']);
  assert.deepEqual([shown.topics, shown.client], [['refresh tokens', 'rotation'], 'mcp']);
  assert.equal(shown.metadata.toolCallsCount, 2, 'where no hook counts, the tool counts itself');
  assert.equal(data(root, ['list']).sessions.length, 1);
});

test('record_topic in the session of a client whose hooks count', async (t) => {
  const root = builtShop(t);
  const server = new Served(t, ['--root', root], { env: { CLAUDE_CODE_SESSION_ID: 'mine' } });
  session(root, ['start', '--id', 'mine', '--client', 'claude-code']);
  session(root, ['start', '--id', 'of-another']);
  assert.match((await record(server, 'tokens')).content[0].text, /in session mine\.$/);
  const { topics, metadata } = data(root, ['show', 'mine']);
  assert.deepEqual([topics, metadata.toolCallsCount], [['tokens'], 0]);
  session(root, ['end', 'mine']);
  assert.match((await record(server, 'more')).content[0].text, /in session mine, which begins with it\.$/);
  assert.deepEqual(data(root, ['show', 'mine']).topics, ['tokens', 'more']);
});

test('what record_topic refuses is a result that says what to do', async (t) => {
  const root = builtShop(t);
  const server = new Served(t, ['--root', root]);
  const secret = `AKIA${'QWERTYUI12345678'}`;
  for (const [topic, message] of [
    [`key ${secret}`, /^Not recorded\. The topic has what looks like an access key of AWS\.$/],
    ['', /^Not recorded\. A topic has 1 to 200 characters; this one has 0\.$/],
    ['x'.repeat(300), /this one has 300/],
    ['\u202eevil', /invisible character/],
  ] as const) {
    const { isError, content } = await record(server, topic);
    assert.equal(isError, true);
    const failure = JSON.parse(content[0].text);
    assert.equal(failure.error, 'not_recordable');
    assert.match(failure.message, message);
    assert.ok(failure.hint.length > 10 && failure.docs === 'context://sessions/recent');
    assert.ok(!content[0].text.includes(secret));
  }
  mkdirSync(join(root, '.fieldguide/index.journal'), { recursive: true });
  const { isError, content } = await record(server, 'x');
  assert.deepEqual([isError, JSON.parse(content[0].text).error], [true, 'store']);
  assert.match(
    JSON.parse(content[0].text).message,
    /^Failed to record\. The session data cannot be written \(E\w+\)\.$/,
  );
  const { error } = await server.request('tools/call', { name: 'record_topic', arguments: {} });
  assert.equal(error.code, -32602);
});
