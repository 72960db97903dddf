// The protocol itself, one suite for every mount: both eras on stdio and over HTTP.

import assert from 'node:assert/strict';
import { ENVELOPE, type Message } from '../support/command.ts';
import { onEveryMount } from '../support/mounts.ts';
import { builtShop, LIVE_URIS, OVERVIEW } from '../support/served.ts';

const CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  tools: { listChanged: true },
  completions: {},
};

onEveryMount('legacy: handshake, ping, list, templates, read', async (t, Served) => {
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

onEveryMount('modern: discover, list and read carry the stamps; what has gone is not there', async (t, Served) => {
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

onEveryMount('the envelope is checked on every request', async (t, Served) => {
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

onEveryMount('errors have the codes of their era and say what to do', async (t, Served) => {
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

onEveryMount('a long text comes in pages that join to the text', async (t, Served) => {
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

onEveryMount('a long list comes in at most 64 pages, each resource once, in order', async (t, Served) => {
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
