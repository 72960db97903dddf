// Prompts over the real server, in both eras, and with real clients as judges.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { until } from '../support/clock.ts';
import { type Message, run, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type AnyServed, onEveryMount, type Serve } from '../support/mounts.ts';

const ROOT = join(import.meta.dirname, '../..');

const FILES = {
  'project.yaml': `version: "1.0"
project: { name: "Shop {{x}}" }
modules: { auth: {}, audit: {}, "größe & co": {} }
guide: { categories: { docs: {} }, collections: { start: { categories: [docs] } } }
`,
  'content/docs/a.md': '# A\n',
  'prompts/review.md': `---
title: Review
description: What we look at
arguments:
  - { name: module, description: The module that changes, required: true }
  - { name: focus }
  - { name: category }
  - { name: collection }
---
Read {{module}}, {{ module }} and {{focus}}. {{unknown}} "quoted" über\\n
`,
  'prompts/constructor.md': 'A plain one.\n',
  'prompts/large.md': `---\narguments: [{ name: a }]\n---\n${'{{a}} '.repeat(200_000)}`,
};

function folder(t: TestContext, more: Record<string, string> = {}): string {
  const root = temporaryFolder(t, { ...FILES, ...more });
  assert.equal(run(['build', '--root', root]).code, 0);
  return root;
}

function served(t: TestContext, Serve: Serve, more: Record<string, string> = {}): AnyServed {
  return new Serve(t, ['--root', folder(t, more)]);
}

onEveryMount(
  'prompts are listed in both eras, the generated ones first, with the stamps of a list',
  async (t, Serve) => {
    const server = served(t, Serve);
    const { result } = await server.request('prompts/list');
    assert.deepEqual(
      result.prompts.map(({ name }: Message) => name),
      ['discover-mcp', 'getting-started', 'constructor', 'large', 'review'],
    );
    assert.deepEqual(result.prompts.at(-1), {
      name: 'review',
      title: 'Review',
      description: 'What we look at',
      arguments: [
        { name: 'module', description: 'The module that changes', required: true },
        { name: 'focus', required: false },
        { name: 'category', required: false },
        { name: 'collection', required: false },
      ],
    });
    const { result: modern } = await server.modern('prompts/list');
    assert.deepEqual(modern.prompts, result.prompts);
    assert.deepEqual([modern.resultType, modern.ttlMs, modern.cacheScope], ['complete', 0, 'public']);
    for (const cursor of ['', 'nonsense', 5]) {
      assert.equal((await server.request('prompts/list', { cursor })).error.code, -32602, String(cursor));
    }
  },
);

onEveryMount('values are filled in once and never looked at again', async (t, Serve) => {
  const server = served(t, Serve);
  const get = async (given?: object) =>
    (await server.request('prompts/get', { name: 'review', arguments: given })).result;
  const result = await get({ module: '{{focus}} $& $1 \\', focus: 'a\n"b"', extra: 17, ['__proto__']: 'x' });
  assert.deepEqual(result, {
    description: 'What we look at',
    messages: [
      {
        role: 'user',
        content: {
          type: 'text',
          text: 'Read {{focus}} $& $1 \\, {{focus}} $& $1 \\ and a\n"b". {{unknown}} "quoted" über\\n',
        },
      },
    ],
  });
  assert.match((await get({ module: 'a' })).messages[0].content.text, /^Read a, a and \. /);
  assert.match(
    (await get({ module: '', focus: 'x'.repeat(10_000) })).messages[0].content.text,
    /^Read , {2}and x{10000}\./,
  );
  const modern = await server.modern('prompts/get', { name: 'constructor' });
  assert.deepEqual(modern.result.messages, [{ role: 'user', content: { type: 'text', text: 'A plain one.' } }]);
  assert.deepEqual([modern.result.resultType, modern.result.ttlMs], ['complete', undefined]);
});

