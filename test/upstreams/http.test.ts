// Servers over HTTP: both eras, and what a network can do. Nothing leaves this machine.

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { type Message, Served } from '../support/command.ts';
import { OVERVIEW } from '../support/served.ts';
import { bodyOf, legacyServer, listening, modernServer } from '../support/upstreams/http-servers.ts';
import { FROM_UPSTREAMS, projectWith } from '../support/upstreams/project.ts';

const NOTES = 'upstream://web/notes://all';

/** A server by hand that shakes hands properly, and then does what the test says: a body, or what it does itself. */
function byHand(answer: (id: unknown, response: ServerResponse) => string | undefined) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await bodyOf(request));
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { resources: {} }, serverInfo: { name: 'hand', version: '1' } }
        : undefined;
    const error = method === 'server/discover' ? { code: -32601, message: 'Method not found' } : undefined;
    const body = result || error ? JSON.stringify({ jsonrpc: '2.0', id, result, error }) : answer(id, response);
    if (body !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}

for (const [era, start] of [
  ['legacy', legacyServer],
  ['modern', modernServer],
] as const) {
  test(`a ${era} server is spoken to as it wants`, async (t) => {
    const server = await start(t);
    const served = new Served(t, [
      '--root',
      projectWith(t, { web: { url: server.url, headers: { 'X-Team': 'shop' } } }),
    ]);
    const { result } = await served.request('resources/read', { uri: NOTES });
    assert.deepEqual(result.contents, [
      {
        uri: NOTES,
        mimeType: 'text/plain',
        text: `notes of ${era}`,
        _meta: { 'fieldguide/upstream': { group: 'web', uri: 'notes://all' } },
      },
    ]);
    const list = await served.request('resources/list', { cursor: FROM_UPSTREAMS });
    assert.deepEqual(
      list.result.resources.map((one: Message) => one.uri),
      ['upstream://web', NOTES],
    );
    const templates = await served.request('resources/templates/list', { cursor: FROM_UPSTREAMS });
    assert.equal(templates.result.resourceTemplates[0].uriTemplate, 'upstream://web/notes://one/{id}');
    const one = await served.modern('resources/read', { uri: 'upstream://web/notes://one/a%20b' });
    assert.equal(one.result.contents[0].uri, 'upstream://web/notes://one/a%20b');
    const health = await served.request('resources/read', { uri: 'upstream://web' });
    assert.match(health.result.contents[0].text, new RegExp(`\\*\\*Protocol:\\*\\* \\S+ \\(${era}\\)`));
    assert.ok(server.requests.every(({ headers }) => headers['x-team'] === 'shop'));
    assert.ok(
      server.requests.every(({ headers }) => headers.authorization === undefined && headers.cookie === undefined),
    );
  });
}

test('a server that forgot its sessions, or came back at the same address, is connected to anew', async (t) => {
  const server = await legacyServer(t);
  const served = new Served(t, ['--root', projectWith(t, { web: { url: server.url } })]);
  assert.ok((await served.request('resources/read', { uri: NOTES })).result);
  for (let n = 0; n < 3; n++) {
    server.forget();
    assert.ok((await served.request('resources/read', { uri: NOTES })).result, `lost session ${n}`);
  }
});

test('a server that cannot be reached is said to be so, and found when it is there', async (t) => {
  const gone = await legacyServer(t);
  const { url } = gone;
  await gone.stop();
  const served = new Served(t, ['--root', projectWith(t, { web: { url, timeout: '2s' } })]);
  const { error } = await served.request('resources/read', { uri: NOTES });
  assert.deepEqual([error.code, error.data.kind], [-32603, 'disconnected']);
  assert.equal(error.data.reason, 'It cannot be reached (ECONNREFUSED).');
  await legacyServer(t, Number(new URL(url).port));
  assert.ok((await served.request('resources/read', { uri: NOTES })).result);
});

