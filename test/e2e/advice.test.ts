// Every piece of advice, provoked over the wire and followed: the URI, the method or the command that it
// names must work.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ADVICE } from '../../runtime/later-advice.ts';
import { ENVELOPE, type Message, run, Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { bad } from '../support/upstreams/project.ts';

type Advice = keyof typeof ADVICE;

const PROJECT = `version: "1.0"
project: { name: a }
modules: { auth: {} }
files: [AGENTS.md, large.bin]
limits: { response: 1KB }
upstreams:
  gone: { command: no-such-program-anywhere, features: { tools: true } }
  none: { command: no-such-program-anywhere, features: { resources: false } }
  unset: { command: no-such-program-anywhere, env: { A: "\${NO_SUCH_VARIABLE_HERE}" } }
  large: ${JSON.stringify({ ...bad('huge'), maxSize: '1KB' })}
`;

function project(t: TestContext, files: Record<string, string> = {}): string {
  const root = temporaryFolder(t, {
    'project.yaml': PROJECT,
    'AGENTS.md': '# Agents\n',
    'content/docs/intro.md': '# Intro\n',
    'prompts/review.md': '---\narguments: [{ name: what, required: true }]\n---\nReview {{what}}.\n',
    ...files,
  });
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(3000));
  return root;
}

const read = (uri: string): [string, object] => ['resources/read', { uri }];
const record = (topic: string): [string, object] => ['tools/call', { name: 'record_topic', arguments: { topic } }];
const propose = (more: object): [string, object] => [
  'tools/call',
  { name: 'record_discovery', arguments: { type: 'rule', content: 'Refunds need two approvals', ...more } },
];
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const template = (uri: string, name: string): [string, object] => [
  'completion/complete',
  { ref: { type: 'ref/resource', uri }, argument: { name, value: '' } },
];

/** One request, or more, for each; each is answered with that advice. */
const PROVOKED: Partial<Record<Advice, [method: string, params: object][]>> = {
  // First: following it starts a session, so that from then on there is a current one to read.
  session: [read('context://session/current')],
  module: [read('context://module/auht')],
  page: [
    read('context://module/auth?page=9'),
    read('guide://help?page=99'),
    read('guide://document/docs/intro?page=9'),
    read('file://AGENTS.md?page=9'),
  ],
  context: [read('context://elsewhere'), read('context://module/auth/more')],
  topic: [record(''), record('a\u0007b'), record('x'.repeat(201))],
  secret: [record(`the key is AKIA${'ABCDEFGH12345678'}`)],
  path: [read('context://for/')],
  scheme: [read('other://x')],
  uri: [read('context://module/%2e%2e'), read('no uri'), read('context://module/a?page=x')],
  guide: [read('guide://elsewhere/x'), read('guide://')],
  category: [read('guide://category/dcos'), read('guide://collection/al'), read('guide://document/dcos/intro')],
  document: [read('guide://document/docs/itnro'), read('guide://category/docs/nothing*')],
  pattern: [read(`guide://category/docs/${'{a,b}'.repeat(20)}`)],
  file: [read('file://AGENT.md'), read('file:///etc/passwd')],
  large: [read('file://large.bin')],
  cursor: [
    ['resources/list', { cursor: 'nonsense' }],
    ['resources/list', { cursor: 5 }],
    ['resources/templates/list', { cursor: 'x' }],
    ['tools/list', { cursor: 'x' }],
    ['prompts/list', { cursor: 'x' }],
  ],
  missingUri: [['resources/read', {}]],
  method: [
    ['resources/lits', {}],
    ['nothing', {}],
  ],
  envelope: [
    ['server/discover', {}],
    ['resources/list', { _meta: { [VERSION]: '2026-07-28' } }],
  ],
  discovery: [propose({ content: 'Too short' })],
  respond: [
    ['approval/respond', {}],
    ['approval/respond', { request_id: 'x', approved: 'yes' }],
  ],
  approvalAgain: [
    ['approval/respond', { request_id: 'x'.repeat(32), approved: true }],
    propose({ approval_request_id: 'x'.repeat(32), approved: true }),
  ],
  listen: [['subscriptions/listen', { _meta: ENVELOPE }]],
  subscriptions: [
    [
      'subscriptions/listen',
      {
        notifications: { resourceSubscriptions: Array.from({ length: 1001 }, (_, n) => `file://${n}.md`) },
        _meta: ENVELOPE,
      },
    ],
  ],
  template: [template('context://modul/{name}', 'name'), ['completion/complete', {}]],
  argument: [template('context://module/{name}', 'nam')],
  prompt: [
    ['prompts/get', { name: 'getting-strated' }],
    ['prompts/get', {}],
  ],
  promptArguments: [['prompts/get', { name: 'review' }]],
  upstream: [
    read('upstream://gone/x://y'),
    ['resources/list', { group: 'gone' }],
    ['tools/call', { name: 'gone__x' }],
    template('upstream://gone/x://{y}', 'y'),
  ],
  upstreamGroup: [
    read('upstream://nobody/x://y'),
    ['resources/list', { group: 'nobody' }],
    ['resources/read', { group: 'nobody', uri: 'x://y' }],
  ],
  upstreamVariable: [read('upstream://unset/x://y')],
  upstreamFeature: [read('upstream://none/x://y')],
  upstreamSize: [read('upstream://large/bad://a')],
  tool: [
    ['tools/call', { name: 'serach' }],
    ['tools/call', { name: 'none__x' }],
  ],
  toolArguments: [
    ['tools/call', { name: 'search' }],
    ['tools/call', {}],
  ],
};