onEveryMount('what cannot be made is refused with what to do', async (t, Serve) => {
  const server = served(t, Serve);
  const cases: [object, RegExp][] = [
    [{}, /Missing required parameter: name/],
    [{ name: 5 }, /Missing required parameter: name/],
    [{ name: 'reveiw' }, /Unknown prompt: reveiw.*Did you mean review\?/],
    [{ name: '__proto__' }, /Unknown prompt: __proto__/],
    [{ name: 'toString' }, /Unknown prompt/],
    [{ name: '../review' }, /Unknown prompt/],
    [{ name: 'x'.repeat(10_000) }, /Unknown prompt: x{80} /],
    [{ name: 'review' }, /Missing required argument: module .*The module that changes/],
    [{ name: 'review', arguments: {} }, /Missing required argument: module/],
    [{ name: 'review', arguments: [] }, /params\.arguments/],
    [{ name: 'review', arguments: 'module' }, /params\.arguments/],
    [{ name: 'review', arguments: { module: 5 } }, /Invalid argument: module/],
    [{ name: 'review', arguments: { module: null } }, /Invalid argument: module/],
    [{ name: 'review', arguments: { module: 'a', focus: ['x'] } }, /Invalid argument: focus/],
    [{ name: 'review', arguments: { module: 'x'.repeat(10_001) } }, /at most 10000 characters/],
    [{ name: 'large', arguments: { a: 'x'.repeat(10_000) } }, /too long/],
  ];
  for (const [params, expected] of cases) {
    for (const { error } of [await server.request('prompts/get', params), await server.modern('prompts/get', params)]) {
      assert.equal(error.code, -32602, JSON.stringify(params).slice(0, 100));
      assert.match(`${error.message} ${error.data.reason} ${error.data.hint}`, expected);
    }
  }
  const { result } = await server.request('prompts/get', { name: 'large', arguments: { a: 'xx' } });
  assert.equal(result.messages[0].content.text.length, 600_000 - 1);
});

onEveryMount('every URI, prompt and method that the generated prompts name can be followed', async (t, Serve) => {
  for (const server of [served(t, Serve), ownServer(t, Serve), bareServer(t, Serve)]) {
    for (const name of ['discover-mcp', 'getting-started']) {
      const { result } = await server.request('prompts/get', { name });
      const text: string = result.messages[0].content.text;
      const uris = [...text.matchAll(/`([a-z]+:\/\/[^`]+)`/g)].map(([, uri]) => uri);
      assert.ok(uris.length > 0);
      for (const uri of uris) {
        const { result: read } = await server.request('resources/read', { uri });
        assert.ok(read.contents[0].text.length > 0, uri);
      }
    }
  }
});

function bareServer(t: TestContext, Serve: Serve): AnyServed {
  const root = temporaryFolder(t, { 'project.yaml': 'version: "1.0"\nproject: { name: bare }\n' });
  assert.equal(run(['build', '--root', root]).code, 0);
  return new Serve(t, ['--root', root]);
}

/** This repository's own bundle. */
function ownServer(t: TestContext, Serve: Serve): AnyServed {
  const out = temporaryFolder(t);
  const { code, stderr } = run(['build', '--root', ROOT, '--strict', '--out', out]);
  assert.equal(code, 0, stderr);
  return new Serve(t, ['--bundle', out]);
}

onEveryMount('a message holds a list of parts only where project.yaml asks for it', async (t, Serve) => {
  const server = served(t, Serve, { 'project.yaml': `${FILES['project.yaml']}compat: { promptContent: parts }\n` });
  const { result } = await server.request('prompts/get', { name: 'constructor' });
  assert.deepEqual(result.messages, [{ role: 'user', content: [{ type: 'text', text: 'A plain one.' }] }]);
  assert.deepEqual(Object.keys((await server.request('prompts/list')).result), ['prompts']);
});

onEveryMount(
  'arguments called module, category and collection are completed; others have nothing to offer',
  async (t, Serve) => {
    const server = served(t, Serve);
    const complete = async (name: string, argument: string, value = '') =>
      await server.request('completion/complete', {
        ref: { type: 'ref/prompt', name },
        argument: { name: argument, value },
      });
    const values = async (argument: string, value?: string) =>
      (await complete('review', argument, value)).result.completion.values;
    assert.deepEqual(await values('module', 'au'), ['auth', 'audit']);
    assert.deepEqual(await values('module', 'gr'), ['größe & co']);
    assert.deepEqual(await values('category'), ['docs']);
    assert.deepEqual(await values('collection'), ['start']);
    assert.deepEqual(await values('focus'), []);
    const cases: [string, string, RegExp][] = [
      ['reveiw', 'module', /Did you mean review\?/],
      ['review', 'modul', /Did you mean module\?/],
      ['constructor', 'module', /prompts\/list/],
      ['__proto__', 'module', /prompts\/list/],
    ];
    for (const [name, argument, expected] of cases) {
      const { error } = await complete(name, argument);
      assert.equal(error.code, -32602);
      assert.match(error.data.hint, expected);
    }
  },
);

onEveryMount('this repository’s own prompts are there, and the commands they name exist', async (t, Serve) => {
  const server = ownServer(t, Serve);
  const { scripts } = (await import('../../package.json', { with: { type: 'json' } })).default;
  const help = run(['--help']).stdout;
  for (const name of ['debugging-workflow', 'hot-reload-workflow', 'profiling-workflow']) {
    const given = { symptom: 'it fails', module: 'runtime', subject: 'a build' };
    const { result } = await server.request('prompts/get', { name, arguments: given });
    const text: string = result.messages[0].content.text;
    assert.doesNotMatch(text, /\{\{/);
    for (const [, script = ''] of text.matchAll(/npm run ([a-z:]+)/g)) assert.ok(script in scripts, script);
    for (const [, command = '', rest = ''] of text.matchAll(/dist\/fieldguide\.cjs ([a-z]+)([^`]*)/g)) {
      assert.match(help, new RegExp(`^ *${command} `, 'm'));
      const options = run([command, '--help']).stdout;
      for (const [option] of rest.matchAll(/--[a-z]+/g)) assert.ok(options.includes(option), `${command} ${option}`);
    }
  }
});

