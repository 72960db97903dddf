// The wire as bytes: both eras, what is malformed, what is slow, how it ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVELOPE, type Message, run, Served } from '../support/command.ts';
import { builtShop, LIVE_URIS, OVERVIEW } from '../support/served.ts';

const CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  tools: { listChanged: true },
  completions: {},
};

test('legacy: handshake, ping, list, templates, read', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  for (const version of ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const { result } = await served.request('initialize', { protocolVersion: version });
    assert.equal(result.protocolVersion, version);
    assert.deepEqual(result.capabilities, CAPABILITIES);
    assert.match(result.instructions, /My SaaS App.*context:\/\/project\/overview/);
  }
  for (const version of ['2026-07-28', 'nonsense', undefined]) {
    const { result } = await served.request('initialize', { protocolVersion: version });
    assert.equal(result.protocolVersion, '2025-11-25');
  }
  assert.deepEqual((await served.request('ping')).result, {});
  const { result: list } = await served.request('resources/list');
  assert.deepEqual(Object.keys(list), ['resources', 'resourceTemplates']);
  assert.deepEqual(
    list.resources.map(({ uri, name, mimeType }: Message) => [uri, name, mimeType]),
    [
      ['context://project/overview', 'Project Overview', 'text/markdown'],
      ['context://module/auth', 'auth', 'text/markdown'],
      ['context://module/users', 'users', 'text/markdown'],
      ['context://module/gr%C3%B6%C3%9Fe%20%26%20co', 'größe & co', 'text/markdown'],
      ['context://session/current', 'Current Session', 'text/markdown'],
      ['context://sessions/recent', 'Recent Sessions', 'text/markdown'],
      ['context://discoveries', 'Discoveries', 'text/markdown'],
    ],
  );
  const { result: templates } = await served.request('resources/templates/list');
  assert.deepEqual(templates.resourceTemplates, list.resourceTemplates);
  assert.equal(templates.resourceTemplates[0].uriTemplate, 'context://module/{name}');
  for (const { uri, size } of list.resources) {
    if (LIVE_URIS.includes(uri)) {
      assert.equal(size, undefined, 'what is made when it is asked for has no size before');
      continue;
    }
    const { result } = await served.request('resources/read', { uri });
    assert.deepEqual(Object.keys(result), ['contents']);
    assert.equal(result.contents[0].uri, uri);
    assert.equal(Buffer.byteLength(result.contents[0].text), size);
  }
});

test('modern: discover, list and read carry the stamps; what has gone is not there', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  const { result: found } = await served.modern('server/discover');
  assert.deepEqual(found.supportedVersions, ['2026-07-28']);
  assert.deepEqual(found.capabilities, CAPABILITIES);
  assert.equal(found.resultType, 'complete');
  assert.equal(found._meta['io.modelcontextprotocol/serverInfo'].name, 'fieldguide');
  const { result: list } = await served.modern('resources/list');
  assert.deepEqual([list.resultType, list.ttlMs, list.cacheScope], ['complete', 0, 'public']);
  const { result: read } = await served.modern('resources/read', { uri: OVERVIEW });
  assert.deepEqual([read.resultType, read.cacheScope], ['complete', 'public']);
  assert.ok(Number.isInteger(read.ttlMs) && read.ttlMs > 0 && read.ttlMs <= 3_600_000);
  assert.match(read.contents[0].text, /^# Project: My SaaS App\n/);
  for (const method of ['ping', 'initialize', 'resources/subscribe', 'logging/setLevel']) {
    assert.equal((await served.modern(method)).error.code, -32601, method);
  }
});

test('the envelope is checked on every request', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  const version = 'io.modelcontextprotocol/protocolVersion';
  const foreign = await served.request('resources/list', { _meta: { ...ENVELOPE, [version]: '2030-01-01' } });
  assert.equal(foreign.error.code, -32022);
  assert.deepEqual(foreign.error.data.supported, ['2026-07-28']);
  assert.equal(foreign.error.data.requested, '2030-01-01');
  const half = await served.request('resources/list', { _meta: { [version]: '2026-07-28' } });
  assert.equal(half.error.code, -32602);
  assert.equal((await served.request('server/discover')).error.code, -32602);
  const other = await served.request('resources/list', { _meta: { progressToken: 1 } });
  assert.equal(other.result.resultType, undefined);
});

