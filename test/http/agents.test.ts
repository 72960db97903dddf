// Agents over HTTP: who comes in by a token, what each sees, and that neither tokens nor sessions lead to another's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENVELOPE, type Message, run } from '../support/command.ts';
import { HttpServed } from '../support/http-served.ts';
import { builtShop, OVERVIEW, publish } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const READER = 'the-token-of-the-reader-1';
const WRITER = 'the-token-of-the-writer-2';
const AUTH = 'context://module/auth';
const USERS = 'context://module/users';

function agents(rate = 100_000): string {
  return `${SHOP}limits: { ratePerMinute: ${rate} }
agents:
  reader: { resources: ["context://module/auth"], tools: [read_resource], token: "\${READER_TOKEN}" }
  writer: { resources: "*", token: "\${WRITER_TOKEN}" }
  nobody: { resources: "*", token: "\${NOBODY_TOKEN}" }
`;
}

const TOKENS = { READER_TOKEN: READER, WRITER_TOKEN: WRITER, NOBODY_TOKEN: undefined };

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

function read(uri: string, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } });
}

test('nobody comes in without a token of an agent, and is not told more than that', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, agents())], { env: TOKENS });
  const origin = await served.origin();
  const wrong: Record<string, string>[] = [
    {},
    { authorization: '' },
    { authorization: READER },
    { authorization: `Basic ${Buffer.from(`reader:${READER}`).toString('base64')}` },
    bearer(`${READER}x`),
    bearer(READER.slice(0, -1)),
    bearer(''),
    bearer('undefined'),
    bearer(`${READER} ${WRITER}`),
    { 'x-authorization': `Bearer ${READER}` },
  ];
  const said = new Set<string>();
  for (const headers of wrong) {
    for (const uri of [AUTH, 'context://module/none']) {
      const { status, headers: back, text } = await served.post(read(uri), headers);
      assert.deepEqual([status, back.get('www-authenticate')], [401, 'Bearer'], JSON.stringify(headers));
      said.add(text.replace('A token is needed here.', 'This token belongs to no agent.'));
    }
  }
  assert.equal(said.size, 1);
  for (const query of [`?token=${READER}`, `?access_token=${READER}`, `?authorization=Bearer%20${READER}`]) {
    const response = await fetch(`${origin}/mcp${query}`, {
      method: 'POST',
      body: read(AUTH),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(response.status, 401, query);
  }
  assert.equal((await fetch(`${origin}/metrics`)).status, 401);
  const health = await fetch(`${origin}/healthz`);
  assert.deepEqual([health.status, await health.text()], [200, 'ok\n']);
  const known = await fetch(`${origin}/healthz`, { headers: bearer(READER) });
  assert.match(((await known.json()) as Message).bundle.digest, /^sha256:/);
  assert.equal((await fetch(`${origin}/metrics`, { headers: bearer(READER) })).status, 200);
});

test('each agent gets its own answers, on one address at once', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, agents())], { env: TOKENS });
  const ask = async (token: string, method: string, params: object): Promise<Message> => {
    const id = Math.random().toString(36);
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { messages } = await served.post(line, bearer(token));
    return messages.find((message) => message.id === id);
  };
  const turns = Array.from({ length: 200 }, async (_, n) => {
    const isReader = n % 2 === 0;
    const token = isReader ? READER : WRITER;
    const list = await ask(token, 'resources/list', {});
    const uris = list.result.resources.map(({ uri }: Message) => uri);
    assert.deepEqual([uris.includes(USERS), uris.includes(AUTH)], [!isReader, true]);
    const users = await ask(token, 'resources/read', { uri: USERS });
    if (isReader) assert.deepEqual([users.error.code, users.error.data.kind], [-32003, 'access_denied']);
    else assert.match(users.result.contents[0].text, /über alles/);
    const { result } = await ask(token, 'tools/list', {});
    assert.equal(result.tools.length === 1, isReader);
  });
  await Promise.all(turns);
  served.headers = bearer(READER);
  const modern = await served.modern('resources/read', { uri: AUTH });
  assert.equal(modern.result.cacheScope, 'private');
});

test('a session of one agent is no session of another', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, agents())], { env: TOKENS });
  served.headers = bearer(READER);
  await served.request('initialize', {});
  assert.ok(served.session !== undefined);
  const own = await served.post(read(AUTH, 'own'));
  assert.equal(own.status, 200);
  for (const method of ['POST', 'GET', 'DELETE']) {
    const response = await fetch(`${await served.origin()}/mcp`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': served.session,
        ...bearer(WRITER),
      },
      ...(method === 'POST' ? { body: read(USERS) } : {}),
    });
    assert.deepEqual([response.status, ((await response.json()) as Message).error.code], [404, -32001], method);
  }
  assert.equal((await served.post(read(AUTH, 'still'))).status, 200);
});

