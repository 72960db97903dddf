// What servers say without being asked reaches who wants to hear it, once for a moment, in both eras on both sides.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVELOPE, type Message, Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type AnyServed, onEveryMount } from '../support/mounts.ts';
import { until } from '../support/until.ts';
import { modernServer } from '../support/upstreams/http-servers.ts';
import { bad, logged, projectWith } from '../support/upstreams/project.ts';

const A = 'upstream://bad/bad://a';
const UPDATED = 'notifications/resources/updated';
const CHANGED = 'notifications/resources/list_changed';
const TOOLS = { features: { tools: true } };

function heard(served: AnyServed, method: string): Message[] {
  return served.messages.filter((message) => message.method === method).map(({ params }) => params);
}

function tell(served: AnyServed, given: object): Promise<Message> {
  return served.request('tools/call', { name: 'bad__tell', arguments: given });
}

onEveryMount('with a handshake: a subscribed resource and a changed list, coalesced', async (t, serve) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new serve(t, ['--root', projectWith(t, { bad: { ...bad('good', log), ...TOOLS } })]);
  await served.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
  served.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await sleep(1500);
  assert.deepEqual(logged(log), [], 'hearing of lists starts nothing');
  assert.deepEqual((await served.request('resources/subscribe', { uri: A })).result, {});
  await until(() => logged(log).includes('resources/subscribe bad://a'));
  await tell(served, { method: UPDATED, uri: 'bad://a', times: 50 });
  await tell(served, { method: UPDATED, uri: 'bad://unwanted' });
  await tell(served, { method: CHANGED, times: 50 });
  await until(() => heard(served, UPDATED).length > 0 && heard(served, CHANGED).length > 0);
  await sleep(500);
  assert.deepEqual(heard(served, UPDATED), [{ uri: A }]);
  assert.equal(heard(served, CHANGED).length, 1);
  assert.deepEqual((await served.request('resources/unsubscribe', { uri: A })).result, {});
  await until(() => logged(log).includes('resources/unsubscribe bad://a'));
  await tell(served, { method: UPDATED, uri: 'bad://a' });
  await sleep(300);
  assert.equal(heard(served, UPDATED).length, 1);
});

onEveryMount('without a handshake: a listener hears what it asked for, marked as its own', async (t, serve) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new serve(t, ['--root', projectWith(t, { bad: { ...bad('good', log), ...TOOLS } })]);
  const params = { notifications: { resourceSubscriptions: [A] }, _meta: ENVELOPE };
  void served.request('subscriptions/listen', params, 'ear').catch(() => {});
  const { params: acknowledged } = await served.answer((message) => message.method?.endsWith('acknowledged'));
  assert.deepEqual(acknowledged.notifications, { resourceSubscriptions: [A] });
  await until(() => logged(log).includes('resources/subscribe bad://a'));
  await tell(served, { method: UPDATED, uri: 'bad://a' });
  await tell(served, { method: CHANGED });
  await until(() => heard(served, UPDATED).length > 0);
  await sleep(300);
  assert.deepEqual(heard(served, UPDATED), [{ uri: A, _meta: { 'io.modelcontextprotocol/subscriptionId': 'ear' } }]);
  assert.equal(heard(served, CHANGED).length, 0);
});

test('a server without a handshake is listened to, and again when what is wanted changes', async (t) => {
  const server = await modernServer(t);
  const served = new Served(t, ['--root', projectWith(t, { web: { url: server.url } })]);
  await served.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
  for (const uri of ['notes://all', 'notes://one/1']) {
    await served.request('resources/subscribe', { uri: `upstream://web/${uri}` });
    await until(() => {
      server.tell(uri);
      return heard(served, UPDATED).some((params) => params.uri === `upstream://web/${uri}`);
    });
  }
});

test('who is subscribed still hears after the server crashed and came back by itself', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new Served(t, ['--root', projectWith(t, { bad: { ...bad('crash-once', log), ...TOOLS } })]);
  await served.request('resources/subscribe', { uri: A });
  await until(() => logged(log).filter((line) => line === 'resources/subscribe bad://a').length === 1);
  assert.ok((await served.request('resources/read', { uri: 'upstream://bad/bad://crash' })).error);
  await until(() => logged(log).filter((line) => line === 'resources/subscribe bad://a').length > 1);
  await tell(served, { method: UPDATED, uri: 'bad://a' });
  await until(() => heard(served, UPDATED).length > 0);
});

test('answers are kept as long as project.yaml says, and dropped when the server says they changed', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new Served(t, ['--root', projectWith(t, { bad: { ...bad('good', log), ...TOOLS, cacheTtl: '1h' } })]);
  const reads = (): number => logged(log).filter((line) => line === 'resources/read bad://a').length;
  const lists = (): number => logged(log).filter((line) => line === 'resources/list').length;
  for (let n = 0; n < 3; n++) {
    await served.request('resources/read', { uri: A });
    await served.request('resources/read', { group: 'bad', uri: 'bad://a' });
    await served.request('resources/list', { group: 'bad' });
  }
  assert.deepEqual([reads(), lists()], [1, 1]);
  await tell(served, { method: UPDATED, uri: 'bad://a' });
  await served.request('resources/read', { uri: A });
  await served.request('resources/list', { group: 'bad' });
  assert.deepEqual([reads(), lists()], [2, 1]);
  await tell(served, { method: CHANGED });
  await served.request('resources/list', { group: 'bad' });
  await served.request('resources/read', { uri: A });
  assert.deepEqual([reads(), lists()], [2, 2]);
});

test('without a word of how long, nothing is kept', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('good', log) })]);
  for (let n = 0; n < 3; n++) await served.request('resources/read', { uri: A });
  assert.equal(logged(log).filter((line) => line.startsWith('resources/read')).length, 3);
});
