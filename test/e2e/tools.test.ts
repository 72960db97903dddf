// Tools as models call them: everything that can be read, found and asked for, each thing said once.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type AnyServed, onEveryMount, type Serve } from '../support/mounts.ts';

const FILES: Record<string, string> = {
  'project.yaml': `version: "1.0"
project: { name: Shop }
modules:
  auth: { description: Sign-in and sessions, keyFiles: [{ path: src/auth/index.ts, role: entry }], businessRules: [Sessions end after 30 minutes] }
files: [AGENTS.md]
`,
  'AGENTS.md': '# Agents\n\n## Commits\n\nSquash before merging.\n',
  'content/docs/tokens.md':
    '---\ntitle: Tokens\n---\n# Tokens\n\nWhat they are.\n\n## Refreshing\n\nTake the mutex, then rotate the refresh token.\n',
  'content/docs/_draft.md': '# Draft\n\nUnicornword.\n',
  'content/docs/long.md': `# Long\n\n${Array.from({ length: 9000 }, (_, n) => `Line ${n} of many words.`).join('\n')}\n`,
};

function served(t: TestContext, Serve: Serve): AnyServed {
  const files = { ...FILES };
  files['project.yaml'] += 'limits: { response: 1MB }\n';
  const root = temporaryFolder(t, files);
  assert.equal(run(['build', '--root', root]).code, 0);
  return new Serve(t, ['--root', root]);
}

async function call(server: AnyServed, name: string, given: object): Promise<Message> {
  const { result, error } = await server.request('tools/call', { name, arguments: given });
  assert.equal(error, undefined, JSON.stringify(error));
  return result;
}

async function textOf(server: AnyServed, name: string, given: object): Promise<string> {
  const { content, isError } = await call(server, name, given);
  assert.equal(isError, undefined, JSON.stringify(content));
  assert.equal(content.length, 1);
  return content[0].text;
}

onEveryMount(
  'the whole list of tools is under 3 KB, each with a schema, a hint whether it only reads, and its level',
  async (t, Serve) => {
    const server = served(t, Serve);
    const { result } = await server.request('tools/list');
    assert.ok(Buffer.byteLength(JSON.stringify(result)) < 3 * 1024);
    assert.deepEqual(
      result.tools.map(({ name }: Message) => name),
      ['context_for', 'search', 'read_resource', 'list_resources', 'record_topic', 'record_discovery'],
    );
    for (const { name, inputSchema, annotations, _meta } of result.tools) {
      assert.equal(inputSchema.type, 'object');
      assert.equal(annotations.readOnlyHint, !name.startsWith('record_'));
      assert.equal(_meta['fieldguide/approvalLevel'], name === 'record_discovery' ? 'user' : 'none');
    }
    const modern = (await server.modern('tools/list')).result;
    assert.deepEqual([modern.resultType, modern.ttlMs], ['complete', 0]);
  },
);

onEveryMount(
  'list_resources says what there is and what it costs; read_resource gives what resources/read gives',
  async (t, Serve) => {
    const server = served(t, Serve);
    const list = await textOf(server, 'list_resources', {});
    assert.match(list, /^- context:\/\/project\/overview — Project Overview: .* \(\d+ B, ≈\d+ tokens\)$/m);
    const uris = [...list.matchAll(/^- (\S+) — /gm)].map((match) => match[1] as string);
    const { result } = await server.request('resources/list');
    assert.deepEqual(
      uris,
      result.resources.map(({ uri }: Message) => uri),
    );
    for (const uri of uris.filter(
      (one) => !one.endsWith('long.md') && one !== 'context://session/current' && !/collection|category/.test(one),
    )) {
      const read = (await server.request('resources/read', { uri })).result.contents[0].text;
      assert.equal(await textOf(server, 'read_resource', { uri }), read);
    }
    assert.deepEqual((await textOf(server, 'list_resources', { space: 'file' })).split('\n').length, 1);
  },
);

onEveryMount('a long list goes on with the cursor that it names', async (t, Serve) => {
  const modules = Array.from({ length: 250 }, (_, n) => `  m${n}: {}`).join('\n');
  const root = temporaryFolder(t, { 'project.yaml': `version: "1.0"\nproject: { name: a }\nmodules:\n${modules}\n` });
  run(['build', '--root', root]);
  const server = new Serve(t, ['--root', root]);
  const seen: string[] = [];
  for (let given: object | undefined = {}; given !== undefined; ) {
    const list = await textOf(server, 'list_resources', given);
    seen.push(...[...list.matchAll(/^- (\S+) — /gm)].map((match) => match[1] as string));
    const next = /^There is more: list_resources (.*)$/m.exec(list)?.[1];
    given = next === undefined ? undefined : JSON.parse(next);
  }
  assert.equal(new Set(seen).size, 254);
  assert.equal(seen.length, 254);
});

onEveryMount(
  'no answer passes 25,000 tokens; what was cut is named, and the pieces are the whole',
  async (t, Serve) => {
    const server = served(t, Serve);
    const uri = 'guide://document/docs/long.md';
    const whole = (await server.request('resources/read', { uri })).result.contents[0].text;
    let joined = '';
    let pieces = 0;
    for (let given: object | undefined = { uri }; given !== undefined; pieces++) {
      const piece = await textOf(server, 'read_resource', given);
      assert.ok(Buffer.byteLength(piece) / 4.2 <= 25_000);
      const cut = /\n\[Cut after \d+ of \d+ characters\. Go on with read_resource (.*)\]$/.exec(piece);
      joined += cut === null ? piece : piece.slice(0, cut.index);
      given = cut === null ? undefined : JSON.parse(cut[1] as string);
    }
    assert.ok(pieces > 1);
    assert.equal(joined, whole);
  },
);

