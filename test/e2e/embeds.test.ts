// Prompts that put resources before their text: what the protocol sees of them, and what a build says of them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Message, run, Served, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const PICTURE = readFileSync(join(import.meta.dirname, '../fixtures/conformance/data/dot.png'));

const FILES = {
  'project.yaml': `version: "1.0"
project: { name: Shop }
modules: { auth: { description: Sign-in } }
files: ["data/*"]
aliases: { "old://picture": file://data/dot.png }
`,
  'data/dot.png': PICTURE,
  'data/sound.mp3': Buffer.from([0, 1, 2]),
  'content/docs/review.md': '---\ntitle: How we review\n---\n# How we review\n\nSlowly.\n',
  'prompts/plain.md': 'Look at it.\n',
  'prompts/review.md': `---
title: Review
description: With what we agreed on
arguments:
  - { name: module, required: true }
  - { name: also }
embed:
  - guide://document/docs/review.md
  - context://module/{{module}}
  - old://picture
  - "{{also}}"
---
Review {{module}} {{also}}.
`,
  'prompts/sound.md': '---\nembed: file://data/sound.mp3\n---\nListen.\n',
};

function built(t: TestContext, more: Record<string, string> = {}): string {
  const root = temporaryFolder(t, { ...FILES, ...more });
  const { code, stderr } = run(['build', '--strict', '--root', root]);
  assert.equal(code, 0, stderr);
  return root;
}

function problems(t: TestContext, front: string): string[] {
  const root = temporaryFolder(t, { ...FILES, 'prompts/review.md': `---\n${front}---\nReview.\n` });
  const { diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  return diagnostics.map(
    ({ file, line, column, code, what, fix }: Message) => `${file}:${line}:${column} ${code} ${what} ${fix}`,
  );
}

test('each resource is a message of its own before the text, pictures as pictures', async (t) => {
  const server = new Served(t, ['--root', built(t)]);
  const params = { name: 'review', arguments: { module: 'auth' } };
  const { result } = await server.request('prompts/get', params);
  assert.equal(result.description, 'With what we agreed on');
  const contents = async (uri: string): Promise<object> =>
    (await server.request('resources/read', { uri })).result.contents[0];
  assert.deepEqual(
    result.messages.map(({ role, content }: Message) => [role, content]),
    [
      ['user', { type: 'resource', resource: await contents('guide://document/docs/review.md') }],
      ['user', { type: 'resource', resource: await contents('context://module/auth') }],
      ['user', { type: 'image', data: PICTURE.toString('base64'), mimeType: 'image/png' }],
      ['user', { type: 'text', text: 'Review auth .' }],
    ],
  );
  const also = { module: 'auth', also: 'context://project/overview' };
  const more = (await server.modern('prompts/get', { name: 'review', arguments: also })).result;
  assert.equal(more.messages[3].content.resource.uri, also.also);
  assert.equal(more.resultType, 'complete');
  const sound = (await server.request('prompts/get', { name: 'sound' })).result.messages[0].content;
  assert.deepEqual(sound, {
    type: 'resource',
    resource: { uri: 'file://data/sound.mp3', mimeType: 'audio/mpeg', blob: 'AAEC' },
  });
});

test('what a prompt embeds is in no list, and a prompt that embeds nothing is as it was', async (t) => {
  const server = new Served(t, ['--root', built(t)]);
  const { result } = await server.request('prompts/list');
  assert.deepEqual(result.prompts.at(-2), {
    name: 'review',
    title: 'Review',
    description: 'With what we agreed on',
    arguments: [
      { name: 'module', required: true },
      { name: 'also', required: false },
    ],
  });
  const plain = (await server.request('prompts/get', { name: 'plain' })).result;
  assert.deepEqual(plain, { messages: [{ role: 'user', content: { type: 'text', text: 'Look at it.' } }] });
});

test('what cannot be read is the failure of that read', async (t) => {
  const server = new Served(t, ['--root', built(t)]);
  const refused = async (given: object): Promise<unknown[]> => {
    const { error } = await server.request('prompts/get', { name: 'review', arguments: given });
    return [error.code, error.message, error.data.uri];
  };
  assert.deepEqual(await refused({ module: 'atuh' }), [-32602, 'Module not found: atuh', 'context://module/atuh']);
  assert.deepEqual(await refused({ module: 'auth', also: 'file://.env' }), [-32003, 'Access denied', 'file://.env']);
  assert.deepEqual(await refused({ module: '../x' }), [-32602, 'Invalid URI', 'context://module/../x']);
  assert.equal((await refused({}))[1], 'Missing required argument: module');
});

test('with parts, every message has a list of one', async (t) => {
  const yaml = `${FILES['project.yaml']}compat: { promptContent: parts }\n`;
  const server = new Served(t, ['--root', built(t, { 'project.yaml': yaml })]);
  const { result } = await server.request('prompts/get', { name: 'review', arguments: { module: 'auth' } });
  assert.deepEqual(
    result.messages.map(({ content }: Message) => content.map(({ type }: Message) => type)),
    [['resource'], ['resource'], ['image'], ['text']],
  );
});

test('both lines of the SDK take what a prompt embeds', async (t) => {
  const args = [START_FILE, 'serve', '--root', built(t)];
  for (const client of [
    new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } }),
    new LegacyClient({ name: 'test', version: '1' }),
  ]) {
    const Transport = client instanceof ModernClient ? ModernTransport : LegacyTransport;
    await client.connect(new Transport({ command: process.execPath, args }) as never);
    t.after(() => client.close());
    const { messages } = await client.getPrompt({ name: 'review', arguments: { module: 'auth' } });
    assert.deepEqual(
      messages.map(({ content }) => content.type),
      ['resource', 'resource', 'image', 'text'],
    );
  }
});

