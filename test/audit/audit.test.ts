// `serve --audit`, driven as clients and accidents do: what is written and what never is, several processes on one
// file, kills, figures that must be those the test counted.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accessesIn, auditedShop, ended, headsOf, linesOf, show, verify } from '../support/audited.ts';
import { ENVELOPE, type Message, run, Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';

const AUTH = 'context://module/auth';
const NOTHING = 'context://module/nothing';

/** Lines leave beside the answers; on a busy machine a moment later. */
async function writtenDown(file: string, least: number): Promise<void> {
  const reads = (): number => accessesIn(file).filter(({ uri }) => uri === AUTH).length;
  for (let tries = 0; reads() < least && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(reads() >= least);
}

function guided(t: TestContext): string {
  const root = temporaryFolder(t, {
    'project.yaml': 'version: "1.0"\nproject: { name: a, description: MARKER-project }\nmodules: { auth: {} }\n',
    'content/docs/intro.md': '# MARKER-title\n\nMARKER-text.\n',
    'prompts/review.md': '---\narguments: [{ name: what, required: true }]\n---\nMARKER-prompt {{what}}.\n',
  });
  assert.equal(run(['build', '--root', root]).code, 0);
  return root;
}

test('every access is a line with its method, URI or name, outcome, size, time and bundle, and nothing more', async (t) => {
  const root = guided(t);
  const file = join(temporaryFolder(t), 'audit.log');
  const env = { SECRET: 'MARKER-environment' };
  const server = new Served(t, ['--root', root, '--audit', file], { env });
  await server.request('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'MARKER-client' } });
  await server.request('ping');
  await server.modern('server/discover');
  const tool = (name: string, given: object): [string, object] => ['tools/call', { name, arguments: given }];
  const asked: [request: [string, object], what: object][] = [
    [['resources/list', {}], { method: 'resources/list', outcome: 'ok' }],
    [['resources/read', { uri: OVERVIEW }], { uri: OVERVIEW, outcome: 'ok' }],
    [['resources/read', { uri: 'guide://collection/all' }], { uri: 'guide://collection/all', outcome: 'ok' }],
    [['resources/read', { uri: NOTHING }], { uri: NOTHING, outcome: 'not_found' }],
    [['resources/read', { uri: 'MARKER-no-uri' }], { uri: '…', outcome: 'invalid_uri' }],
    [['resources/read', { uri: 'https://me:MARKER-password@x' }], { uri: 'https:…', outcome: 'invalid_scheme' }],
    [['resources/read', { uri: `file://AKIA${'ABCDEFGH12345678'}` }], { uri: 'file://…', outcome: 'access_denied' }],
    [['resources/read', {}], { outcome: 'invalid_params' }],
    [['resources/subscribe', { uri: AUTH }], { uri: AUTH, outcome: 'ok' }],
    [['resources/unsubscribe', { uri: AUTH }], {}],
    [['resources/templates/list', {}], { outcome: 'ok' }],
    [['prompts/list', {}], { outcome: 'ok' }],
    [['prompts/get', { name: 'review', arguments: { what: 'MARKER-value' } }], { name: 'review', outcome: 'ok' }],
    [['tools/list', {}], { outcome: 'ok' }],
    [tool('search', { query: 'MARKER-query' }), { name: 'search', outcome: 'ok' }],
    [tool('read_resource', { uri: AUTH }), { name: 'read_resource', uri: AUTH, outcome: 'ok' }],
    [tool('read_resource', { uri: NOTHING }), { name: 'read_resource', uri: NOTHING, outcome: 'not_found' }],
    [
      tool('context_for', { path: './src/a.ts' }),
      { name: 'context_for', uri: 'context://for/src/a.ts', outcome: 'ok' },
    ],
    [tool('none', {}), { name: 'none', outcome: 'invalid_params' }],
    [
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'what', value: 'MARKER-typed' } },
      ],
      { name: 'review', outcome: 'ok' },
    ],
    [['approval/respond', { request_id: 'MARKER-id', approved: true }], { outcome: 'approval_unknown' }],
    [['MARKER method', {}], { outcome: 'unknown_method' }],
    [tool('record_topic', { topic: 'MARKER-topic' }), { name: 'record_topic', outcome: 'ok' }],
    [
      tool('record_discovery', { type: 'rule', content: 'MARKER-discovery' }),
      { name: 'record_discovery', outcome: 'ok' },
    ],
  ];
  const sizes: number[] = [];
  for (const [[method, params]] of asked) {
    sizes.push(Buffer.byteLength(JSON.stringify(await server.request(method, params))));
  }
  assert.equal(await ended(server), 0);
  const answered = accessesIn(file).filter(({ outcome }) => outcome !== 'begun');
  const expected = asked.map(([[method], what], n) => ({ method, what, size: sizes[n] }));
  const audited = expected.filter(({ method }) => method !== 'resources/unsubscribe');
  assert.equal(answered.length, audited.length);
  for (const [n, { method, what, size }] of audited.entries()) {
    const { writer, number, previous, sum, time, ms, digest, agent, bytes, announced, ...rest }: Message = answered[n];
    const named = method === 'MARKER method' ? {} : { method };
    assert.deepEqual(rest, { ...named, ...what }, method);
    assert.deepEqual([agent, digest.length, bytes], ['local', 12, size], method);
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(ms >= 0);
    assert.equal(
      announced === undefined,
      !/^record/.test(answered[n].name ?? ''),
      'a change is announced before it runs',
    );
  }
  const { digest } = JSON.parse(run(['verify', '--root', root, '--json']).stdout);
  assert.equal(digest.slice(7, 19), answered[0].digest);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /MARKER|AKIA/);
  assert.deepEqual([statSync(file).mode & 0o777, statSync(`${file}.heads`).mode & 0o777], [0o600, 0o700]);
  assert.deepEqual([verify(file).problems, verify(file).notes], [[], []]);
});

