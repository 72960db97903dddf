// Everything of all groups under URIs of ours, as ordinary clients see it: one list, reads from any page or template,
// completion, and real servers behind it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Message, Served, START_FILE } from '../support/command.ts';
import { HttpServed } from '../support/http-served.ts';
import { legacyServer, modernServer } from '../support/upstreams/http-servers.ts';
import { bad, EVERYTHING, FROM_UPSTREAMS, filesystem, projectWith } from '../support/upstreams/project.ts';

async function realProject(t: TestContext): Promise<string> {
  const [old, young] = [await legacyServer(t), await modernServer(t)];
  return projectWith(t, {
    everything: { ...EVERYTHING, features: { tools: true, prompts: true } },
    fs: { ...filesystem('data'), features: { tools: true } },
    old: { url: old.url },
    young: { url: young.url },
    long: bad('paged'),
    absent: { command: 'no-such-program-anywhere' },
  });
}

type AnyClient = {
  listResources(params?: { cursor: string }): Promise<{ resources: Message[]; nextCursor?: string | undefined }>;
  listResourceTemplates(params?: {
    cursor: string;
  }): Promise<{ resourceTemplates: Message[]; nextCursor?: string | undefined }>;
  listPrompts(params?: { cursor: string }): Promise<{ prompts: Message[]; nextCursor?: string | undefined }>;
  listTools(params?: { cursor: string }): Promise<{ tools: Message[]; nextCursor?: string | undefined }>;
  readResource(params: { uri: string }): Promise<{ contents: Message[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: Message[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Message>;
  complete(params: Message): Promise<{ completion: { values: string[] } }>;
};

/** Page by page where a client gives pages; the SDK's second line gives all at once. */
async function all(
  page: (params?: { cursor: string }) => Promise<{ nextCursor?: string | undefined }>,
  key: string,
): Promise<Message[]> {
  const found: Message[] = [];
  for (let cursor: string | undefined, n = 0; n < 64; n++) {
    const got: Message = await page(cursor === undefined ? undefined : { cursor });
    found.push(...got[key]);
    if (got.nextCursor === undefined) return found;
    cursor = got.nextCursor;
  }
  throw new Error('more than 64 pages');
}

async function judge(client: AnyClient): Promise<void> {
  const resources = await all((params) => client.listResources(params), 'resources');
  const uris: string[] = resources.map(({ uri }) => uri);
  assert.equal(new Set(uris).size, uris.length, 'each once');
  assert.ok(uris.indexOf('context://project/overview') < uris.indexOf('upstream://everything'), 'ours first');
  const groups = uris.filter((uri) => /^upstream:\/\/[a-z]+$/.test(uri)).map((uri) => uri.slice(11));
  assert.deepEqual(groups, ['everything', 'old', 'young', 'long', 'absent'], 'one without resources is left out');
  assert.equal(uris.filter((uri) => uri.startsWith('upstream://long/')).length, 2000);
  for (const uri of [
    'upstream://long/bad://page-4/399',
    'upstream://old/notes://all',
    'upstream://young/notes://all',
  ]) {
    assert.ok(uris.includes(uri), uri);
    const { contents } = await client.readResource({ uri });
    assert.equal(contents[0].uri, uri);
    assert.equal(contents[0]._meta['fieldguide/upstream'].group, /\/\/([a-z]+)/.exec(uri)?.[1]);
  }
  assert.match(
    (await client.readResource({ uri: 'upstream://absent' })).contents[0].text,
    /could not be started \(ENOENT\)/,
  );
  const templates = await all((params) => client.listResourceTemplates(params), 'resourceTemplates');
  const dynamic = 'upstream://everything/demo://resource/dynamic/text/{resourceId}';
  assert.ok(templates.some(({ uriTemplate }) => uriTemplate === dynamic));
  assert.ok(templates.some(({ uriTemplate }) => uriTemplate === 'context://module/{name}'));
  const expanded = dynamic.replace('{resourceId}', '12');
  assert.match((await client.readResource({ uri: expanded })).contents[0].text, /^Resource 12: /);
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: dynamic },
    argument: { name: 'resourceId', value: '3' },
  });
  assert.deepEqual(completion.values, ['3']);
  await judgeOffers(client);
}

