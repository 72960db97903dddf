// Changes told to clients: with a handshake and without, by real clients and line by line.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Journal } from '../../runtime/sessions/journal.ts';
import { ENVELOPE, type Message, Served, START_FILE } from '../support/command.ts';
import { type AnyServed, onEveryMount, type Serve } from '../support/mounts.ts';
import { builtShop, OVERVIEW, publish } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const AUTH = 'context://module/auth';
const CURRENT = 'context://session/current';
const RENAMED = SHOP.replace('Use JWT tokens', 'Use opaque tokens');
const GROWN = `${SHOP}  billing: {}\n`;
/** Three looks: what has not been told by then will not be. */
const QUIET_MS = 1500;

function notices(served: AnyServed, method: string): Message[] {
  return served.messages.filter((message) => message.method === method);
}

async function handshake(t: TestContext, Serve: Serve, root: string): Promise<AnyServed> {
  const served = new Serve(t, ['--root', root]);
  const { result } = await served.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
  assert.deepEqual(result.capabilities.resources, { subscribe: true, listChanged: true });
  served.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return served;
}

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';

onEveryMount('a subscriber hears of exactly the pages that a new bundle changes, once', async (t, Serve) => {
  const root = builtShop(t);
  const served = await handshake(t, Serve, root);
  for (const uri of [OVERVIEW, AUTH, 'context://module/users', 'context://module/none-yet']) {
    assert.deepEqual((await served.request('resources/subscribe', { uri })).result, {});
  }
  publish(root, bundleBytes(RENAMED));
  await until(() => notices(served, UPDATED).length > 0);
  await sleep(QUIET_MS);
  assert.deepEqual(
    notices(served, UPDATED).map((notice) => notice.params),
    [{ uri: AUTH }],
  );
  assert.deepEqual((await served.request('resources/unsubscribe', { uri: AUTH })).result, {});
  publish(root, bundleBytes(GROWN.replace('Use JWT', 'Use no')));
  await until(() => notices(served, UPDATED).length > 1);
  await sleep(QUIET_MS);
  assert.deepEqual(
    notices(served, UPDATED)
      .slice(1)
      .map((notice) => notice.params.uri),
    [OVERVIEW],
  );
});

onEveryMount('a page that appears, and one that goes, has changed', async (t, Serve) => {
  const root = builtShop(t);
  const served = await handshake(t, Serve, root);
  await served.request('resources/subscribe', { uri: 'context://module/billing' });
  for (const source of [GROWN, SHOP]) {
    const before = notices(served, UPDATED).length;
    publish(root, bundleBytes(source));
    await until(() => notices(served, UPDATED).length > before);
  }
  assert.equal(notices(served, UPDATED).length, 2);
});

onEveryMount(
  'after a handshake a client hears of changed lists without asking, and of no list that stayed',
  async (t, Serve) => {
    const root = builtShop(t);
    const served = await handshake(t, Serve, root);
    await sleep(QUIET_MS);
    publish(root, bundleBytes(GROWN));
    await until(() => notices(served, LIST_CHANGED).length > 0);
    await sleep(QUIET_MS);
    assert.equal(notices(served, LIST_CHANGED).length, 1);
    assert.equal(notices(served, 'notifications/tools/list_changed').length, 0);
  },
);

onEveryMount('the journal grows: who subscribed to the session hears of it', async (t, Serve) => {
  const root = builtShop(t);
  const served = await handshake(t, Serve, root);
  await served.request('resources/subscribe', { uri: CURRENT });
  await served.request('resources/subscribe', { uri: OVERVIEW });
  const journal = new Journal({ root });
  await journal.append('one', { k: 'start', t: Date.now() });
  await until(() => notices(served, UPDATED).length === 1);
  await journal.append('one', { k: 'topic', t: Date.now(), text: 'tokens' });
  await until(() => notices(served, UPDATED).length === 2);
  assert.deepEqual(new Set(notices(served, UPDATED).map((notice) => notice.params.uri)), new Set([CURRENT]));
});

