// record_discovery over the wire: the seed's flow, and clients that ask their person, in both eras.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Journal } from '../../runtime/sessions/journal.ts';
import { ENVELOPE, type Message, Served, START_FILE } from '../support/command.ts';
import { type AnyServed, onEveryMount } from '../support/mounts.ts';
import { builtShop } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';

const RULE = { type: 'rule', content: 'Refunds need two approvals', module: 'auth' };
const AUTH = 'context://module/auth';

function tool(given: object): { name: string; arguments: object } {
  return { name: 'record_discovery', arguments: given };
}

function said({ result }: Message): Message {
  return JSON.parse(result.content[0].text);
}

async function discoveries(root: string): Promise<number> {
  return new Journal({ root }).discoveries().length;
}

async function authPage(served: AnyServed): Promise<string> {
  return (await served.request('resources/read', { uri: AUTH })).result.contents[0].text;
}

onEveryMount(
  'a call asks first; approved, the same call runs once and its rule is there for everybody',
  async (t, Serve) => {
    const root = builtShop(t);
    const served = new Serve(t, ['--root', root]);
    const asked = said(await served.request('tools/call', tool(RULE)));
    assert.deepEqual(
      [asked.approval_required, asked.message],
      [true, 'User approval required for tool: record_discovery'],
    );
    assert.equal(await discoveries(root), 0);
    const id = asked.request_id;
    const again = tool({ ...RULE, approval_request_id: id, approved: true });
    const early = await served.request('tools/call', again);
    assert.deepEqual([early.result.isError, said(early).error], [true, 'approval_waiting']);
    const { result } = await served.request('approval/respond', { request_id: id, approved: true });
    assert.deepEqual([result.recorded, result.approved], [true, true]);
    const changed = await served.request(
      'tools/call',
      tool({ ...RULE, content: 'Refunds need no approval', approval_request_id: id, approved: true }),
    );
    assert.equal(said(changed).error, 'approval_changed');
    const ran = await served.request('tools/call', again);
    assert.equal(ran.result.isError, undefined);
    assert.match(ran.result.content[0].text, /^Recorded the rule in session /);
    assert.match(await authPage(served), /- Refunds need two approvals \(Session: /);
    assert.equal(said(await served.request('tools/call', again)).error, 'approval_used');
    assert.equal(await discoveries(root), 1);
  },
);

onEveryMount('a request outlives the server that made it, and works without a handshake too', async (t, Serve) => {
  const root = builtShop(t);
  const first = new Serve(t, ['--root', root]);
  const id = said(await first.modern('tools/call', tool(RULE))).request_id;
  first.child.kill('SIGKILL');
  const second = new Serve(t, ['--root', root]);
  assert.equal((await second.modern('approval/respond', { request_id: id, approved: true })).result.recorded, true);
  const ran = await second.modern('tools/call', tool({ ...RULE, approval_request_id: id, approved: true }));
  assert.equal(ran.result.resultType, 'complete');
  assert.equal(await discoveries(root), 1);
});

onEveryMount('denied, it does not run, says why, and a new call makes a new request', async (t, Serve) => {
  const served = new Serve(t, ['--root', builtShop(t)]);
  const id = said(await served.request('tools/call', tool(RULE))).request_id;
  const denial = { request_id: id, approved: false, message: 'Say which refunds' };
  assert.deepEqual((await served.request('approval/respond', denial)).result, {
    recorded: true,
    approved: false,
    message: 'Say which refunds',
  });
  assert.equal((await served.request('approval/respond', { request_id: id, approved: true })).result.recorded, false);
  const refused = said(await served.request('tools/call', tool({ ...RULE, approval_request_id: id, approved: true })));
  assert.equal(refused.error, 'approval_denied');
  assert.match(refused.message, /Say which refunds/);
  assert.ok(refused.hint);
  assert.notEqual(said(await served.request('tools/call', tool(RULE))).request_id, id);
});

onEveryMount('what is wrong with an answer or a call is said, with what to do next', async (t, Serve) => {
  const served = new Serve(t, ['--root', builtShop(t)]);
  const unknown = await served.request('approval/respond', { request_id: 'x'.repeat(32), approved: true });
  assert.deepEqual([unknown.error.code, typeof unknown.error.data.hint], [-32602, 'string']);
  for (const params of [
    {},
    { request_id: 'x' },
    { request_id: 'x', approved: 'true' },
    { request_id: 'x', approved: true, message: 5 },
  ])
    assert.equal((await served.request('approval/respond', params)).error.code, -32602);
  for (const given of [
    { type: 'rule' },
    { type: 'other', content: 'Ten characters' },
    { ...RULE, approval_request_id: 5, approved: true },
    { ...RULE, approved: false, approval_request_id: 'x' },
  ])
    assert.equal((await served.request('tools/call', tool(given))).error.code, -32602);
  const short = await served.request('tools/call', tool({ type: 'rule', content: 'Too short' }));
  assert.equal(said(short).error, 'not_recordable');
  const secret = `The key is AKIA${'IOSFODNN7EXAMPLE'}, keep it`;
  const leaked = await served.request('tools/call', tool({ type: 'rule', content: secret }));
  assert.equal(said(leaked).error, 'not_recordable');
  assert.ok(!JSON.stringify(leaked).includes('IOSFODNN7'));
});

onEveryMount('no tool approves or allows; only project.yaml does', async (t, Serve) => {
  const root = builtShop(t, `${SHOP}approval: { allow: [record_discovery] }\n`);
  const served = new Serve(t, ['--root', root]);
  const { result } = await served.request('tools/list');
  const levels = new Map(result.tools.map((one: Message) => [one.name, one._meta['fieldguide/approvalLevel']]));
  assert.equal(levels.get('record_discovery'), 'user');
  assert.deepEqual(
    [...levels.values()].filter((level) => level !== 'none'),
    ['user'],
  );
  assert.ok(Buffer.byteLength(JSON.stringify(result)) < 3072);
  assert.ok(![...levels.keys()].some((name) => /approv|allow|whitelist/.test(String(name))));
  assert.match((await served.request('tools/call', tool(RULE))).result.content[0].text, /^Recorded the rule/);
  assert.equal(await discoveries(root), 1);
});

onEveryMount('two servers, one approval, many calls at once: one of them runs', async (t, Serve) => {
  const root = builtShop(t);
  const servers = [new Serve(t, ['--root', root]), new Serve(t, ['--root', root])];
  const [first] = servers as [Served];
  for (let round = 1; round <= 10; round++) {
    const given = { ...RULE, content: `Refunds need two approvals, rule ${round}` };
    const id = said(await first.request('tools/call', tool(given))).request_id;
    await first.request('approval/respond', { request_id: id, approved: true });
    const call = tool({ ...given, approval_request_id: id, approved: true });
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((n) => (servers[n % 2] as Served).request('tools/call', call)),
    );
    assert.equal(answers.filter(({ result }) => result.isError !== true).length, 1);
    assert.equal(await discoveries(root), round);
  }
});