onEveryMount('search gives the section, why it matched, and the cost; drafts are in nothing', async (t, Serve) => {
  const server = served(t, Serve);
  const found = await textOf(server, 'search', { query: 'rotate refresh token' });
  assert.match(
    found,
    /^1\. Tokens › Refreshing — guide:\/\/document\/docs\/tokens\.md#refreshing \(\d+ B, ≈\d+ tokens\)\n {3}Take the mutex, then rotate the refresh token\.$/m,
  );
  assert.match(await textOf(server, 'search', { query: 'sessions minutes' }), /context:\/\/module\/auth/);
  assert.match(await textOf(server, 'search', { query: 'squash merging' }), /file:\/\/AGENTS\.md#commits/);
  assert.match(await textOf(server, 'search', { query: 'refrseh' }), /Nothing has "refrseh"; searched for "refresh/);
  for (const query of ['unicornword', '', '???', 'zzzzqqqq']) {
    assert.match(await textOf(server, 'search', { query }), /^Nothing found for ".*"\. Try other or fewer words/);
  }
  assert.doesNotMatch(await textOf(server, 'search', { query: 'sessions', space: 'guide' }), /context:/);
  const uri = /— (\S+) \(/.exec(found)?.[1];
  assert.match(await textOf(server, 'read_resource', { uri }), /Take the mutex/, 'the URI with its anchor can be read');
});

onEveryMount('prompts are found, and the answer says how they are got', async (t, Serve) => {
  const server = served(t, Serve);
  const found = await textOf(server, 'search', { query: 'getting started', space: 'prompt' });
  assert.match(found, /^1\. Prompt: getting-started — prompts\/get getting-started \(\d+ B, ≈\d+ tokens\)\n/m);
  assert.doesNotMatch(found, /:\/\/\S+ \(/);
});

onEveryMount('context_for takes paths as models write them', async (t, Serve) => {
  const server = served(t, Serve);
  const page = await textOf(server, 'context_for', { path: 'src/auth/index.ts' });
  assert.match(page, /## Module: auth[\s\S]*Sessions end after 30 minutes/);
  for (const path of ['./src/auth/index.ts', 'src/lib/../auth/index.ts', 'src\\auth\\index.ts', 'src//auth/index.ts'])
    assert.equal(await textOf(server, 'context_for', { path }), page, path);
});

onEveryMount(
  'a tool that fails is a result that says what to do; a call that is wrong is an error',
  async (t, Serve) => {
    const server = served(t, Serve);
    const { content, isError } = await call(server, 'read_resource', { uri: 'context://module/auht' });
    assert.equal(isError, true);
    const failure = JSON.parse(content[0].text);
    assert.deepEqual(Object.keys(failure), ['error', 'message', 'hint', 'setup', 'docs']);
    assert.equal(failure.error, 'not_found');
    assert.match(failure.hint, /^Did you mean "auth"\? context:\/\/project\/overview/);
    for (const [name, given] of [
      ['read_resource', { uri: 'file:///etc/passwd' }],
      ['context_for', { path: '../../etc/passwd' }],
      ['list_resources', { cursor: 'nonsense' }],
    ] as const)
      assert.equal((await call(server, name, given)).isError, true, name);
    const wrong: [unknown, RegExp][] = [
      [{ name: 'serach', arguments: { query: 'x' } }, /Did you mean search\?/],
      [{ name: 'constructor' }, /tools\/list/],
      [{ name: '__proto__' }, /tools\/list/],
      [{}, /tools\/list/],
      [{ name: 'search' }, /tools\/list/],
      [{ name: 'search', arguments: [] }, /tools\/list/],
      [{ name: 'search', arguments: { query: 7 } }, /tools\/list/],
      [{ name: 'search', arguments: { query: 'x', limit: 1.5 } }, /tools\/list/],
      [{ name: 'search', arguments: { query: 'x', limit: 0 } }, /tools\/list/],
      [{ name: 'read_resource', arguments: { uri: 'guide://document/docs/tokens.md', from: 99_999 } }, /tools\/list/],
      [{ name: 'search', arguments: { query: 'x', space: 'elsewhere' } }, /tools\/list/],
    ];
    for (const [params, hint] of wrong) {
      const { error } = await server.request('tools/call', params);
      assert.equal(error.code, -32602, JSON.stringify(params));
      assert.match(error.data.hint, hint);
    }
  },
);

test('fieldguide search shows the same on the terminal, and as data', (t) => {
  const root = temporaryFolder(t, FILES);
  run(['build', '--root', root]);
  const { code, stdout } = run(['search', 'rotate', 'refresh', '--root', root]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Tokens › Refreshing {2}\d+ B, ≈\d+ tokens\nguide:\/\/document\/docs\/tokens\.md#refreshing\nTake the mutex/,
  );
  const data = JSON.parse(run(['search', 'rotate refresh', '--root', root, '--json']).stdout);
  assert.equal(data.results[0].uri, 'guide://document/docs/tokens.md#refreshing');
  assert.deepEqual([run(['search', 'zzzzqqqq', '--root', root]).code, run(['search', '--root', root]).code], [1, 2]);
  assert.equal(run(['search', 'x', '--limit', 'many', '--root', root]).code, 2);
});