test('eight processes write one file at once, and what it tells is what was asked', async (t) => {
  const { file, serve } = auditedShop(t);
  const servers = Array.from({ length: 8 }, (_, n) => serve({ CLAUDE_CODE_SESSION_ID: `session-${n}` }));
  const counts = new Map<string, number>();
  await Promise.all(
    servers.map(async (server, n) => {
      const asked = Array.from({ length: 200 }, (_, k) => [OVERVIEW, AUTH, NOTHING][(k * (n + 1)) % 3] as string);
      for (const uri of asked) counts.set(uri, (counts.get(uri) ?? 0) + 1);
      for (let k = 0; k < asked.length; k += 20) {
        await Promise.all(asked.slice(k, k + 20).map((uri) => server.request('resources/read', { uri })));
      }
      assert.equal(await ended(server), 0);
    }),
  );
  const { ok, lines, writers, problems, notes } = verify(file);
  assert.deepEqual([ok, lines, writers, problems, notes], [true, 8 * 202, 8, [], []]);
  const rows: Message[] = show(file).accesses;
  assert.deepEqual(
    rows.map(({ agent, what, outcome, times }) => [agent, what, outcome, times]).sort(),
    [...counts].map(([uri, times]) => ['local', uri, uri === NOTHING ? 'not_found' : 'ok', times]).sort(),
  );
  const bySession: Message[] = show(file, '--by', 'session').accesses;
  assert.deepEqual(
    bySession.map(({ session, times }) => [session, times]).sort(),
    servers.map((_, n) => [`session-${n}`, 200]),
  );
  const one: Message[] = show(file, '--session', 'session-3').accesses;
  assert.equal(one.length, 200);
  assert.deepEqual(
    one.map(({ time }) => time),
    one.map(({ time }) => time).sort(),
    'in the order of time',
  );
  const text = run(['audit', 'show', file, '--by', 'uri']).stdout;
  assert.match(text, new RegExp(`^ *${counts.get(NOTHING)} +${counts.get(NOTHING)}  ${NOTHING} `, 'm'));
  const many = run(['audit', 'show', file, '--session', 'session-']);
  assert.deepEqual([many.code, /8 sessions begin with/.test(many.stderr)], [1, true]);
});

test('a process that is killed costs at most its last lines, is noted, and disturbs nobody', async (t) => {
  const { file, serve } = auditedShop(t);
  const other = serve();
  for (let n = 0; n < 5; n++) {
    const server = serve();
    for (let k = 0; k < 20; k++) await server.request('resources/read', { uri: AUTH });
    await writtenDown(file, (n + 1) * 20);
    const request = { jsonrpc: '2.0', method: 'resources/read', params: { uri: AUTH } };
    server.send(Array.from({ length: 500 }, (_, k) => `${JSON.stringify({ ...request, id: 1000 + k })}\n`).join(''));
    await server.answer(({ id }) => id === 1000 + n * 100);
    server.child.kill('SIGKILL');
    await server.ended;
    await other.request('resources/read', { uri: OVERVIEW });
  }
  assert.equal(await ended(other), 0);
  const { ok, writers, problems, notes } = verify(file);
  assert.deepEqual([ok, writers, problems], [true, 6, []]);
  assert.deepEqual(
    notes.map(({ kind }: Message) => kind).filter((kind: string) => kind !== 'torn'),
    Array(5).fill('open'),
  );
  const rows: Message[] = show(file).accesses;
  assert.equal(rows.find(({ what }) => what === OVERVIEW).times, 5);
  assert.ok(rows.find(({ what }) => what === AUTH).times >= 5 * 20, 'what was answered long before is there');
});

