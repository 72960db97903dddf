// Sessions, streams and the server itself: how they begin, what they are told, how they end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVELOPE, type Message } from '../support/command.ts';
import { HttpServed } from '../support/http-served.ts';
import { builtShop, OVERVIEW, publish } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const AUTH = 'context://module/auth';
const LISTEN = 'subscriptions/listen';

function listenTo(served: HttpServed, id: string, notifications: object): Promise<unknown> {
  const params = { notifications, _meta: ENVELOPE };
  const line = JSON.stringify({ jsonrpc: '2.0', id, method: LISTEN, params });
  return served.post(line, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': LISTEN });
}

function of(served: HttpServed, method: string): Message[] {
  return served.messages.filter((message) => message.method === method);
}

test('two streams hear each what it asked for, marked with its own request', async (t) => {
  const root = builtShop(t);
  const served = new HttpServed(t, ['--root', root]);
  void listenTo(served, 'pages', { resourceSubscriptions: [AUTH] }).catch(() => {});
  void listenTo(served, 'lists', { resourcesListChanged: true }).catch(() => {});
  await until(() => of(served, 'notifications/subscriptions/acknowledged').length === 2);
  publish(root, bundleBytes(`${SHOP.replace('Use JWT', 'Use no')}  billing: {}\n`));
  await until(() => of(served, 'notifications/resources/updated').length === 1);
  await until(() => of(served, 'notifications/resources/list_changed').length === 1);
  const idOf = (message: Message): string => message.params._meta['io.modelcontextprotocol/subscriptionId'];
  assert.equal(idOf(of(served, 'notifications/resources/updated')[0]), 'pages');
  assert.equal(idOf(of(served, 'notifications/resources/list_changed')[0]), 'lists');
});

test('a session that has no stream hears later of what changed meanwhile, each change once', async (t) => {
  const root = builtShop(t);
  const served = new HttpServed(t, ['--root', root]);
  const listening = new AbortController();
  await served.request('initialize', { protocolVersion: '2025-11-25' });
  await served.request('resources/subscribe', { uri: AUTH });
  const second = await fetch(`${await served.origin()}/mcp`, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': served.session as string },
    signal: listening.signal,
  });
  assert.equal(second.status, 200);
  listening.abort();
  await sleep(200);
  for (const word of ['no', 'some', 'other']) {
    publish(root, bundleBytes(SHOP.replace('Use JWT', `Use ${word}`)));
    await sleep(900);
  }
  assert.equal(of(served, 'notifications/resources/updated').length, 0);
  const third = await fetch(`${await served.origin()}/mcp`, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': served.session as string },
  });
  const reader = (third.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  assert.match(
    Buffer.from(value as Uint8Array).toString(),
    /notifications\/resources\/updated.*context:\/\/module\/auth/,
  );
  await reader.cancel();
});

test('a session ends when its client says so, and is found by nobody afterwards', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  await served.request('initialize', {});
  assert.deepEqual((await served.request('ping')).result, {});
  const ended = await fetch(`${await served.origin()}/mcp`, {
    method: 'DELETE',
    headers: { 'mcp-session-id': served.session as string },
  });
  assert.equal(ended.status, 200);
  const { status, messages } = await served.post('{"jsonrpc":"2.0","id":"later","method":"ping"}');
  assert.deepEqual([status, messages[0].error.code], [404, -32001]);
  assert.match(messages[0].error.data.hint, /initialize/);
});

test('a thousand sessions and more: the oldest idle ones go, those that listen stay', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const origin = await served.origin();
  await served.request('initialize', {});
  const first = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '0' } };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: first });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const sessions: string[] = [];
  for (let n = 0; n < 1100; n++) {
    const response = await fetch(`${origin}/mcp`, { method: 'POST', body: line, headers });
    sessions.push(response.headers.get('mcp-session-id') as string);
    await response.text();
  }
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  assert.match(metrics, /^fieldguide_sessions 1000$/m);
  assert.deepEqual((await served.request('ping')).result, {});
  const ping = async (session: string): Promise<number> => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      body,
      headers: { ...headers, 'mcp-session-id': session },
    });
    await response.text();
    return response.status;
  };
  assert.deepEqual([await ping(sessions[0] as string), await ping(sessions.at(-1) as string)], [404, 200]);
});

