// Two servers on one database, behind a plain proxy: what a client may rely on, whichever of them answers.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Message } from '../support/command.ts';
import { HttpServed } from '../support/http-served.ts';
import { freshDatabase } from '../support/postgres.ts';
import { replica, SHOP_IN_DATABASE } from '../support/replicas.ts';
import { type RoundRobin, roundRobin } from '../support/round-robin.ts';
import { publish } from '../support/served.ts';
import { bundleBytes } from '../support/shop.ts';
import { until } from '../support/until.ts';

const AUTH = 'context://module/auth';
const RULE = { type: 'rule', content: 'Refunds need two approvals', module: 'auth' };
const SOURCE = `${SHOP_IN_DATABASE}limits: { ratePerMinute: 1000000 }\n`;

type Pair = { servers: HttpServed[]; roots: string[]; proxy: RoundRobin };

async function pair(t: TestContext, source = SOURCE, isSticky = false): Promise<Pair> {
  const url = await freshDatabase();
  const machines = [replica(t, url, source), replica(t, url, source)];
  const servers = machines.map(({ root, env }) => new HttpServed(t, ['--root', root], { env }));
  const origins = await Promise.all(servers.map((server) => server.origin()));
  return { servers, roots: machines.map(({ root }) => root), proxy: await roundRobin(t, origins, isSticky) };
}

async function clientOf(
  t: TestContext,
  url: string,
  mode: 'legacy' | { pin: string } = { pin: '2026-07-28' },
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: {} }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  t.after(() => client.close().catch(() => {}));
  return client;
}

async function textOf(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
}

/** One request without a handshake; what is not answered in time has failed. */
async function ask(proxy: RoundRobin, method: string, params: object): Promise<Message> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(proxy.url, { method: 'POST', body, headers, signal: AbortSignal.timeout(10_000) });
  const { result, error } = (await response.json()) as Message;
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

test('a client without a handshake is answered by both in turn, asked by one, and taken at its word by the other', async (t) => {
  const { proxy, servers } = await pair(t);
  const client = await clientOf(t, proxy.url);
  for (let n = 0; n < 10; n++) assert.match(await textOf(client, `${AUTH}?page=1`), /^# Module: auth/);
  const recorded = await client.callTool({ name: 'record_discovery', arguments: RULE });
  assert.notEqual(recorded.isError, true, JSON.stringify(recorded));
  assert.ok(
    proxy.counts.every((count) => count >= 2),
    String(proxy.counts),
  );
  for (const server of servers) {
    await until(async () => {
      const { result } = await server.request('resources/read', { uri: AUTH });
      return result.contents[0].text.includes(RULE.content);
    });
  }
});

test('subscribers of both servers hear of what was accepted at one', async (t) => {
  const { servers, proxy } = await pair(t);
  const heard: string[][] = [];
  for (const server of servers) {
    const own: string[] = [];
    heard.push(own);
    const client = await clientOf(t, `${await server.origin()}/mcp`);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void own.push(params.uri));
    await client.listen({ resourceSubscriptions: [AUTH, 'context://discoveries'] });
  }
  const client = await clientOf(t, proxy.url);
  assert.notEqual((await client.callTool({ name: 'record_discovery', arguments: RULE })).isError, true);
  await until(() => heard.every((own) => own.includes(AUTH) && own.includes('context://discoveries')));
});

test('a session stays with its server where the proxy keeps it, and is refused clearly where it does not', async (t) => {
  const sticky = await pair(t, SOURCE, true);
  const client = await clientOf(t, sticky.proxy.url, 'legacy');
  for (let n = 0; n < 6; n++) assert.match(await textOf(client, AUTH), /^# Module: auth/);
  const { servers } = await pair(t);
  const [one, other] = servers as [HttpServed, HttpServed];
  await one.request('initialize', {});
  const { status, messages } = await other.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', {
    'mcp-session-id': one.session as string,
  });
  assert.deepEqual([status, messages[0].error.code, messages[0].error.message], [404, -32001, 'Session not found']);
  assert.match(messages[0].error.data.hint, /initialize/);
});

test('an approval answered through the proxy runs once, wherever its call arrives', async (t) => {
  const { proxy } = await pair(t);
  const asked = await ask(proxy, 'tools/call', { name: 'record_discovery', arguments: RULE });
  const { request_id: id } = JSON.parse(asked.content[0].text);
  assert.equal((await ask(proxy, 'approval/respond', { request_id: id, approved: true })).recorded, true);
  const again = { name: 'record_discovery', arguments: { ...RULE, approval_request_id: id, approved: true } };
  const all = await Promise.all(Array.from({ length: 20 }, () => ask(proxy, 'tools/call', again)));
  assert.equal(all.filter(({ isError }) => isError !== true).length, 1);
});

test('one server is killed under load: nothing that was read or recorded is lost', async (t) => {
  const { servers, proxy } = await pair(t, `${SOURCE}approval: { allow: [record_discovery] }\n`);
  let isOver = false;
  let [read, failed] = [0, 0];
  const reading = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      try {
        const { contents } = await ask(proxy, 'resources/read', { uri: AUTH });
        assert.match(contents[0].text, /^# Module: auth/);
        read++;
      } catch {
        failed++;
      }
    }
  });
  const accepted: string[] = [];
  const record = async (n: number): Promise<void> => {
    const content = `Rule number ${n} of those that must not be lost`;
    const call = { name: 'record_discovery', arguments: { type: 'rule', content } };
    const done = await ask(proxy, 'tools/call', call).catch(() => undefined);
    if (done !== undefined && done.isError !== true) accepted.push(content);
  };
  for (let n = 0; n < 10; n++) await record(n);
  servers[0]?.child.kill('SIGKILL');
  for (let n = 10; n < 20; n++) await record(n);
  isOver = true;
  await Promise.all(reading);
  assert.ok(read > 20 && failed <= 8, `${read} read, ${failed} failed with the connections that the server had`);
  assert.ok(accepted.length >= 18, String(accepted.length));
  const page = (await ask(proxy, 'resources/read', { uri: 'context://discoveries' })).contents[0].text;
  for (const content of accepted) assert.ok(page.includes(content), content);
});

test('a rolling change of the bundle: no error, and no answer that is of both', async (t) => {
  const { roots, proxy } = await pair(t);
  const version = (n: number): string =>
    SOURCE.replace('Use JWT tokens', `Version ${n} tokens`).replace('Take the mutex', `Version ${n} takes the mutex`);
  let isOver = false;
  const seen = new Set<string>();
  const reading = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: AUTH } });
      const response = await fetch(proxy.url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      const { result, error } = (await response.json()) as Message;
      assert.equal(error, undefined);
      const versions = new Set<string>(result.contents[0].text.match(/Version \d+/g) ?? ['first']);
      assert.equal(versions.size, 1, [...versions].join());
      seen.add([...versions][0] as string);
    }
  });
  for (let n = 1; n <= 6; n++) {
    for (const root of roots) {
      publish(root, bundleBytes(version(n)));
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  }
  await until(() => seen.has('Version 6'));
  isOver = true;
  await Promise.all(reading);
  assert.ok(seen.size >= 5, [...seen].join());
});