test('what was answered before SIGTERM, or before the end of input, is in the file', async (t) => {
  const { file, serve } = auditedShop(t);
  const server = serve();
  await Promise.all(Array.from({ length: 100 }, () => server.request('resources/read', { uri: OVERVIEW })));
  server.child.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  assert.equal(accessesIn(file).length, 100);
  const piped = serve();
  piped.child.stdin.end(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: AUTH } })}\n`,
  );
  assert.equal((await piped.ended).code, 0);
  assert.equal(accessesIn(file).length, 101);
  assert.equal(linesOf(file).filter((line) => line.includes('"event":"close"')).length, 2);
  assert.deepEqual([verify(file).ok, verify(file).notes], [true, []]);
});

test('without --audit nothing is written, and other commands are not audited', async (t) => {
  const { root, file, serve } = auditedShop(t);
  const server = serve();
  run(['read', OVERVIEW, '--root', root]);
  run(['list', '--root', root]);
  assert.equal(await ended(server), 0);
  assert.deepEqual([accessesIn(file).length, headsOf(file).length], [0, 1]);
});

test('what is no file of an audit is refused at the start, and left as it is', (t) => {
  const root = builtShop(t);
  const folder = temporaryFolder(t, { 'other.txt': 'other', 'empty.log': '' });
  const at = (name: string): string => join(folder, name);
  symlinkSync('empty.log', at('link'));
  mkdirSync(at('folder'));
  writeFileSync(at('heads.log.heads'), '');
  const wrong: [string, RegExp][] = [
    [at('link'), /is a link; name the file that it leads to\.$/m],
    [at('folder'), /is not a plain file; name another for the audit\.$/m],
    [at('other.txt'), /is no audit, or its heads are gone .*; name another file, or move this one away\.$/m],
    [at('none/audit.log'), /there is no folder .* for the audit; make it, or name another file\.$/m],
    [at('heads.log'), /is not a folder; move it away, or name another file for the audit\.$/m],
  ];
  if (spawnSync('mkfifo', [at('pipe')]).status === 0) wrong.push([at('pipe'), /is not a plain file/]);
  for (const [file, says] of wrong) {
    const { code, stdout, stderr } = run(['serve', '--root', root, '--audit', file], { input: '' });
    assert.deepEqual([code, stdout], [1, ''], file);
    assert.match(stderr, says);
  }
  assert.equal(readFileSync(at('other.txt'), 'utf8'), 'other');
  assert.equal(readFileSync(at('empty.log'), 'utf8'), '');
  assert.equal(
    run(['serve', '--root', root, '--audit', at('empty.log')], { input: '' }).code,
    0,
    'an empty file is fine',
  );
});

test('an agent stands in its lines by its name, and what it may not read as denied, through a tool as well', async (t) => {
  const agents = 'agents: { reader: { resources: ["context://project/**"] } }\n';
  const root = temporaryFolder(t, {
    'project.yaml': `version: "1.0"\nproject: { name: a }\nmodules: { auth: {} }\n${agents}`,
  });
  assert.equal(run(['build', '--root', root]).code, 0);
  const file = join(temporaryFolder(t), 'audit.log');
  const server = new Served(t, ['--root', root, '--agent', 'reader', '--audit', file]);
  for (const uri of [OVERVIEW, AUTH]) {
    await server.request('resources/read', { uri });
    await server.request('tools/call', { name: 'read_resource', arguments: { uri } });
  }
  assert.equal(await ended(server), 0);
  const rows: Message[] = show(file, '--agent', 'reader').accesses;
  assert.deepEqual(
    rows.map(({ agent, what, outcome, times }) => [agent, what, outcome, times]),
    [
      ['reader', AUTH, 'access_denied', 2],
      ['reader', OVERVIEW, 'ok', 2],
    ],
  );
  assert.deepEqual(show(file, '--agent', 'local').accesses, []);
});

test('modern requests are audited alike, and a request that listens when it ends', async (t) => {
  const { file, serve } = auditedShop(t);
  const server = serve();
  await server.modern('resources/read', { uri: AUTH });
  const notifications = { resourceSubscriptions: [AUTH] };
  server.send(
    `${JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params: { notifications, _meta: ENVELOPE } })}\n`,
  );
  await server.answer(({ method }) => method === 'notifications/subscriptions/acknowledged');
  assert.equal(await ended(server), 0);
  assert.deepEqual(
    accessesIn(file).map(({ method, uri, outcome }) => [method, uri, outcome]),
    [
      ['resources/read', AUTH, 'ok'],
      ['subscriptions/listen', AUTH, 'ok'],
    ],
  );
});

test('names that would steer a terminal are shown as signs, in the table and in the receipt', async (t) => {
  const { file, serve } = auditedShop(t);
  const server = serve({ CLAUDE_CODE_SESSION_ID: 'plain' });
  const names = ['a\u001b[31mred', 'b\nnew line', 'c\u202eright', 'd\u0007', 'e'.repeat(500)];
  for (const name of names) await server.request('prompts/get', { name });
  await server.request('resources/read', { uri: 'context://module/\u001b]0;title\u0007' });
  assert.equal(await ended(server), 0);
  for (const more of [[], ['--by', 'uri'], ['--session', 'plain']]) {
    const { code, stdout } = run(['audit', 'show', file, ...more]);
    assert.equal(code, 0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(stdout, /b new line/);
    assert.equal(stdout.trimEnd().split('\n').length, names.length + 1 + 1 + Number(more.includes('--session')));
  }
});