/** What needs a request first. */
const APPROVALS = ['approvalWaiting', 'approvalChanged', 'approvalDenied'] as const;

/** What needs another bundle, or another store. */
const ELSEWHERE: readonly Advice[] = [
  'upstreamTrust',
  'noGuide',
  'bundle',
  'permissions',
  'digest',
  'store',
  'denied',
  'database',
  'address',
  'audit',
  ...APPROVALS,
];

async function refusal(server: Served, [method, params]: [string, object]): Promise<Message> {
  const { error, result } = await server.request(method, params);
  if (result?.isError) return JSON.parse(result.content[0].text);
  assert.ok(error, `${method} ${JSON.stringify(params)} was not refused`);
  return error.data;
}

function assertIs(name: Advice, data: Message): void {
  const { hint, setup, docs }: { hint: string; setup?: string; docs?: string } = ADVICE[name];
  assert.ok(data.hint?.endsWith(hint), `${name}: ${data.hint}`);
  assert.deepEqual([data.setup, data.docs], [setup, docs], name);
}

/** Reads the URIs, asks the methods and runs the commands that a text names. */
async function follow(server: Served, root: string, text: string): Promise<number> {
  let followed = 0;
  for (const [uri] of text.matchAll(/\b(?:context|guide|file):\/\/[^\s,;"?`]*[^\s,;"?`.]/g)) {
    if (uri.includes('{')) continue;
    assert.ok((await server.request('resources/read', { uri })).result, `${uri} of "${text}"`);
    followed++;
  }
  for (const [method] of text.matchAll(/\b(?:resources|tools|prompts)\/[a-z/]+\b/g)) {
    if (method === 'resources/read') continue;
    assert.ok((await server.request(method)).result, `${method} of "${text}"`);
    followed++;
  }
  for (const [, command] of text.matchAll(/`fieldguide ([a-z ]+)`/g)) {
    assert.equal(run([...(command as string).split(' '), '--root', root]).code, 0, `${command} of "${text}"`);
    followed++;
  }
  return followed;
}

test('every refusal that can be mended says how, and following it works', async (t) => {
  const root = project(t);
  assert.equal(run(['build', '--root', root]).code, 0);
  const server = new Served(t, ['--root', root]);
  const provoked = new Set<Advice>(ELSEWHERE);
  for (const [name, requests] of Object.entries(PROVOKED) as [Advice, [string, object][]][]) {
    provoked.add(name);
    for (const request of requests) {
      const data = await refusal(server, request);
      assertIs(name, data);
      await follow(server, root, `${data.hint} ${data.setup ?? ''} ${data.docs ?? ''}`);
      const near = /Did you mean (\S+)\?/.exec(data.hint)?.[1];
      if (near?.startsWith('"'))
        assert.ok(['auth', 'docs', 'all', 'intro', 'intro.md'].includes(JSON.parse(near)), near);
    }
  }
  assert.deepEqual([...provoked].sort(), Object.keys(ADVICE).sort(), 'all of the table is provoked');
  const half = { ...ENVELOPE, [VERSION]: '2026-07-28' };
  assert.ok((await server.request('server/discover', { _meta: half })).result, 'the envelope as advised');
});

test('a program that a changed project.yaml does not vouch for is started after the advice was followed', async (t) => {
  const own = PROJECT.replace(/upstreams:.*/s, `upstreams: ${JSON.stringify({ good: bad('good') })}\n`);
  const root = project(t, { 'project.yaml': own });
  assert.equal(run(['build', '--root', root]).code, 0);
  writeFileSync(join(root, 'project.yaml'), `${own}# changed\n`);
  const server = new Served(t, ['--root', root]);
  const data = await refusal(server, read('upstream://good/bad://a'));
  assertIs('upstreamTrust', data);
  assert.equal(await follow(server, root, data.hint), 1);
  await until(async () => (await server.request(...read('upstream://good/bad://a'))).result !== undefined);
  const trusting = new Served(t, ['--root', root, '--trust-upstreams']);
  assert.ok((await trusting.request(...read('upstream://good/bad://a'))).result);
});

test('without a guide, without a bundle and with one that cannot be read, the advice works too', async (t) => {
  const root = temporaryFolder(t, { 'project.yaml': 'version: "1.0"\nproject: { name: a }\n' });
  const server = new Served(t, ['--root', root]);
  const none = await refusal(server, read('context://project/overview'));
  assertIs('bundle', none);
  const [, command = ''] = /`fieldguide ([a-z]+)`/.exec(none.hint) ?? [];
  assert.equal(run([command, '--root', root]).code, 0);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.ok((await server.request(...read('context://project/overview'))).result, 'taken up by itself, as it says');
  for (const uri of ['guide://help', 'guide://category/docs', 'guide://document/docs/x']) {
    const data = await refusal(server, read(uri));
    assertIs('noGuide', data);
    await follow(server, root, `${data.hint} ${data.docs}`);
  }
  const file = join(root, 'dist-index/context.fgb');
  writeFileSync(file, 'damaged');
  assertIs('bundle', await refusal(new Served(t, ['--root', root]), read('context://project/overview')));
  if (process.getuid?.() === 0) {
    rmSync(file);
    const loop = join(root, 'dist-index');
    symlinkSync('context.fgb', join(loop, 'context.fgb'));
  } else chmodSync(file, 0);
  assertIs('permissions', await refusal(new Served(t, ['--root', root]), read('context://project/overview')));
});

test('with another bundle than the required one, the advice works too', async (t) => {
  const root = project(t);
  assert.equal(run(['build', '--root', root]).code, 0);
  const server = new Served(t, ['--root', root, '--require-digest', `sha256:${'0'.repeat(64)}`]);
  const data = await refusal(server, read('context://project/overview'));
  assertIs('digest', data);
  const [digest = ''] = /^sha256:.*$/m.exec(run(['verify', '--root', root]).stdout) ?? [];
  assert.equal(await follow(server, root, data.setup), 1);
  const other = new Served(t, ['--root', root, '--require-digest', digest]);
  assert.ok((await other.request(...read('context://project/overview'))).result, 'with the digest that verify prints');
});

test('what an agent may not read comes with advice that leads to what it may', async (t) => {
  const agents = 'agents: { half: { resources: ["context://**"] }, blind: { resources: ["file://**"] } }\n';
  const root = project(t, { 'project.yaml': `${PROJECT}${agents}` });
  assert.equal(run(['build', '--root', root]).code, 0);
  const half = new Served(t, ['--root', root, '--agent', 'half']);
  const data = await refusal(half, read('guide://help'));
  assertIs('denied', data);
  await follow(half, root, `${data.hint} ${data.setup} ${data.docs}`);
  const blind = new Served(t, ['--root', root, '--agent', 'blind']);
  const module = await refusal(blind, [
    'tools/call',
    { name: 'read_resource', arguments: { uri: 'guide://elsewhere' } },
  ]);
  assert.deepEqual([module.hint, module.docs], ['list_resources shows what there is.', undefined]);
  assert.equal((await refusal(blind, read('file://AGENT.md'))).docs, undefined);
});

test('a store that cannot be used is said to be so, and everything else is served', async (t) => {
  const root = project(t);
  assert.equal(run(['build', '--root', root]).code, 0);
  rmSync(join(root, '.fieldguide'), { recursive: true, force: true });
  const broken: [string, () => void][] = [
    ['a file where the folder should be', () => writeFileSync(join(root, '.fieldguide'), '')],
    ['a link', () => link(join(root, '.fieldguide'), join(root, 'AGENTS.md'))],
    ['a folder', () => mkdirSync(join(root, '.fieldguide/index.journal'), { recursive: true })],
  ];
  const server = new Served(t, ['--root', root]);
  for (const [what, breakIt] of broken) {
    breakIt();
    const { error } = await server.request(...read('context://sessions/recent'));
    assert.deepEqual([error.code, error.message, error.data.kind], [-32603, 'Failed to read resource', 'store'], what);
    assert.match(error.data.reason, /^The session data cannot be read \(E[A-Z]+\)\.$/);
    for (const request of [read('context://session/current'), record('a topic')]) {
      const data = await refusal(server, request);
      assertIs('store', data);
      assert.ok(!JSON.stringify(data).includes(root), 'no path of the machine');
      await follow(server, root, `${data.hint} ${data.docs}`);
    }
    rmSync(join(root, '.fieldguide'), { recursive: true });
  }
  assert.equal(readFileSync(join(root, 'AGENTS.md'), 'utf8'), '# Agents\n', 'what a link led to is as it was');
  assert.ok((await server.request(...read('context://sessions/recent'))).result, 'mended, it is read again');
});

test('a database that cannot be used is said to be so, and everything else is served', async (t) => {
  const root = project(t);
  assert.equal(run(['build', '--root', root]).code, 0);
  const places: [Advice, string][] = [
    ['database', 'postgres://nobody@127.0.0.1:1/none'],
    ['address', `\${${'NO_SUCH_VARIABLE_OF_TEST'}}`],
  ];
  for (const [name, where] of places) {
    const server = new Served(t, ['--root', root, '--store', where]);
    for (const request of [read('context://session/current'), record('a topic'), propose({})]) {
      const data = await refusal(server, request);
      assertIs(name, data);
      await follow(server, root, `${data.hint} ${data.docs}`);
    }
    if (name === 'address') {
      assert.match(
        (await refusal(server, read('context://sessions/recent'))).reason,
        /variable NO_SUCH_VARIABLE_OF_TEST/,
      );
    }
  }
});

test('a call that cannot be audited is refused, reads go on, and with the file in its place it runs', async (t) => {
  const root = project(t);
  assert.equal(run(['build', '--root', root]).code, 0);
  const file = join(temporaryFolder(t), 'audit.log');
  const server = new Served(t, ['--root', root, '--audit', file]);
  assert.ok((await server.request(...record('a topic'))).result.isError === undefined);
  renameSync(file, `${file}.away`);
  for (const request of [record('a topic'), propose({})]) {
    const data = await refusal(server, request);
    assertIs('audit', data);
    assert.equal(data.error, 'not_audited');
    assert.ok(!JSON.stringify(data).includes(file), 'no path of the machine');
    await follow(server, root, `${data.hint} ${data.docs}`);
  }
  renameSync(`${file}.away`, file);
  assert.ok((await server.request(...record('a topic'))).result.isError === undefined, 'put back, as it says');
});

test('the advice on a request that waits, is for something else, or was denied works', async (t) => {
  const root = project(t);
  assert.equal(run(['build', '--root', root]).code, 0);
  const server = new Served(t, ['--root', root]);
  const asked = async (): Promise<string> =>
    JSON.parse((await server.request(...propose({}))).result.content[0].text).request_id;
  const id = await asked();
  const again = { approval_request_id: id, approved: true };
  const waiting = await refusal(server, propose(again));
  assertIs('approvalWaiting', waiting);
  await follow(server, root, String(waiting.docs));
  assertIs('approvalChanged', await refusal(server, propose({ ...again, content: 'Refunds need no approval' })));
  await server.request('approval/respond', { request_id: id, approved: false });
  assertIs('approvalDenied', await refusal(server, propose(again)));
  assert.notEqual(await asked(), id, 'a new call makes a new request');
});

function link(folder: string, target: string): void {
  mkdirSync(folder);
  for (const name of ['index.journal', 'discoveries.journal']) symlinkSync(target, join(folder, name));
}