test('a redirect to another origin is not followed, and no header goes there', async (t) => {
  const other = await listening(t, (_, response) => void response.end('{}'));
  const server = await listening(t, (_, response) => void response.writeHead(307, { location: other.url }).end());
  const root = projectWith(t, { web: { url: server.url, headers: { Authorization: 'Bearer own' } } });
  const served = new Served(t, ['--root', root]);
  const { error } = await served.request('resources/read', { uri: NOTES });
  assert.equal(error.data.reason, 'It redirects to another address, which is not followed.');
  assert.ok(server.requests.length > 0);
  assert.equal(other.requests.length, 0);
});

test('timeouts hold on HTTP: for no answer, and for one that drips', async (t) => {
  const silent = await listening(
    t,
    byHand(() => undefined),
  );
  const drips = await listening(
    t,
    byHand((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
      return undefined;
    }),
  );
  const timeout = '400ms';
  const root = projectWith(t, { silent: { url: silent.url, timeout }, drips: { url: drips.url, timeout } });
  const served = new Served(t, ['--root', root]);
  const asked = ['silent', 'drips'].map((group) =>
    served.request('resources/read', { uri: `upstream://${group}/a://b` }),
  );
  assert.ok((await served.request('resources/read', { uri: OVERVIEW })).result);
  for (const { error } of await Promise.all(asked)) assert.equal(error.data.kind, 'timeout');
});

test('an answer over maxSize is refused, as JSON and as an event', async (t) => {
  const text = 'x'.repeat(200_000);
  const contents = [{ uri: 'a://b', text }];
  const whole = await listening(
    t,
    byHand((id) => JSON.stringify({ jsonrpc: '2.0', id, result: { contents } })),
  );
  const root = projectWith(t, {
    whole: { url: whole.url, maxSize: 100_000 },
    fits: { url: whole.url, maxSize: 300_000 },
  });
  const served = new Served(t, ['--root', root]);
  const refused = await served.request('resources/read', { uri: 'upstream://whole/a://b' });
  assert.equal(refused.error.data.kind, 'too_large');
  const fits = await served.request('resources/read', { uri: 'upstream://fits/a://b' });
  assert.equal(fits.result.contents[0].text.length, 200_000);
});

test('what is no MCP over HTTP fails with its reason', async (t) => {
  const statuses = await Promise.all(
    [401, 403, 404, 500, 503].map(async (status) => {
      const server = await listening(
        t,
        (_, response) => void response.writeHead(status).end('<html>a secret page</html>'),
      );
      return [`s${status}`, { url: server.url, timeout: '2s' }] as const;
    }),
  );
  const html = await listening(
    t,
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hi</html>'),
  );
  const served = new Served(t, [
    '--root',
    projectWith(t, { ...Object.fromEntries(statuses), html: { url: html.url, timeout: '2s' } }),
  ]);
  for (const [group] of statuses) {
    const { error } = await served.request('resources/read', { uri: `upstream://${group}/a://b` });
    assert.equal(error.data.reason, `It answered with HTTP ${group.slice(1)}.`);
  }
  const { error } = await served.request('resources/read', { uri: 'upstream://html/a://b' });
  assert.equal(error.code, -32603);
  assert.doesNotMatch(JSON.stringify(served.messages), /secret page|<html>/);
});

test('a client’s own credentials and metadata do not travel on', async (t) => {
  const server = await modernServer(t);
  let bodies = '';
  const front = await listening(t, async (request, response) => {
    const body = await bodyOf(request);
    bodies += body;
    const answer = await fetch(server.url, {
      method: 'POST',
      body,
      headers: request.headers as Record<string, string>,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  const served = new Served(t, ['--root', projectWith(t, { web: { url: front.url } })]);
  const params = {
    uri: NOTES,
    _meta: { authorization: 'Bearer of-the-client', progressToken: 'of-the-client' },
    token: 'of-the-client',
  };
  assert.ok((await served.request('resources/read', params)).result);
  assert.ok((await served.request('resources/read', { ...params, group: 'web', uri: 'notes://all' })).result);
  assert.ok(bodies.includes('notes://all'));
  assert.ok(!bodies.includes('of-the-client'), bodies);
});
