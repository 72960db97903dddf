// Who is let in at the door of the HTTP server, and how those are told that are not.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { run } from '../support/command.ts';
import { HttpServed } from '../support/http-served.ts';
import { builtShop } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

type Heard = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** What fetch would not send: a Host of its own, for one. */
async function ask(
  origin: string,
  { method = 'POST', path = '/mcp', headers = {}, body = PING }: Record<string, unknown> & { body?: string } = {},
): Promise<Heard> {
  const { hostname, port } = new URL(origin);
  return await new Promise((resolve, reject) => {
    const asked = request(
      {
        host: hostname,
        port,
        method: method as string,
        path: path as string,
        headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode as number, headers: response.headers, text }));
      },
    );
    asked.on('error', reject);
    asked.end(method === 'POST' ? body : undefined);
  });
}

test('foreign names and foreign pages are turned away, on every path', async (t) => {
  const root = builtShop(t, `${SHOP}http: { hosts: [guide.example], origins: ["https://page.example"] }\n`);
  const served = new HttpServed(t, ['--root', root]);
  const origin = await served.origin();
  const { port } = new URL(origin);
  const hosts: [string, number][] = [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    [`[::1]:${port}`, 200],
    ['LOCALHOST', 200],
    ['guide.example', 200],
    ['guide.example:443', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['guide.example.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['evil.example@localhost', 403],
    ['8.8.8.8', 403],
  ];
  for (const [host, status] of hosts) {
    for (const [method, path] of [
      ['POST', '/mcp'],
      ['GET', '/healthz'],
      ['GET', '/metrics'],
    ]) {
      assert.equal((await ask(origin, { method, path, headers: { host } })).status, status, `${host} ${path}`);
    }
  }
  const origins: [string, number][] = [
    [`http://localhost:${port}`, 200],
    ['http://127.0.0.1:9999', 200],
    ['https://page.example', 200],
    ['http://page.example', 403],
    ['https://evil.example', 403],
    ['null', 403],
    ['https://page.example.evil.example', 403],
    ['file://', 403],
    ['http://localhost@evil.example', 403],
  ];
  for (const [page, status] of origins) {
    const { status: got, text } = await ask(origin, { headers: { origin: page } });
    assert.equal(got, status, page);
    if (status === 403) assert.match(JSON.parse(text).error.data.setup, /http: { origins/);
  }
});

test('two Host headers are none', async (t) => {
  const origin = await new HttpServed(t, ['--root', builtShop(t)]).origin();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n');
  const [heard] = await once(socket, 'data');
  assert.match(String(heard), /^HTTP\/1\.1 403 /);
});

test('a page that is named may send its requests and read the answers; no other is told so', async (t) => {
  const root = builtShop(t, `${SHOP}http: { origins: ["https://page.example"] }\n`);
  const origin = await new HttpServed(t, ['--root', root]).origin();
  const before = await ask(origin, { method: 'OPTIONS', headers: { origin: 'https://page.example' } });
  assert.equal(before.status, 204);
  assert.equal(before.headers['access-control-allow-origin'], 'https://page.example');
  assert.match(String(before.headers['access-control-allow-headers']), /Mcp-Session-Id/);
  const local = await ask(origin, { headers: { origin: 'http://localhost:3000' } });
  assert.equal(local.headers['access-control-allow-origin'], undefined);
});

test('what is no request is told so, with its status and what to do', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const origin = await served.origin();
  const cases: [string, Parameters<typeof ask>[1], number, number][] = [
    ['not JSON', { body: 'nonsense' }, 400, -32700],
    ['a list', { body: '[]' }, 400, -32600],
    ['a batch', { body: `[${PING}]` }, 400, -32600],
    ['no version', { body: '{"id":1,"method":"ping"}' }, 400, -32600],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, -32600],
    ['a type that only begins so', { headers: { 'content-type': 'application/jsonp' } }, 415, -32600],
    ['another method', { method: 'PUT' }, 405, -32600],
    ['GET without a session', { method: 'GET' }, 405, -32600],
    ['DELETE without a session', { method: 'DELETE' }, 405, -32600],
    ['another path', { path: '/other' }, 404, -32600],
    ['a foreign session', { headers: { 'mcp-session-id': 'none' } }, 404, -32001],
    ['too much', { body: `${PING}${' '.repeat(1024 * 1024)}` }, 413, -32600],
    ['half a handshake', { body: PING.replace('"ping"', '"initialize"') }, 400, -32602],
    ['what needs a session', { body: PING.replace('"ping"', '"resources/subscribe"') }, 400, -32600],
  ];
  for (const [what, asked, status, code] of cases) {
    const heard = await ask(origin, asked);
    const { error } = JSON.parse(heard.text);
    assert.deepEqual([heard.status, error.code], [status, code], what);
    assert.ok(error.data.reason.endsWith('.'), what);
    if (code !== -32700 && status !== 400) assert.ok(error.data.hint.length > 10, what);
  }
  assert.equal((await ask(origin)).status, 200);
  const notification = await ask(origin, { body: '{"jsonrpc":"2.0","method":"notifications/x"}' });
  assert.deepEqual([notification.status, notification.text], [202, '']);
  assert.equal(served.stderr.split('\n').length, 2, served.stderr);
});

test('the headers of a request without a handshake must say what its body says', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const uri = 'context://module/gr%C3%B6%C3%9Fe%20%26%20co';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'resources/read', params: { uri, _meta: meta } });
  const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read', 'mcp-name': uri };
  const coded = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
  for (const headers of [right, { ...right, 'mcp-name': coded }]) {
    assert.equal((await served.post(body, headers)).status, 200);
  }
  const { 'mcp-protocol-version': _version, ...noVersion } = right;
  const { 'mcp-method': _method, ...noMethod } = right;
  const { 'mcp-name': _name, ...noName } = right;
  const wrong: Record<string, string>[] = [
    noVersion,
    noMethod,
    noName,
    { ...right, 'mcp-protocol-version': '2025-11-25' },
    { ...right, 'mcp-method': 'resources/list' },
    { ...right, 'mcp-name': 'context://module/auth' },
    { ...right, 'mcp-name': coded.replace('=?base64?', '=?base64?*') },
  ];
  for (const headers of wrong) {
    const { status, messages } = await served.post(body, headers);
    assert.deepEqual([status, messages[0].id, messages[0].error.code], [400, 5, -32020], JSON.stringify(headers));
  }
  const bare = await served.post('{"jsonrpc":"2.0","id":6,"method":"ping"}', { 'mcp-protocol-version': '2026-07-28' });
  assert.deepEqual([bare.status, bare.messages[0].error.code], [400, -32602]);
  const unknown = body.replace('resources/read', 'resources/raed');
  const { status, messages } = await served.post(unknown, { ...right, 'mcp-method': 'resources/raed' });
  assert.deepEqual([status, messages[0].error.code], [404, -32601]);
});