test('SIGTERM: streams get their result, sessions end, no new request is taken, and it ends with 0', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  await served.request('initialize', {});
  const listening = listenTo(served, 'ear', { resourcesListChanged: true });
  await until(() => of(served, 'notifications/subscriptions/acknowledged').length === 1);
  served.child.kill('SIGTERM');
  await listening;
  const { result } = await served.answer((message) => message.id === 'ear');
  assert.equal(result.resultType, 'complete');
  const { code, stderr } = await served.ended;
  assert.deepEqual([code, stderr.split('\n').length], [0, 2], stderr);
});

test('SIGTERM under load: every request that was taken is answered whole', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, `${SHOP}limits: { ratePerMinute: 1000000 }\n`)]);
  const origin = await served.origin();
  const line = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}`;
  let [answered, refused] = [0, 0];
  const ask = async (): Promise<void> => {
    for (;;) {
      let response: Response;
      try {
        response = await fetch(`${origin}/mcp`, {
          method: 'POST',
          body: line,
          headers: { 'content-type': 'application/json' },
        });
      } catch {
        refused++;
        return;
      }
      assert.match(((await response.json()) as Message).result.contents[0].text, /^# Project: My SaaS App/);
      answered++;
    }
  };
  const asking = Array.from({ length: 16 }, ask);
  await until(() => answered > 200);
  served.child.kill('SIGTERM');
  await Promise.all(asking);
  assert.equal((await served.ended).code, 0);
  assert.equal(refused, 16);
});

test('health says one word, and whether there is a bundle; metrics count what was answered', async (t) => {
  const root = builtShop(t);
  const served = new HttpServed(t, ['--root', root]);
  const origin = await served.origin();
  for (let n = 0; n < 3; n++) await served.modern('resources/read', { uri: OVERVIEW });
  await served.modern('resources/read', { uri: 'context://module/none' });
  await served.request('nonsense/method');
  const page = await (await fetch(`${origin}/metrics`)).text();
  assert.match(page, /^fieldguide_requests_total{method="resources\/read",outcome="ok"} 3$/m);
  assert.match(page, /^fieldguide_requests_total{method="resources\/read",outcome="error"} 1$/m);
  assert.match(page, /^fieldguide_requests_total{method="other",outcome="error"} 1$/m);
  assert.match(page, /^fieldguide_bundle_info{digest="[0-9a-f]{64}"} 1$/m);
  assert.match(page, /^fieldguide_request_seconds_count 5$/m);
  for (const line of page.trim().split('\n')) {
    assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+({[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*})? [0-9.e+-]+)$/);
  }
  const health = await fetch(`${origin}/healthz`);
  assert.equal(health.status, 200);
  assert.equal(((await health.json()) as Message).status, 'ok');
});

test('without a bundle the server answers, says so, and takes one up when it is there', async (t) => {
  const root = builtShop(t);
  const empty = `${root}/dist-index/context.fgb`;
  const { renameSync } = await import('node:fs');
  renameSync(empty, `${empty}.away`);
  const served = new HttpServed(t, ['--root', root]);
  const origin = await served.origin();
  assert.equal((await fetch(`${origin}/healthz`)).status, 503);
  const { error } = await served.request('resources/read', { uri: OVERVIEW });
  assert.match(error.data.hint, /fieldguide build/);
  renameSync(`${empty}.away`, empty);
  await until(async () => (await fetch(`${origin}/healthz`)).status === 200);
  assert.ok((await served.request('resources/read', { uri: OVERVIEW })).result);
});

test('sixty-four clients at once hear each its own answers', async (t) => {
  const modules = Array.from({ length: 64 }, (_, n) => `  m${n}: { description: The ${n}th. }`).join('\n');
  const source = `version: "1.0"\nproject: { name: a }\nlimits: { ratePerMinute: 1000000 }\nmodules:\n${modules}\n`;
  const served = new HttpServed(t, ['--root', builtShop(t, source)]);
  const origin = await served.origin();
  const client = async (n: number): Promise<void> => {
    for (let turn = 0; turn < 100; turn++) {
      const id = `${n}-${turn}`;
      const params = { uri: `context://module/m${n}` };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/read', params });
      const headers = { 'content-type': 'application/json' };
      const answer: Message = await (await fetch(`${origin}/mcp`, { method: 'POST', body, headers })).json();
      assert.equal(answer.id, id);
      assert.match(answer.result.contents[0].text, new RegExp(`The ${n}th\\.`));
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, n) => client(n)));
});
