// What an attacker or a careless client found once: each of these left something waiting, open or told that should
// not have been.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVELOPE, type Message } from '../support/command.ts';
import { HttpServed, type Replied } from '../support/http-served.ts';
import { builtShop, publish } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { bad, logged, projectWith } from '../support/upstreams/project.ts';

const AUTH = 'context://module/auth';
const USERS = 'context://module/users';
const LISTEN = 'subscriptions/listen';
const LISTENING = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': LISTEN };
const TOKEN = 'the-token-of-the-reader-1';
const OTHER = 'the-token-of-the-writer-2';

function listenTo(notifications: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 'ear', method: LISTEN, params: { notifications, _meta: ENVELOPE } });
}

function of(served: HttpServed, method: string): Message[] {
  return served.messages.filter((message) => message.method === method);
}

/** A session whose client is asked by a call with the id `asks`, and does not answer. */
async function asked(served: HttpServed): Promise<{ posted: Promise<Replied> }> {
  await served.request('initialize', { capabilities: { elicitation: {} }, protocolVersion: '2025-11-25' });
  const name = 'record_discovery';
  const call = { name, arguments: { type: 'rule', content: 'Tokens are rotated every night.' } };
  const posted = served.post(JSON.stringify({ jsonrpc: '2.0', id: 'asks', method: 'tools/call', params: call }));
  await served.answer(({ method }) => method === 'elicitation/create');
  return { posted };
}

test('streams that were asked for behind another on one connection end with it', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const origin = await served.origin();
  const body = listenTo({ resourcesListChanged: true });
  const headers = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  for (const [name, value] of Object.entries(LISTENING)) headers.push(`${name}: ${value}`);
  const streams = async (): Promise<number> =>
    Number(/^fieldguide_streams (\d+)$/m.exec(await (await fetch(`${origin}/metrics`)).text())?.[1]);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write(`POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`.repeat(15));
  await until(async () => (await streams()) === 15);
  socket.destroy();
  await until(async () => (await streams()) === 0);
  assert.equal(served.stderr.split('\n').length, 2, served.stderr);
});

test('a call that its client takes back in a session ends its stream, without an answer', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const { posted } = await asked(served);
  await served.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"asks"}}');
  assert.doesNotMatch((await posted).text, /"id":"asks"/);
  assert.deepEqual((await served.request('ping', undefined, 'asks')).result, {});
});

test('an id that is under way in a session is refused, and the first request still gets its answer', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const { posted } = await asked(served);
  const { status, messages } = await served.post('{"jsonrpc":"2.0","id":"asks","method":"ping"}');
  assert.deepEqual([status, messages[0].error.code], [400, -32600]);
  const { id } = of(served, 'elicitation/create')[0];
  await served.post(JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: {} } }));
  assert.match((await posted).text, /"id":"asks","result"/);
});

test('SIGTERM while a person is asked: the call is answered as if nobody had come', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const { posted } = await asked(served);
  served.child.kill('SIGTERM');
  assert.match((await posted).text, /"id":"asks","(result|error)"/);
  assert.equal((await served.ended).code, 0);
});

const AGENTS = `${SHOP}agents:
  reader: { resources: ["context://module/auth", "context://module/users"], token: "\${READER}" }
  writer: { resources: "*", token: "\${WRITER}" }
`;
const ENV = { READER: TOKEN, WRITER: OTHER };

test('streams and sessions of an agent that is gone end, and say nothing of what it may not read', async (t) => {
  const root = builtShop(t, AGENTS);
  const served = new HttpServed(t, ['--root', root], { env: ENV });
  served.headers = { authorization: `Bearer ${TOKEN}` };
  await served.request('initialize', { protocolVersion: '2025-11-25' });
  await served.request('resources/subscribe', { uri: USERS });
  const listening = served.post(listenTo({ resourcesListChanged: true, resourceSubscriptions: [AUTH] }), LISTENING);
  await until(() => of(served, 'notifications/subscriptions/acknowledged').length === 1);
  publish(root, bundleBytes(AGENTS.replace(/ {2}reader:.*\n/, '').replace('Use JWT', 'Use no')));
  await listening;
  const metrics = async (): Promise<string> =>
    await (await fetch(`${await served.origin()}/metrics`, { headers: { authorization: `Bearer ${OTHER}` } })).text();
  await until(async () => /^fieldguide_sessions 0$/m.test(await metrics()));
  assert.match(await metrics(), /^fieldguide_streams 0$/m);
  for (const method of ['notifications/resources/updated', 'notifications/resources/list_changed']) {
    assert.deepEqual(of(served, method), []);
  }
});

test('an agent that may read less hears nothing of what it may not read any more', async (t) => {
  const root = builtShop(t, AGENTS);
  const served = new HttpServed(t, ['--root', root], { env: ENV });
  served.headers = { authorization: `Bearer ${TOKEN}` };
  void served.post(listenTo({ resourceSubscriptions: [AUTH, USERS] }), LISTENING).catch(() => {});
  await until(() => of(served, 'notifications/subscriptions/acknowledged').length === 1);
  const less = AGENTS.replace(', "context://module/users"]', ']').replace('Use JWT', 'Use no');
  publish(root, bundleBytes(less));
  await until(() => of(served, 'notifications/resources/updated').length > 0);
  await sleep(700);
  assert.deepEqual(
    of(served, 'notifications/resources/updated').map(({ params }) => params.uri),
    [AUTH],
  );
});

test('a method that is not allowed is told with those that are', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const { status, headers } = await fetch(`${await served.origin()}/mcp`, { method: 'PUT' });
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST, DELETE']);
});

test('what another server nests too deeply to be said again fails its own request, and no other', async (t) => {
  const root = projectWith(t, { bad: { ...bad('deep'), features: { resources: true, tools: true } } });
  const served = new HttpServed(t, ['--root', root]);
  for (const era of ['without', 'with']) {
    if (era === 'with') await served.request('initialize', { protocolVersion: '2025-11-25' });
    const { error } = await served.request('tools/call', { name: 'bad__tell', arguments: {} });
    assert.equal(error.code, -32603, `${era} a session`);
    const read = await served.request('resources/read', { uri: 'upstream://bad/bad://a' });
    assert.equal(read.error.code, -32603, `${era} a session`);
    assert.deepEqual((await served.request('ping')).result, {});
  }
});

test('arguments that are nested too deeply are refused, and the connection that others use stays', async (t) => {
  const log = `${projectWith(t, {})}/log`;
  const root = projectWith(t, { bad: { ...bad('good', log), features: { resources: true, tools: true } } });
  const served = new HttpServed(t, ['--root', root]);
  const tell = { name: 'bad__tell', arguments: {} };
  assert.ok((await served.request('tools/call', tell)).result);
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const params = JSON.stringify(tell).replace('{}', `{"a":${nested}}`);
  const { text } = await served.post(`{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${params}}`);
  assert.match(text, /nested too deeply/);
  assert.ok((await served.request('tools/call', tell)).result);
  assert.equal(logged(log).filter((line) => line.startsWith('start')).length, 1);
});
