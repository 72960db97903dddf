// Agents on stdio and on the terminal: what they may call and be prompted with, what they hear of, and what happens
// when the bundle that names them comes, changes, or goes.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AGENTS_PROJECT, builtWithAgents, rebuild } from '../support/agents.ts';
import { type Message, run, Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop } from '../support/served.ts';

const names = (of: Message[]): string[] => of.map(({ name }) => name);
const READING = ['context_for', 'search', 'read_resource', 'list_resources'];
const OVERVIEW = 'context://project/overview';

test('tools and prompts are those that a list allows, or else those that the agent could use', async (t) => {
  const root = builtWithAgents(t);
  const expected: [agent: string, tools: string[], prompts: string[]][] = [
    ['outsider', [...READING, 'record_topic'], ['discover-mcp', 'getting-started', 'told']],
    [
      'insider',
      [...READING, 'record_topic', 'record_discovery'],
      ['discover-mcp', 'getting-started', 'lazurite', 'nepheline', 'told'],
    ],
    [
      'guided',
      ['search', 'read_resource', 'list_resources'],
      ['discover-mcp', 'getting-started', 'lazurite', 'nepheline'],
    ],
    ['stranger', [], ['discover-mcp', 'getting-started', 'nepheline']],
    ['picked', ['search'], ['getting-started', 'told']],
  ];
  for (const [agent, tools, prompts] of expected) {
    const server = new Served(t, ['--root', root, '--agent', agent]);
    assert.deepEqual(names((await server.request('tools/list')).result.tools), tools, agent);
    assert.deepEqual(names((await server.request('prompts/list')).result.prompts), prompts, agent);
    for (const name of ['context_for', 'record_discovery'].filter((one) => !tools.includes(one))) {
      const denied = await server.request('tools/call', { name, arguments: { path: 'a' } });
      const absent = await server.request('tools/call', { name: 'no_such_tool_at_all', arguments: { path: 'a' } });
      assert.deepEqual(JSON.parse(JSON.stringify(absent.error).replaceAll('no_such_tool_at_all', name)), denied.error);
      assert.equal(denied.error.message, `Unknown tool: ${name}`);
    }
    for (const name of ['nepheline', 'lazurite'].filter((one) => !prompts.includes(one))) {
      const denied = await server.request('prompts/get', { name });
      const absent = await server.request('prompts/get', { name: 'no-such-prompt-here' });
      assert.deepEqual(JSON.parse(JSON.stringify(absent.error).replaceAll('no-such-prompt-here', name)), denied.error);
    }
  }
});