test('more than a minute’s worth is refused with when to come again, and then served again', async (t) => {
  const root = builtShop(t, `${SHOP}limits: { ratePerMinute: 60 }\n`);
  const served = new HttpServed(t, ['--root', root]);
  const origin = await served.origin();
  const heard: Heard[] = [];
  for (let n = 0; n < 70; n++) heard.push(await ask(origin));
  const refused = heard.filter(({ status }) => status === 429);
  assert.ok(heard.slice(0, 60).every(({ status }) => status === 200));
  assert.ok(refused.length >= 5, String(refused.length));
  const last = refused.at(-1) as Heard;
  assert.deepEqual([last.headers['retry-after'], JSON.parse(last.text).error.code], ['1', -32603]);
  assert.equal((await ask(origin, { method: 'GET', path: '/healthz' })).status, 200);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.equal((await ask(origin)).status, 200);
});

test('slow clients are closed, and honest ones are served meanwhile', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const origin = await served.origin();
  const { port } = new URL(origin);
  const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const kinds = ['', head, `${head}Content-Length: 100\r\n\r\n{"jsonrpc"`];
  const closed = kinds.flatMap((text) =>
    Array.from({ length: 40 }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      const drip = setInterval(() => socket.write(text === '' ? '' : text === head ? 'X' : ' '), 1000);
      socket.on('error', () => {});
      socket.write(text);
      socket.resume();
      await new Promise((resolve) => socket.on('close', resolve));
      clearInterval(drip);
    }),
  );
  let isOver = false;
  const all = Promise.all(closed).then(() => {
    isOver = true;
  });
  let honest = 0;
  while (!isOver) {
    assert.equal((await ask(origin)).status, 200);
    honest++;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(honest < 300, 'slow connections are still open after half a minute');
  }
  await all;
  assert.ok(honest > 5);
});

test('a client that asks and never reads is let go of, and costs no memory', async (t) => {
  const rules = Array.from({ length: 150 }, (_, n) => `      - Rule ${n} ${'words '.repeat(15)}`).join('\n');
  const source = `version: "1.0"\nproject: { name: a }\nlimits: { ratePerMinute: 1000000 }\nmodules:\n  big:\n    businessRules:\n${rules}\n`;
  const served = new HttpServed(t, ['--root', builtShop(t, source)]);
  const origin = await served.origin();
  const body = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"context://module/big"}}';
  const asked = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  await ask(origin);
  const opened = (): number => readdirSync(`/proc/${served.child.pid}/fd`).length;
  const before = opened();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  for (let n = 0; n < 5000; n++) socket.write(asked);
  await until(() => opened() > before);
  await until(async () => {
    assert.equal((await ask(origin)).status, 200);
    const memory = readFileSync(`/proc/${served.child.pid}/smaps_rollup`, 'utf8');
    assert.ok(Number(/^Anonymous:\s+(\d+)/m.exec(memory)?.[1]) < 150_000, memory);
    return opened() <= before;
  }, 40_000);
});

test('where it cannot listen, one line says why and what to do', async (t) => {
  const root = builtShop(t);
  const origin = await new HttpServed(t, ['--root', root]).origin();
  const taken = run(['serve', '--root', root, '--http', origin.slice('http://'.length)]);
  assert.equal(taken.code, 1);
  assert.match(
    taken.stderr,
    /^fieldguide serve: 127\.0\.0\.1:\d+ is in use; choose another port, or 0 for a free one\n$/,
  );
  for (const wrong of ['x', '99999', 'a:b', '1.2.3.4', ':80']) {
    const { code, stderr } = run(['serve', '--root', root, '--http', wrong]);
    assert.equal(code, 2, wrong);
    assert.match(stderr, /^fieldguide: --http is a port or host:port, such as 8080/);
  }
  const open = run(['serve', '--root', root, '--http', '0.0.0.0:0']);
  assert.equal(open.code, 1);
  assert.match(open.stderr, /0\.0\.0\.0 can be reached from other machines, and no agent has a token\. .*127\.0\.0\.1/);
});