async function legacyClient(t: TestContext, root: string, answer: () => Promise<object> | object) {
  const client = new Client({ name: 'judge', version: '1' }, { capabilities: { elicitation: {} } });
  const questions: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    questions.push(params.message);
    return (await answer()) as never;
  });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root] }),
  );
  t.after(() => client.close());
  return { client, questions };
}

test('the client of the SDK’s first line asks its person: yes, no, and no answer', async (t) => {
  const root = builtShop(t);
  const answers = [{ action: 'accept', content: {} }, { action: 'decline' }, { action: 'cancel' }];
  const { client, questions } = await legacyClient(t, root, () => answers.shift() as object);
  const yes = await client.callTool({ name: 'record_discovery', arguments: RULE });
  assert.equal(yes.isError, undefined);
  assert.match(questions[0] as string, /Refunds need two approvals/);
  for (const expected of [/did not approve/, /put aside/]) {
    const { content, isError } = await client.callTool({ name: 'record_discovery', arguments: RULE });
    assert.equal(isError, true);
    const refused = JSON.parse((content as { text: string }[])[0]?.text as string);
    assert.equal(refused.error, 'approval_denied');
    assert.match(refused.message, expected);
  }
  assert.equal(await discoveries(root), 1);
});

test('a client that goes away while its person thinks leaves nothing behind but the request', async (t) => {
  const root = builtShop(t);
  const { client } = await legacyClient(t, root, () => new Promise(() => {}));
  const call = client.callTool({ name: 'record_discovery', arguments: RULE }).catch(() => ({ isError: true }));
  while (!hasRequest(root)) await sleep(20);
  await client.close();
  assert.equal((await call).isError, true);
  assert.equal(await discoveries(root), 0);
});