async function judgeOffers(client: AnyClient): Promise<void> {
  const tools = (await all((params) => client.listTools(params), 'tools')).map(({ name }) => name);
  assert.ok(
    tools.includes('search') && tools.includes('everything__echo') && tools.includes('fs__read_text_file'),
    tools.join(),
  );
  assert.ok(!tools.some((name) => name.startsWith('long__')), 'only where features asks for them');
  const echoed = await client.callTool({ name: 'everything__echo', arguments: { message: 'hello' } });
  assert.equal(echoed.content[0].text, 'Echo: hello');
  const read = await client.callTool({ name: 'fs__read_text_file', arguments: { path: 'a.txt' } });
  assert.equal(read.content[0].text, 'in a file\n');
  const mirrored = await client.callTool({ name: 'read_resource', arguments: { uri: 'upstream://old/notes://all' } });
  assert.equal(mirrored.content[0].text, 'notes of legacy');
  const listed = await client.callTool({ name: 'list_resources', arguments: { space: 'upstream' } });
  assert.match(listed.content[0].text, /- upstream:\/\/old\/notes:\/\/all — /);
  await assert.rejects(client.callTool({ name: 'long__tell', arguments: {} }), /Unknown tool: long__tell/);
  const prompts = (await all((params) => client.listPrompts(params), 'prompts')).map(({ name }) => name);
  assert.ok(prompts.includes('getting-started') && prompts.includes('everything__args-prompt'), prompts.join());
  const { messages } = await client.getPrompt({ name: 'everything__args-prompt', arguments: { city: 'Ulm' } });
  assert.match(messages[0].content.text, /Ulm/);
  await assert.rejects(client.getPrompt({ name: 'old__x' }), /Unknown prompt/);
}

test('the client of the SDK’s first line', async (t) => {
  const root = await realProject(t);
  const client = new LegacyClient({ name: 'judge', version: '1' });
  await client.connect(
    new LegacyTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root], cwd: root }),
  );
  t.after(() => client.close());
  await judge(client as unknown as AnyClient);
});

for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
  test(`the client of the SDK’s second line, ${JSON.stringify(mode)}`, async (t) => {
    const root = await realProject(t);
    const client = new ModernClient({ name: 'judge', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new ModernTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root], cwd: root }),
    );
    t.after(() => client.close());
    await judge(client as unknown as AnyClient);
  });
}

test('the client of the SDK’s second line, over HTTP', async (t) => {
  const root = await realProject(t);
  const served = new HttpServed(t, ['--root', root], { cwd: root });
  const client = new ModernClient(
    { name: 'judge', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${await served.origin()}/mcp`)));
  t.after(() => client.close());
  await judge(client as unknown as AnyClient);
});

test('cursors of ours that were made up are refused, and one into a group that has gone ends the list', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('paged') })]);
  const cursorOf = (value: unknown): string =>
    FROM_UPSTREAMS + Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const wrong of [
    '{',
    [],
    [1],
    ['1', 'bad', null, 0],
    [1, 'bad', 5, 0],
    [-1, 'bad', null, 0],
    [1, 'bad', null, 'x'],
  ]) {
    for (const method of ['resources/list', 'resources/templates/list']) {
      const { error } = await served.request(method, { cursor: cursorOf(wrong) });
      assert.deepEqual([error?.code, error?.message], [-32602, 'Invalid cursor'], JSON.stringify(wrong));
    }
  }
  assert.deepEqual((await served.request('resources/list', { cursor: cursorOf([1, 'gone', null, 0]) })).result, {
    resources: [],
  });
  const { result } = await served.request('resources/list', { cursor: cursorOf([1, 'bad', '4', 4]) });
  assert.equal(result.resources[0].uri, 'upstream://bad/bad://page-4/0');
});

test('without upstreams there is no cursor to them, and no space of theirs', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, {})]);
  for (const method of ['resources/list', 'resources/templates/list', 'tools/list', 'prompts/list']) {
    assert.equal((await served.request(method)).result.nextCursor, undefined);
  }
  assert.deepEqual((await served.request('resources/list', { cursor: FROM_UPSTREAMS })).result, { resources: [] });
  const { error } = await served.request('resources/read', { uri: 'upstream://bad/bad://a' });
  assert.deepEqual([error.code, error.data.kind], [-32002, 'unknown_group']);
});

test('a URI that our grammar refuses by its look reaches nobody', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('good') })]);
  for (const uri of ['a/../b', 'a/%2e%2e/b', 'a/%2E./b', 'a\u0000', 'a%00b', 'a\\b', 'a%5cb', '..', 'x'.repeat(2048)]) {
    const { error } = await served.request('resources/read', { uri: `upstream://bad/bad://${uri}` });
    assert.deepEqual([error?.code, error?.data.kind], [-32602, 'invalid_uri'], uri.slice(0, 40));
  }
  for (const uri of ['upstream://', 'upstream:///x', 'upstream://a b/c', 'upstream://_x/y']) {
    assert.equal((await served.request('resources/read', { uri })).error.data.kind, 'invalid_uri', uri);
  }
});