test('errors have the codes of their era and say what to do', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  const cases: [unknown, number, number, string, string][] = [
    ['context://module/auht', -32602, -32602, 'Module not found: auht', 'not_found'],
    ['context://module/auth?page=2', -32602, -32602, 'Page not found: 2', 'not_found'],
    ['context://elsewhere', -32600, -32602, 'Unknown resource: context://elsewhere', 'unknown_resource'],
    ['context://module/%2e%2e', -32602, -32602, 'Invalid URI', 'invalid_uri'],
    ['other://x', -32602, -32602, 'Invalid URI scheme', 'invalid_scheme'],
    [17, -32602, -32602, 'Missing required parameter: uri', 'invalid_params'],
  ];
  for (const [uri, legacy, modern, message, kind] of cases) {
    const { error: old } = await served.request('resources/read', { uri });
    assert.deepEqual([old.code, old.message, old.data.kind], [legacy, message, kind]);
    assert.ok(old.data.reason.endsWith('.'));
    if (typeof uri === 'string') assert.deepEqual([old.data.uri, old.data.resource], [uri, uri]);
    assert.equal((await served.modern('resources/read', { uri })).error.code, modern);
  }
  const { error } = await served.request('resources/read', { uri: 'context://module/auht' });
  assert.match(error.data.hint, /Did you mean "auth"\?/);
  const unknown = await served.request('resources/lits');
  assert.deepEqual([unknown.error.code, unknown.error.message], [-32601, 'Method not found: resources/lits']);
  assert.match(unknown.error.data.hint, /resources\/list/);
  for (const cursor of ['nonsense', '', 5, Buffer.from('1 x').toString('base64url')]) {
    assert.equal((await served.request('resources/list', { cursor })).error.code, -32602, String(cursor));
  }
  assert.match(served.stderr, /could not read "context:\/\/module\/auht": Module not found: auht/);
  assert.doesNotMatch(JSON.stringify(served.messages), /\/tmp\/|at .*\.(ts|cjs):/);
});

const MALFORMED: [string, number | undefined, unknown][] = [
  ['nonsense', -32700, null],
  ['{"jsonrpc":"2.0","id":1,"method":', -32700, null],
  ['\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700, null],
  ['{"a":\u0000}', -32700, null],
  ['[]', -32600, null],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
  ['null', -32600, null],
  ['"text"', -32600, null],
  ['17', -32600, null],
  ['{}', -32600, null],
  ['{"id":"x1","method":"ping"}', -32600, 'x1'],
  ['{"jsonrpc":"1.0","id":"x2","method":"ping"}', -32600, 'x2'],
  ['{"jsonrpc":"2.0","id":"x3"}', -32600, 'x3'],
  ['{"jsonrpc":"2.0","id":"x4","method":5}', -32600, 'x4'],
  ['{"jsonrpc":"2.0","id":"x5","method":"ping","params":[]}', -32600, 'x5'],
  ['{"jsonrpc":"2.0","id":"x6","method":"ping","params":null}', -32600, 'x6'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600, null],
  ['{"jsonrpc":"2.0","id":"x7","method":"__proto__"}', -32601, 'x7'],
  ['{"jsonrpc":"2.0","id":"x8","method":"constructor"}', -32601, 'x8'],
  ['', undefined, undefined],
  ['   \r', undefined, undefined],
  ['{"jsonrpc":"2.0","method":"notifications/whatever"}', undefined, undefined],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', undefined, undefined],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', undefined, undefined],
];

test('each malformed line is answered once, and never stops the others', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  for (const [n, [line, code, id]] of MALFORMED.entries()) {
    const before = served.messages.length;
    served.send(`${line}\n`);
    assert.deepEqual((await served.request('ping', {}, `ping ${n}`)).result, {});
    const answers = served.messages.slice(before, -1).map(({ id, error }) => [id, error.code]);
    assert.deepEqual(answers, code === undefined ? [] : [[id, code]], line.slice(0, 60));
  }
});

test('a line over 4 MiB is refused and the next one served', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  const long = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(5 * 1024 * 1024)}"}}\n`;
  served.send(long);
  const refused = await served.answer((message) => message.id === null);
  assert.equal(refused.error.code, -32600);
  assert.match(refused.error.data.reason, /longer than 4 MiB/);
  assert.deepEqual((await served.request('ping')).result, {});
  const fits = `{"jsonrpc":"2.0","id":"big","method":"ping","params":{"x":"${'x'.repeat(4 * 1024 * 1024 - 100)}"}}\n`;
  served.send(fits);
  assert.deepEqual((await served.answer((message) => message.id === 'big')).result, {});
});

test('a long text comes in pages that join to the text', async (t) => {
  const rules = Array.from({ length: 400 }, (_, n) => `      - Rule ${n} — "quoted" ${'words '.repeat(10)}`).join('\n');
  const root = builtShop(t, `version: "1.0"\nproject: { name: a }\nmodules:\n  big:\n    businessRules:\n${rules}\n`);
  const served = new Served(t, ['--root', root]);
  let text = '';
  let uri: string | undefined = 'context://module/big';
  let pages = 0;
  while (uri !== undefined) {
    const { result }: Message = await served.request('resources/read', { uri });
    const page: string = result.contents[0].text;
    assert.equal(result.contents[0].uri, uri);
    assert.ok(Buffer.byteLength(page) <= 20 * 1024);
    const notice = /\n\[Page \d+ of \d+\. The next is (.*)\]$/.exec(page);
    text += notice === null ? page : page.slice(0, notice.index);
    uri = notice?.[1];
    pages++;
  }
  assert.equal(pages, 2);
  assert.equal(text.match(/^- Rule/gm)?.length, 400);
  const { result } = await served.request('resources/list');
  assert.equal(Buffer.byteLength(text), result.resources[1].size);
});