test('an agent hears only of what it may read, and of its own lists', async (t) => {
  const root = builtShop(t, agents());
  const served = new HttpServed(t, ['--root', root], { env: TOKENS });
  const method = 'subscriptions/listen';
  const listen = async (token: string, id: string, notifications: object): Promise<void> => {
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params: { notifications, _meta: ENVELOPE } });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...bearer(token) };
    await served.post(line, headers).catch(() => {});
  };
  await listen(READER, 'denied', { resourceSubscriptions: [USERS] });
  assert.equal((await served.answer((message) => message.id === 'denied')).error.data.kind, 'access_denied');
  void listen(READER, 'reader', { resourcesListChanged: true, resourceSubscriptions: [AUTH] });
  void listen(WRITER, 'writer', { resourcesListChanged: true, resourceSubscriptions: [USERS] });
  const of = (id: string, kind: string): Message[] =>
    served.messages.filter(
      (message) =>
        message.method === `notifications/${kind}` &&
        message.params._meta['io.modelcontextprotocol/subscriptionId'] === id,
    );
  await until(
    () => of('reader', 'subscriptions/acknowledged').length + of('writer', 'subscriptions/acknowledged').length === 2,
  );
  const changed = agents()
    .replace('über alles', 'und anderes')
    .replace('  größe & co: {}', '  größe & co: {}\n  billing: {}');
  publish(root, bundleBytes(changed));
  await until(
    () => of('writer', 'resources/updated').length === 1 && of('writer', 'resources/list_changed').length === 1,
  );
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.deepEqual([of('reader', 'resources/updated').length, of('reader', 'resources/list_changed').length], [0, 0]);
});

test('a variable that is missing, too short or used twice lets nobody in, and the log names it, not its value', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, agents())], {
    env: { READER_TOKEN: 'short', WRITER_TOKEN: WRITER, NOBODY_TOKEN: WRITER },
  });
  assert.equal((await served.post(read(AUTH), bearer('short'))).status, 401);
  const { messages } = await served.post(read(USERS), bearer(WRITER));
  assert.ok(messages[0].result);
  assert.match(
    served.stderr,
    /the agent reader cannot come in: its variable READER_TOKEN is shorter than 16 characters/,
  );
  assert.match(
    served.stderr,
    /the agent nobody cannot come in: its variable NOBODY_TOKEN is also the token of the agent writer/,
  );
  assert.doesNotMatch(served.stderr, new RegExp(`short\\b(?!er)|${WRITER}`));
});

test('no token is ever said: not in answers, logs, metrics or the bundle', async (t) => {
  const root = builtShop(t, agents());
  const served = new HttpServed(t, ['--root', root], { env: TOKENS });
  const origin = await served.origin();
  for (const uri of [AUTH, USERS, READER, `file://${READER}`, 'context://module/none']) {
    for (const token of [READER, 'wrong-token-of-no-agent-at-all']) await served.post(read(uri), bearer(token));
  }
  await served.post('nonsense', bearer(READER));
  const metrics = await (await fetch(`${origin}/metrics`, { headers: bearer(READER) })).text();
  const { readFileSync } = await import('node:fs');
  const bundle = readFileSync(`${root}/dist-index/context.fgb`, 'latin1');
  const said = JSON.stringify(served.messages).replaceAll(/"(uri|resource)":"[^"]*"/g, '');
  for (const text of [said, served.stderr.replaceAll(/could not read "[^"]*"/g, ''), metrics, bundle]) {
    assert.doesNotMatch(text, /the-token-of|wrong-token/);
  }
});

test('one agent’s flood costs another nothing, and wrong tokens cost agents nothing', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, agents(100))], { env: TOKENS });
  const statuses: number[] = [];
  for (let n = 0; n < 120; n++) statuses.push((await served.post(read(AUTH), bearer(READER))).status);
  assert.ok(statuses.filter((status) => status === 429).length >= 5);
  for (let n = 0; n < 70; n++) statuses.push((await served.post(read(AUTH), bearer('x'.repeat(20)))).status);
  assert.equal(statuses.at(-1), 429);
  assert.equal((await served.post(read(AUTH), bearer(WRITER))).status, 200);
});

test('a new bundle’s agents count from then on; one without agents lets nobody in whom other machines could be', async (t) => {
  const root = builtShop(t, agents());
  const served = new HttpServed(t, ['--root', root, '--http', '0.0.0.0:0'], { env: TOKENS });
  served.headers = { host: 'localhost' };
  const status = async (token: string): Promise<number> => (await served.post(read(OVERVIEW), bearer(token))).status;
  assert.equal(await status(WRITER), 200);
  publish(root, bundleBytes(agents().replace('  writer:', '  scribe:')));
  await until(async () => (await served.post(read(USERS), bearer(WRITER))).status === 200);
  publish(root, bundleBytes(agents().replace(/ {2}writer:.*\n/, '')));
  await until(async () => (await status(WRITER)) === 401);
  publish(root, bundleBytes(SHOP));
  await until(async () => (await status(READER)) === 401);
  assert.equal((await served.post(read(OVERVIEW))).status, 401);
});

test('on this machine --agent says who comes without a token; for others it is refused', async (t) => {
  const root = builtShop(t, agents());
  const served = new HttpServed(t, ['--root', root, '--agent', 'reader'], { env: TOKENS });
  assert.equal((await served.post(read(USERS))).messages[0].error.data.kind, 'access_denied');
  assert.ok((await served.post(read(AUTH))).messages[0].result);
  assert.ok((await served.post(read(USERS), bearer(WRITER))).messages[0].result);
  assert.equal((await served.post(read(AUTH), bearer('wrong-token-of-no-agent'))).status, 401);
  const exposed = run(['serve', '--root', root, '--http', '0.0.0.0:0', '--agent', 'reader']);
  assert.deepEqual([exposed.code, /this machine only/.test(exposed.stderr)], [2, true]);
});