test('what is generated names to an agent only what it may read and call', async (t) => {
  const root = builtWithAgents(t);
  const server = new Served(t, ['--root', root, '--agent', 'guided']);
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const { instructions } = (await server.request('initialize', handshake)).result;
  assert.equal(
    instructions,
    'What the team knows about Open shop. The tool search finds anything. The tool read_resource reads a URI. guide://help explains the guide.',
  );
  assert.equal((await server.modern('server/discover')).result.instructions, instructions);
  const prompt = async (name: string): Promise<string> =>
    (await server.request('prompts/get', { name })).result.messages[0].content.text;
  assert.match(await prompt('discover-mcp'), /^2\. `resources\/read` of what its title says most about\.$/m);
  assert.match(await prompt('getting-started'), /^2\. \*\*The overview\.\*\* Read what the list says most about\.$/m);
  assert.match(await prompt('getting-started'), /^5\. .*: tell the person you work for\.$/m);
  assert.doesNotMatch(await prompt('getting-started'), /context:/);
  const none = new Served(t, ['--root', root, '--agent', 'stranger']);
  assert.equal(
    (await none.request('initialize', handshake)).result.instructions,
    'What the team knows about Open shop.',
  );
  const beside = run(['read', OVERVIEW, '--root', root, '--agent', 'beside']).stdout;
  assert.match(beside, /^## Modules \(2\)\n\n### open$/m);
  assert.match(
    run(['read', 'context://module/other', '--root', root, '--agent', 'beside']).stdout,
    /## Dependencies\n\nNone\n$/,
  );
  assert.match(
    run(['read', 'context://module/open', '--root', root, '--agent', 'beside']).stdout,
    /## Dependencies\n\nother\n$/,
  );
});

test('where agents are named no answer is for everybody’s cache', async (t) => {
  const root = builtWithAgents(t);
  const scope = async (args: string[], method: string, params: object = {}): Promise<string> =>
    (await new Served(t, args).modern(method, params)).result.cacheScope;
  for (const as of [[], ['--agent', 'insider'], ['--agent', 'guided']]) {
    for (const method of [
      'server/discover',
      'resources/list',
      'tools/list',
      'prompts/list',
      'resources/templates/list',
    ]) {
      assert.equal(await scope(['--root', root, ...as], method), 'private', `${as} ${method}`);
    }
    assert.equal(await scope(['--root', root, ...as], 'resources/read', { uri: 'guide://help' }), 'private');
  }
  const shop = builtShop(t);
  assert.equal(await scope(['--root', shop], 'resources/read', { uri: OVERVIEW }), 'public');
  assert.equal(await scope(['--root', shop], 'resources/list'), 'public');
});

test('on the terminal an author looks through an agent’s eyes', (t) => {
  const root = builtWithAgents(t);
  const as = ['--root', root, '--agent', 'outsider'];
  assert.equal(run(['read', 'guide://document/docs/intro', ...as]).code, 0);
  const denied = run(['read', 'guide://document/docs/jarosite', ...as]);
  assert.equal(denied.code, 1);
  assert.match(denied.stderr, /Access denied\. This agent may not read it\. resources\/list shows what may be read/);
  assert.doesNotMatch(run(['list', ...as]).stdout, /jarosite|zephyrine|kyanite/);
  assert.equal(run(['search', 'ulexite', ...as]).code, 1);
  assert.equal(run(['search', 'ulexite', '--root', root]).code, 0);
});

test('an agent that the bundle does not name is a slip, said with the nearest name', (t) => {
  const root = builtWithAgents(t);
  for (const command of [['serve'], ['list'], ['read', OVERVIEW], ['search', 'x']]) {
    const { code, stderr } = run([...command, '--root', root, '--agent', 'insidre']);
    assert.equal(code, 2);
    assert.match(stderr, /there is no agent "insidre"; did you mean insider\? \(there are outsider, .*picked\)/);
  }
  const { code, stderr } = run(['serve', '--root', builtShop(t), '--agent', 'x']);
  assert.equal(code, 2);
  assert.match(stderr, /there is no agent "x" \(project.yaml has no agents: add them and build\)/);
});

test('without a bundle a server for an agent stays up, and serves it from the first that knows it', async (t) => {
  const root = temporaryFolder(t, { 'project.yaml': AGENTS_PROJECT, 'kyanite.md': '', 'content/docs/a.md': '# A\n' });
  const server = new Served(t, ['--root', root, '--agent', 'guided']);
  for (const uri of [OVERVIEW, 'guide://help', 'context://discoveries', 'file://AGENTS.md']) {
    assert.equal((await server.request('resources/read', { uri })).error.data.kind, 'no_bundle', uri);
  }
  assert.deepEqual((await server.request('tools/list')).result.tools, []);
  const yaml = (rules: string): Record<string, string> => ({
    'project.yaml': `version: "1.0"\nproject: { name: a }\nmodules: { m: {} }\nagents: { ${rules} }\n`,
  });
  const kinds = async (): Promise<string[]> => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    const uris = ['context://module/m', 'guide://document/docs/a.md', 'context://discoveries'];
    const answers = await Promise.all(uris.map((uri) => server.request('resources/read', { uri })));
    return answers.map(({ error }) => error?.data.kind ?? 'read');
  };
  rebuild(root, yaml('guided: { resources: ["guide://**"] }'));
  assert.deepEqual(await kinds(), ['access_denied', 'read', 'access_denied']);
  rebuild(root, yaml('guided: { resources: ["context://**"] }'));
  assert.deepEqual(await kinds(), ['read', 'access_denied', 'read'], 'the rules are those of the bundle in service');
  rebuild(root, yaml('another: { resources: "*" }'));
  assert.deepEqual(await kinds(), ['access_denied', 'access_denied', 'access_denied'], 'it is not known any more');
  assert.deepEqual((await server.request('resources/list')).result.resources, []);
  rmSync(join(root, 'dist-index/context.fgb'));
  assert.deepEqual(await kinds(), ['access_denied', 'access_denied', 'access_denied'], 'the last good bundle stays');
});