test('a long list comes in at most 64 pages, each resource once, in order', async (t) => {
  const modules = Array.from({ length: 1000 }, (_, n) => `  m${n}: {}`).join('\n');
  const served = new Served(t, [
    '--root',
    builtShop(t, `version: "1.0"\nproject: { name: a }\nmodules:\n${modules}\n`),
  ]);
  const uris: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; pages++) {
    const { result }: Message = await served.request('resources/list', cursor === undefined ? {} : { cursor });
    uris.push(...result.resources.map((resource: Message) => resource.uri));
    assert.equal('resourceTemplates' in result, cursor === undefined);
    cursor = result.nextCursor;
    if (cursor === undefined) break;
  }
  assert.ok(pages > 1 && pages <= 64);
  assert.deepEqual(uris, [OVERVIEW, ...Array.from({ length: 1000 }, (_, n) => `context://module/m${n}`), ...LIVE_URIS]);
});

test('a request without a handshake is served, and the end of input waits for its answer', (t) => {
  const root = builtShop(t);
  const read = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}`;
  for (const input of [`${read}\n`, read]) {
    const { code, stdout, stderr } = run(['serve', '--root', root], { input });
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(JSON.parse(stdout).result.contents[0].text, /^# Project: My SaaS App/);
  }
  const many = run(['serve', '--root', root], { input: `${read}\n`.repeat(20_000) });
  assert.equal(many.code, 0);
  assert.equal(many.stdout.split('\n').length, 20_001);
});

test('a reader that stalls costs no memory, and gets everything when it reads again', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  await served.request('ping', {}, 'ready');
  served.child.stdout.pause();
  const line = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}\n`;
  const count = 100_000;
  for (let n = 0; n < count / 1000; n++) served.send(line.repeat(1000));
  await sleep(700);
  const { readFileSync } = await import('node:fs');
  const anonymous = Number(
    /^Anonymous:\s+(\d+)/m.exec(readFileSync(`/proc/${served.child.pid}/smaps_rollup`, 'utf8'))?.[1],
  );
  assert.ok(anonymous < 100_000, `${anonymous} KB`);
  served.child.stdout.resume();
  served.child.stdin.end();
  const { code } = await served.ended;
  assert.equal(code, 0);
  assert.equal(served.messages.length, count + 1);
});

test('SIGTERM ends it at once with code 0, a stalled reader or not', async (t) => {
  for (const stalled of [false, true]) {
    const served = new Served(t, ['--root', builtShop(t)]);
    await served.request('ping', {}, 'ready');
    if (stalled) {
      served.child.stdout.pause();
      for (let n = 0; n < 100; n++) {
        served.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}\n`.repeat(100));
      }
      await sleep(300);
    }
    const exit = new Promise((resolve) => served.child.on('exit', (code, signal) => resolve([code, signal])));
    served.child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
  }
});

test('SIGTERM in the middle of a backlog: what was read is answered in whole lines', async (t) => {
  const rules = Array.from({ length: 150 }, (_, n) => `      - Rule ${n} ${'words '.repeat(15)}`).join('\n');
  const root = builtShop(t, `version: "1.0"\nproject: { name: a }\nmodules:\n  big:\n    businessRules:\n${rules}\n`);
  const served = new Served(t, ['--root', root]);
  await served.request('ping', {}, 'ready');
  served.child.stdout.pause();
  const line = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"context://module/big"}}\n';
  served.send(line.repeat(300));
  await sleep(300);
  served.child.kill('SIGTERM');
  served.child.stdout.resume();
  const { code, stdout } = await served.ended;
  assert.deepEqual([code, stdout], [0, '']);
  assert.equal(served.messages.length, 301);
});

test('a reader that goes away ends it with code 0', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  await served.request('ping', {}, 'ready');
  served.child.stdout.destroy();
  const line = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}\n`;
  for (let n = 0; n < 100; n++) served.send(line);
  const exit = new Promise((resolve) => served.child.on('exit', (code, signal) => resolve([code, signal])));
  assert.deepEqual(await exit, [0, null]);
  assert.equal(served.stderr, '');
});

test('a client that closes stderr is served all the same', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  await served.request('ping', {}, 'ready');
  served.child.stderr.destroy();
  for (let n = 0; n < 5; n++) {
    assert.equal((await served.request('resources/read', { uri: 'context://module/nothing' })).error.code, -32602);
  }
  assert.match((await served.request('resources/read', { uri: OVERVIEW })).result.contents[0].text, /^# Project/);
});