test('without a handshake: acknowledged first, marked with the request, ended with a result', async (t) => {
  const root = builtShop(t);
  const served = new Served(t, ['--root', root]);
  const filter = { resourcesListChanged: true, promptsListChanged: false, resourceSubscriptions: [AUTH] };
  served.send(
    `${JSON.stringify({ jsonrpc: '2.0', id: 'ear', method: 'subscriptions/listen', params: { notifications: filter, _meta: ENVELOPE } })}\n`,
  );
  const meta = { 'io.modelcontextprotocol/subscriptionId': 'ear' };
  const first = await served.answer((message) => message.method !== undefined);
  assert.deepEqual(first, {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { resourcesListChanged: true, resourceSubscriptions: [AUTH] }, _meta: meta },
  });
  publish(root, bundleBytes(RENAMED));
  const updated = await served.answer((message) => message.method === UPDATED);
  assert.deepEqual(updated.params, { uri: AUTH, _meta: meta });
  const listed = await served.answer((message) => message.method === LIST_CHANGED);
  assert.deepEqual(listed.params, { _meta: meta });
  assert.equal((await served.modern('resources/read', { uri: OVERVIEW })).result.resultType, 'complete');
  served.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ear"}}\n');
  const { result } = await served.answer((message) => message.id === 'ear');
  assert.equal(result.resultType, 'complete');
  assert.equal(result._meta['io.modelcontextprotocol/subscriptionId'], 'ear');
  const before = served.messages.length;
  publish(root, bundleBytes(GROWN));
  await sleep(QUIET_MS);
  assert.equal(served.messages.length, before);
});

test('the end of the input ends what listens, with its result, and then the server', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  served.send(
    `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params: { notifications: {}, _meta: ENVELOPE } })}\n`,
  );
  await served.answer((message) => message.method === 'notifications/subscriptions/acknowledged');
  served.child.stdin.end();
  assert.equal((await served.answer((message) => message.id === 7)).result.resultType, 'complete');
  assert.equal((await served.ended).code, 0);
});

onEveryMount('what cannot be subscribed to is refused with advice, and harms nothing', async (t, Serve) => {
  const served = await handshake(t, Serve, builtShop(t));
  assert.equal((await served.request('resources/subscribe', { uri: 'context://module/%2e%2e' })).error.code, -32602);
  assert.equal((await served.request('resources/subscribe', {})).error.code, -32602);
  const listened = await served.modern('subscriptions/listen', {});
  assert.match(listened.error.data.hint, /resourceSubscriptions/);
  const many = Array.from({ length: 1001 }, (_, n) => `context://module/m${n}`);
  const refused = await served.modern('subscriptions/listen', { notifications: { resourceSubscriptions: many } });
  assert.equal(refused.error.message, 'Too many subscriptions');
  assert.equal((await served.request('subscriptions/listen', {})).error.code, -32602);
  assert.equal((await served.modern('resources/subscribe', { uri: AUTH })).error.code, -32601);
  assert.ok((await served.request('resources/read', { uri: AUTH })).result);
});

test('the client of the SDK’s first line hears of pages and lists', async (t) => {
  const root = builtShop(t);
  const client = new Client({ name: 'judge', version: '1' });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('list'));
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root] }),
  );
  t.after(() => client.close());
  await client.subscribeResource({ uri: AUTH });
  await sleep(QUIET_MS);
  publish(root, bundleBytes(RENAMED));
  await until(() => heard.length === 2);
  assert.deepEqual(new Set(heard), new Set(['list', AUTH]));
});

test('the client of the SDK’s second line listens without a handshake', async (t) => {
  const root = builtShop(t);
  const client = new ModernClient(
    { name: 'judge', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
  await client.connect(new ModernTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root] }));
  t.after(() => client.close());
  const subscription = await client.listen({ resourcesListChanged: true, resourceSubscriptions: [AUTH] });
  publish(root, bundleBytes(RENAMED));
  await until(() => heard.length === 2);
  assert.deepEqual(new Set(heard), new Set(['list', AUTH]));
  await subscription.close();
});
