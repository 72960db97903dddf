// A walk through everything a server says: no word that stands only in what the agent may not read is heard, in
// whatever era, not as a name, a count, a hint, a correction or a completion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtWithAgents, SECRET_WORDS } from '../support/agents.ts';
import { ENVELOPE, type Message, run, Served } from '../support/command.ts';

type Request = [method: string, params?: Record<string, unknown>];

const template = (uri: string, name: string, value: string, given: object = {}): Request => [
  'completion/complete',
  { ref: { type: 'ref/resource', uri }, argument: { name, value }, context: { arguments: given } },
];
const call = (name: string, given: object = {}): Request => ['tools/call', { name, arguments: given }];

/** With one letter left out, with the last ones left out, and whole. */
const GUESSES = SECRET_WORDS.flatMap((word) => [word, `${word.slice(0, 3)}${word.slice(4)}`, word.slice(0, -3)]);

function walk(): Request[] {
  const uris = [
    'context://project/overview',
    'context://module/open',
    'context://module/other',
    'context://for/src/open/a.ts',
    'context://for/src/zanzibari/a.ts',
    'context://for/src/b.ts',
    'context://discoveries',
    'context://sessions/recent',
    'guide://help',
    'guide://help?page=2',
    'guide://collection/all',
    'guide://category/docs',
    'guide://category/docs/**',
    'guide://category/docs/**?page=2',
    'guide://document/docs/intro',
    'guide://document/all/intro.md',
    'guide://category/docs/j*',
    'file://README.md',
    'file://',
    'nonsense',
  ];
  const forms = ['context://module/', 'guide://category/', 'guide://collection/', 'guide://document/docs/'];
  const more = [
    'guide://document/all/',
    'guide://category/docs/',
    'guide://document/',
    'file://',
    'context://for/src/',
  ];
  return [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
    ['resources/list'],
    ['resources/templates/list'],
    ['prompts/list'],
    ['tools/list'],
    ...['discover-mcp', 'getting-started', 'told', 'lazurit', 'nephelin'].map(
      (name): Request => ['prompts/get', { name }],
    ),
    ...['', 'z', 'ob', 'la', 'j', 'x'].flatMap((value) => [
      template('context://module/{name}', 'name', value),
      template('context://discoveries{?type,module}', 'module', value),
      template('context://for/{+path}', 'path', value),
      template('guide://collection/{id}', 'id', value),
      template('guide://category/{name}', 'name', value),
      ...['docs', 'obsidian'].map((name) => template('guide://category/{name}/{docId}', 'docId', value, { name })),
      ...['docs', 'obsidian', 'all', 'xenotime'].map((context) =>
        template('guide://document/{context}/{docId}', 'docId', value, { context }),
      ),
      template('guide://document/{context}/{docId}', 'context', value),
    ]),
    ...[...uris, ...GUESSES.flatMap((guess) => [...forms, ...more].map((form) => form + guess))].flatMap(
      (uri): Request[] => [['resources/read', { uri }], call('read_resource', { uri })],
    ),
    ...GUESSES.map((uri): Request => ['resources/subscribe', { uri: `context://module/${uri}` }]),
    ...['', 'context', 'guide', 'file'].map((space) => call('list_resources', space === '' ? {} : { space })),
    ...['src/open/a.ts', 'src/zanzibari/b.ts', 'README.md'].map((path) => call('context_for', { path })),
    ...[...GUESSES, 'words for', 'pages', 'open', 'module', 'dependencies'].map((query) => call('search', { query })),
    ...['record_discover', 'record_discovery', 'serch'].map((name) => call(name)),
    ['resources/lits'],
  ];
}

/** An answer without the whole words of its own question: what completes one is heard. */
function heard(answer: Message, request: Request): string {
  let said = JSON.stringify(answer.error ?? answer.result).toLowerCase();
  for (const word of JSON.stringify(request).match(/[a-z0-9]{4,}/g) ?? [])
    said = said.replace(new RegExp(`\\b${word}\\b`, 'g'), '');
  return said;
}

for (const era of ['with a handshake', 'without'] as const) {
  test(`nothing is heard of what may not be read, ${era}`, async (t) => {
    const root = builtWithAgents(t);
    assert.equal(run(['session', 'start', '--root', root]).code, 0);
    const discover = ['session', 'discover', '--root', root, '--yes', '--type', 'rule'];
    for (const [module, text] of [
      ['zephyrine', 'Only tourmaline will do here'],
      ['open', 'Everybody may read this one'],
    ]) {
      const { code, stderr } = run([...discover, '--module', String(module), String(text)], { cwd: root });
      assert.equal(code, 0, stderr);
    }
    const server = new Served(t, ['--root', root, '--agent', 'outsider']);
    const insider = new Served(t, ['--root', root, '--agent', 'insider']);
    const ask = async (served: Served, [method, params = {}]: Request): Promise<Message> =>
      await served.request(method, era === 'without' ? { ...params, _meta: ENVELOPE } : params);
    const requests = era === 'without' ? [...walk(), ['server/discover'] as Request] : walk();
    const known = new Set<string>();
    let answered = 0;
    for (const request of requests) {
      const answer = await ask(server, request);
      if (answer.result !== undefined) answered++;
      const said = heard(answer, request);
      for (const word of SECRET_WORDS)
        assert.ok(!said.includes(word), `${word} after ${JSON.stringify(request)}: ${said}`);
      const toOthers = heard(await ask(insider, request), request);
      for (const word of SECRET_WORDS) if (toOthers.includes(word)) known.add(word);
    }
    assert.ok(answered > 100, String(answered));
    assert.deepEqual([...known].sort(), [...SECRET_WORDS].sort(), 'who may read everything hears every one of them');
  });
}