onEveryMount('a prompt that is added, changed or removed is seen by the next build', async (t, Serve) => {
  const root = folder(t);
  const server = new Serve(t, ['--root', root]);
  const names = async () => (await server.request('prompts/list')).result.prompts.map(({ name }: Message) => name);
  assert.ok(!(await names()).includes('added'));
  writeFileSync(join(root, 'prompts/added.md'), 'New.\n');
  rmSync(join(root, 'prompts/large.md'));
  assert.equal(run(['build', '--root', root]).code, 0);
  await until(async () => (await names()).includes('added'));
  assert.ok(!(await names()).includes('large'));
});

test('build --watch sees prompts outside the guide', async (t) => {
  const root = folder(t);
  const child = spawn(process.execPath, [START_FILE, 'build', '--root', root, '--watch']);
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await until(() => stderr.includes('Watching'));
  writeFileSync(join(root, 'prompts/added.md'), 'See {{nothing}}.\n');
  await until(() => stderr.includes('prompts/added.md:1:5'));
  assert.match(stderr, /prompt-argument-unknown/);
});

type AnyClient = {
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: object[] }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
};

async function judge(client: AnyClient): Promise<void> {
  assert.equal((await client.listPrompts()).prompts.length, 5);
  const { messages } = await client.getPrompt({ name: 'review', arguments: { module: 'auth' } });
  const [message] = messages as { role: string; content: { type: string; text: string } }[];
  assert.deepEqual([message?.role, message?.content.type], ['user', 'text']);
  assert.match(message?.content.text ?? '', /^Read auth, auth/);
  await assert.rejects(client.getPrompt({ name: 'review' }), /Missing required argument: module/);
  await assert.rejects(client.getPrompt({ name: 'nothing' }), /Unknown prompt: nothing/);
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'review' },
    argument: { name: 'module', value: 'aud' },
  });
  assert.deepEqual(completion.values, ['audit']);
}

test('the client of the SDK’s first line takes the prompts', async (t) => {
  const args = [START_FILE, 'serve', '--root', folder(t)];
  const client = new LegacyClient({ name: 'test', version: '0' });
  await client.connect(new LegacyTransport({ command: process.execPath, args }));
  t.after(() => client.close());
  await judge(client);
});

for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
  test(`the client of the SDK’s second line takes the prompts, ${JSON.stringify(mode)}`, async (t) => {
    const args = [START_FILE, 'serve', '--root', folder(t)];
    const client = new ModernClient({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport({ command: process.execPath, args }));
    t.after(() => client.close());
    await judge(client);
  });
}

test('the Inspector takes the prompts', (t) => {
  const root = folder(t);
  const inspector = join(ROOT, 'node_modules/.bin/mcp-inspector');
  const inspect = (...rest: string[]) => {
    const args = ['--cli', process.execPath, START_FILE, 'serve', '--root', root, ...rest, '--format', 'json'];
    const env = { ...process.env, HOME: temporaryFolder(t) };
    const { stdout, stderr, status } = spawnSync(inspector, args, { encoding: 'utf8', env });
    assert.equal(status, 0, stderr);
    const parsed = JSON.parse(stdout);
    return parsed.result ?? parsed;
  };
  assert.equal(inspect('--method', 'prompts/list').prompts.length, 5);
  const got = inspect('--method', 'prompts/get', '--prompt-name', 'review', '--prompt-args', 'module=auth');
  assert.match(got.messages[0].content.text, /^Read auth/);
});