function hasRequest(root: string): boolean {
  try {
    return readdirSync(join(root, '.fieldguide/approvals')).some((name) => name.endsWith('.request'));
  } catch {
    return false;
  }
}

onEveryMount('a call that is taken back takes its question back, and gets no answer', async (t, Serve) => {
  const root = builtShop(t);
  const served = new Serve(t, ['--root', root]);
  await served.request('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} } });
  served.send(`${JSON.stringify({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: tool(RULE) })}\n`);
  const question = await served.answer((message) => message.method === 'elicitation/create');
  served.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}\n');
  const taken = await served.answer((message) => message.method === 'notifications/cancelled');
  assert.equal(taken.params.requestId, question.id);
  served.send(`${JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: {} } })}\n`);
  await served.request('ping');
  assert.equal(served.messages.filter((message) => message.id === 'call').length, 0);
  assert.equal(await discoveries(root), 0);
});

// Over HTTP nobody knows which of two requests comes first.
test('a call that is taken back before its question is asked asks nobody', async (t) => {
  const root = builtShop(t);
  const served = new Served(t, ['--root', root]);
  await served.request('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} } });
  const call = JSON.stringify({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: tool(RULE) });
  served.send(`${call}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}\n`);
  while (!hasRequest(root)) await sleep(20);
  await served.request('ping');
  await served.request('resources/read', { uri: AUTH });
  assert.deepEqual(
    served.messages.filter(({ id, method }) => id === 'call' || method === 'elicitation/create'),
    [],
  );
  assert.equal(await discoveries(root), 0);
});

onEveryMount('where a request cannot be kept, that is said as of any store, and nothing runs', async (t, Serve) => {
  const root = builtShop(t);
  mkdirSync(join(root, '.fieldguide'), { recursive: true });
  writeFileSync(join(root, '.fieldguide/approvals'), 'not a folder');
  const served = new Serve(t, ['--root', root]);
  const refused = await served.request('tools/call', tool(RULE));
  assert.deepEqual([refused.result?.isError, said(refused).error], [true, 'store']);
  assert.equal(await discoveries(root), 0);
});

test('the client of the SDK’s second line asks its person without a handshake', async (t) => {
  const root = builtShop(t);
  const client = new ModernClient(
    { name: 'judge', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const answers = [{ action: 'accept' as const, content: {} }, { action: 'decline' as const }];
  client.setRequestHandler('elicitation/create', async () => answers.shift() as never);
  await client.connect(new ModernTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root] }));
  t.after(() => client.close());
  assert.equal((await client.callTool({ name: 'record_discovery', arguments: RULE })).isError, undefined);
  assert.equal((await client.callTool({ name: 'record_discovery', arguments: RULE })).isError, true);
  assert.equal(await discoveries(root), 1);
});

onEveryMount('the state of a question is good once, for that call, and only as it was given', async (t, Serve) => {
  const root = builtShop(t);
  const served = new Serve(t, ['--root', root]);
  const meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const ask = async (more: object = {}, given: object = RULE) =>
    await served.request('tools/call', { ...tool(given), ...more, _meta: meta });
  const { result } = await ask();
  assert.equal(result.resultType, 'input_required');
  assert.equal(result.inputRequests.approval.method, 'elicitation/create');
  assert.equal('ttlMs' in result, false);
  const { requestState } = result;
  const yes = { inputResponses: { approval: { action: 'accept', content: {} } } };
  const forged = requestState.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A'));
  assert.equal(said(await ask({ ...yes, requestState: forged })).error, 'approval_unknown');
  const other = { ...RULE, content: 'Refunds need no approval' };
  assert.equal(said(await ask({ ...yes, requestState }, other)).error, 'approval_changed');
  assert.equal(said(await ask({ requestState })).error, 'approval_waiting');
  assert.equal((await ask({ ...yes, requestState })).result.resultType, 'complete');
  assert.equal(said(await ask({ ...yes, requestState })).error, 'approval_used');
  assert.equal(await discoveries(root), 1);
});