test('nobody hears of changes of what it may not read, nor of a list that is the same to it', async (t) => {
  const root = builtWithAgents(t);
  const server = new Served(t, ['--root', root, '--agent', 'outsider']);
  const denied = await server.request('resources/subscribe', { uri: 'guide://document/docs/jarosite.md' });
  const absent = await server.request('resources/subscribe', { uri: 'guide://document/docs/jarositex.md' });
  assert.deepEqual(JSON.parse(JSON.stringify(absent.error).replaceAll('jarositex', 'jarosite')), denied.error);
  assert.equal(denied.error.code, -32003);
  for (const uri of ['guide://category/docs', 'guide://help', 'context://module/open', 'file://readme.md/']) {
    assert.ok((await server.request('resources/subscribe', { uri })).result, uri);
  }
  const notices = (): string[] =>
    server.messages.filter(({ id }) => id === undefined).map(({ method, params }) => params?.uri ?? method);
  rebuild(root, {
    'content/docs/jarosite.md': '# Jarosite is another\n\nAnd longer.\n',
    'content/docs/jarosite-too.md': '# Jarosite too\n',
    'content/hidden/more.md': '# More\n',
    'kyanite.md': '# Changed\n',
    'prompts/nepheline.md': 'Do something else.\n',
  });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.deepEqual(notices(), []);
  rebuild(root, { 'content/docs/more.md': '# More\n', 'README.md': '# Read me again\n' });
  await server.answer(({ params }) => params?.uri === 'file://readme.md/');
  await server.answer(({ params }) => params?.uri === 'guide://category/docs');
  await server.answer(({ method }) => method === 'notifications/resources/list_changed');
  assert.equal(new Set(notices()).size, 3);
});

test('a long list goes on after what was seen, and its cursors count nothing else', async (t) => {
  const documents = Array.from({ length: 900 }, (_, n) => [
    `content/docs/${n % 2 ? 'hidden' : 'd'}${n}.md`,
    `# ${n}\n`,
  ]);
  const root = temporaryFolder(t, {
    'project.yaml':
      'version: "1.0"\nproject: { name: a }\nagents: { a: { resources: ["guide://document/**", "!**/hidden*"] } }\n',
    ...Object.fromEntries(documents),
  });
  rebuild(root);
  const server = new Served(t, ['--root', root, '--agent', 'a']);
  const pages: number[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { result } = await server.request('resources/list', cursor === undefined ? {} : { cursor });
    pages.push(result.resources.length);
    for (const { uri } of result.resources) seen.add(uri);
    cursor = result.nextCursor;
    if (cursor === undefined) break;
    const last = result.resources.at(-1).uri;
    assert.equal(Buffer.from(cursor, 'base64url').toString(), `${seen.size - 1} ${last}`);
  }
  assert.deepEqual(pages, [200, 200, 50]);
  assert.equal(seen.size, 450);
  const listed = new Set<string>();
  for (let given: object | undefined = {}; given !== undefined; ) {
    const { result } = await server.request('tools/call', { name: 'list_resources', arguments: given });
    for (const [uri] of result.content[0].text.matchAll(/guide:\/\/\S+/g)) listed.add(uri);
    const more = /list_resources (\{.*\})/.exec(result.content[0].text)?.[1];
    given = more === undefined ? undefined : JSON.parse(more);
  }
  assert.deepEqual([...listed].sort(), [...seen].sort());
});