test('a prompt that embeds what an agent may not read is not there for it, nor found by it', async (t) => {
  const agents = `agents:
  insider: { resources: "*" }
  reader: { resources: ["**", "!guide://document/docs/review.md"] }
  blind: { resources: ["**", "!file://data/dot.png"] }
  outsider: { resources: ["**", "!context://module/auth"] }
`;
  const root = built(t, { 'project.yaml': FILES['project.yaml'] + agents });
  const asked = { name: 'review', arguments: { module: 'auth' } };
  for (const [agent, isOffered] of [
    ['insider', true],
    ['reader', false],
    ['blind', false],
    ['outsider', true],
  ] as const) {
    const server = new Served(t, ['--root', root, '--agent', agent]);
    const { prompts } = (await server.request('prompts/list')).result;
    assert.equal(
      prompts.some(({ name }: Message) => name === 'review'),
      isOffered,
      agent,
    );
    const found = await server.request('tools/call', { name: 'search', arguments: { query: 'review' } });
    assert.equal(found.result.content[0].text.includes('prompts/get review'), isOffered, agent);
    const { result, error } = await server.request('prompts/get', asked);
    if (agent === 'insider') assert.equal(result.messages.length, 4);
    else assert.equal(error.message, isOffered ? 'Access denied' : 'Unknown prompt: review', agent);
  }
});

test('what a prompt embeds in vain is reported at its own place', (t) => {
  assert.deepEqual(
    problems(
      t,
      'embed:\n  - guide://document/docs/reveiw.md\n  - nothing at all\n  - old://picture\n  - old://other\n',
    ),
    [
      'prompts/review.md:3:5 prompt-embed-broken The prompt embeds "guide://document/docs/reveiw.md", which is not there. Did you mean "guide://document/docs/review.md"?',
      'prompts/review.md:4:5 prompt-embed-broken The prompt embeds "nothing at all", which is not there. Name a URI as `fieldguide list` shows it, or remove it.',
      'prompts/review.md:6:5 prompt-embed-broken The prompt embeds "old://other", which is not there. Name a URI as `fieldguide list` shows it, or remove it.',
    ],
  );
  assert.deepEqual(problems(t, 'arguments: [{ name: module }]\nembed: "context://module/{{modul}}"\n'), [
    'prompts/review.md:3:8 prompt-argument-unknown "modul" is no argument. Did you mean "module"?',
  ]);
  assert.deepEqual(problems(t, 'embed: { a: b }\n'), [
    'prompts/review.md:2:1 front-matter-value "embed" is a map. Write a list of URIs.',
  ]);
  assert.deepEqual(problems(t, `embed: [${'old://picture, '.repeat(17)}]\n`), [
    'prompts/review.md:2:249 front-matter-value The prompt embeds 17 resources. Keep at most 16; the others are left out.',
  ]);
});
