// Everything that can be asked of a server, by guesses of what may not be read among it.

import { SECRET_WORDS } from './agents.ts';

export type Request = [method: string, params?: Record<string, unknown>];

const template = (uri: string, name: string, value: string, given: object = {}): Request => [
  'completion/complete',
  { ref: { type: 'ref/resource', uri }, argument: { name, value }, context: { arguments: given } },
];
const call = (name: string, given: object = {}): Request => ['tools/call', { name, arguments: given }];

/** With one letter left out, with the last ones left out, and whole. */
const GUESSES = SECRET_WORDS.flatMap((word) => [word, `${word.slice(0, 3)}${word.slice(4)}`, word.slice(0, -3)]);

export function walk(): Request[] {
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
