// More than ten thousand pairs of an agent and a URI, in many spellings: the server answers as an oracle says that
// knows nothing but the rules, and what is denied answers the same whether it is there or not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed } from '../support/allowed.ts';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const AGENTS: Record<string, string | string[] | undefined> = {
  all: '*',
  none: undefined,
  guide: ['guide://**'],
  most: ['**', '!context://module/m1*', '!guide://*/secret/**', '!guide://category/secret', '!file://docs/**'],
  back: ['**', '!guide://**', 'guide://{help,collection/all}', 'guide://document/open/**', 'guide://document/all/**'],
  some: ['context://project/overview', 'context://module/m[2-5]', 'context://for/src/m?/*', 'file://*.md'],
  parts: ['guide://category/**', 'guide://document/mixed/*/**', '!guide://document/mixed/sub/d[3-9].md'],
  last: ['!**', 'context://session/current', 'context://**', '!context://sessions/**', '!context://module/größe & co'],
  last2: ['guide://document/**', '!guide://document/**', 'guide://document/secret/d1.md', 'guide://category/*'],
};

const NAMES = [...Array.from({ length: 20 }, (_, n) => `m${n}`), 'größe & co'];
const CATEGORIES = ['open', 'secret', 'mixed'];
const PATHS = [...Array.from({ length: 9 }, (_, n) => `d${n}.md`), ...[1, 2, 3, 4].map((n) => `sub/d${n}.md`)];
const FILES = ['AGENTS.md', 'README.md', 'docs/a.md', 'docs/b.md'];

function project(): Record<string, string> {
  const agents = Object.entries(AGENTS).map(([name, rules]) => `  ${name}: ${JSON.stringify({ resources: rules })}`);
  const modules = NAMES.map(
    (name) => `  ${JSON.stringify(name)}: { keyFiles: [{ path: ${JSON.stringify(`src/${name}/a.ts`)} }] }`,
  );
  const yaml = [
    'version: "1.0"\nproject: { name: many }\nmodules:',
    ...modules,
    'guide: { collections: { all: { categories: [open, secret, mixed] } } }',
    `files: ${JSON.stringify(FILES)}\nagents:`,
    ...agents,
  ];
  const documents = CATEGORIES.flatMap((name) =>
    PATHS.map((path) => [`content/${name}/${path}`, textOf(name, path)] as const),
  );
  return {
    'project.yaml': `${yaml.join('\n')}\n`,
    ...Object.fromEntries(documents),
    ...Object.fromEntries(FILES.map((path) => [path, `# ${path}\n`])),
  };
}

function textOf(category: string, path: string): string {
  return `# Marked ${category} ${path}\n`;
}

/** A resource as it may be asked for, and, where documents are its parts, the URIs of those. */
type Asked = { uri: string; parts?: string[]; isThere: boolean };

const documentsOf = (names: readonly string[], accepts = (_: string): boolean => true): string[] =>
  names.flatMap((name) => PATHS.filter(accepts).map((path) => `guide://document/${name}/${path}`));

function everyUri(): Asked[] {
  const there = (uri: string, parts?: string[]): Asked => ({ uri, isThere: true, ...(parts ? { parts } : {}) });
  return [
    there('context://project/overview'),
    there('context://sessions/recent'),
    there('context://discoveries'),
    { uri: 'context://session/current', isThere: false },
    ...NAMES.flatMap((name) => [
      there(`context://module/${encodeURIComponent(name)}`),
      there(`context://for/src/${encodeURIComponent(name)}/a.ts`),
      { uri: `context://module/${encodeURIComponent(`${name}x`)}`, isThere: false },
    ]),
    there('guide://help'),
    there('guide://collection/all', documentsOf(['open'])),
    { uri: 'guide://collection/none', isThere: false },
    ...CATEGORIES.flatMap((name) => [
      there(`guide://category/${name}`, documentsOf([name])),
      there(`guide://category/${name}/**`, documentsOf([name])),
      there(
        `guide://category/${name}/sub/*`,
        documentsOf([name], (path) => path.startsWith('sub/')),
      ),
      there(
        `guide://category/${name}/d*`,
        documentsOf([name], (path) => !path.startsWith('sub/')),
      ),
      ...PATHS.flatMap((path) => [
        there(`guide://document/${name}/${path}`, [`guide://document/${name}/${path}`]),
        there(`guide://category/${name}/${path}`, [`guide://document/${name}/${path}`]),
        { uri: `guide://document/${name}/${path}x`, isThere: false },
      ]),
    ]),
    ...PATHS.map((path) => there(`guide://document/all/${path}`, [`guide://document/open/${path}`])),
    ...FILES.flatMap((path) => [there(`file://${path}`), { uri: `file://x${path}`, isThere: false }]),
  ];
}

/** The same in other words: an answer to each is the answer to the first, unless it says otherwise. */
function spellings(asked: Asked): (Asked & { raw: string })[] {
  const { uri } = asked;
  const [scheme = '', rest = ''] = uri.split('://');
  const last = rest.at(-1) as string;
  const escaped = `%${last.charCodeAt(0).toString(16)}`;
  const isSingle = !uri.endsWith('*') && /[a-z]$/.test(rest) && asked.isThere;
  return [
    { ...asked, raw: uri },
    { ...asked, raw: `${scheme.toUpperCase()}://${rest}` },
    { ...asked, raw: `${uri}?page=1` },
    { ...asked, raw: `${uri}?other=1#part` },
    { ...asked, raw: `${uri}?page=2`, isThere: false },
    ...(isSingle ? [{ ...asked, raw: `${scheme}://${rest.slice(0, -1)}${escaped}` }] : []),
    ...(isSingle && !uri.includes('/for/')
      ? [{ ...asked, raw: `${scheme}://${rest.slice(0, -1)}${escaped.replace('%', '%25')}`, isThere: false }]
      : []),
  ];
}

/** Paths as clients on this machine, and parsers of URLs, write them. */
function ofThisMachine(root: string): (Asked & { raw: string })[] {
  return [
    ...FILES.map((path) => ({ uri: `file://${path}`, raw: `file://${root}/${path}`, isThere: true })),
    ...['AGENTS.md', 'README.md'].flatMap((path) => [
      { uri: `file://${path}`, raw: `file://${path.toLowerCase()}/`, isThere: true },
      { uri: `file://${path}`, raw: path, isThere: true },
    ]),
    ...NAMES.map((name) => {
      const path = `src/${encodeURIComponent(name)}/a.ts`;
      return { uri: `context://for/${path}`, raw: `context://for/${root}/${path}`, isThere: true };
    }),
  ];
}

test('a server reads for an agent what its rules say, and nothing else', (t) => {
  const root = temporaryFolder(t, project());
  const built = run(['build', '--root', root]);
  assert.equal(built.code, 0, built.stderr);
  const pairs = [...everyUri().flatMap(spellings), ...ofThisMachine(root)];
  let compared = 0;
  for (const [agent, written] of Object.entries(AGENTS)) {
    const rules =
      typeof written === 'string'
        ? written
        : written?.map((rule) => rule.replace('größe & co', 'gr%C3%B6%C3%9Fe%20%26%20co'));
    const lines = pairs.map(({ raw }, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri: raw } }),
    );
    const { stdout } = run(['serve', '--root', root, '--agent', agent], { input: `${lines.join('\n')}\n` });
    const answers = new Map<number, Message>(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map((message: Message) => [message.id, message]),
    );
    const refusals = new Set<string>();
    for (const [id, { uri, parts, isThere, raw }] of pairs.entries()) {
      const { error, result } = answers.get(id) as Message;
      const isDenied = !isAllowed(rules, uri);
      const seen = parts?.filter((part) => isAllowed(rules, part));
      const isReadable = isThere && !isDenied && (seen === undefined || seen.length > 0);
      const about = `${agent} reads ${raw}: ${JSON.stringify(error ?? result).slice(0, 200)}`;
      assert.equal(result !== undefined, isReadable, about);
      const texts = [...JSON.stringify(result ?? '').matchAll(/# Marked (\S+) ([^\\]+)/g)];
      if (isReadable && seen !== undefined) {
        const found = texts.map(([, name, path]) => `guide://document/${name}/${path}`);
        assert.deepEqual(found.sort(), [...seen].sort(), about);
      } else assert.equal(texts.length, 0, about);
      const isSameUri = !raw.includes('%25');
      if (isDenied && !uri.startsWith('file:') && isSameUri)
        refusals.add(JSON.stringify(error).replaceAll(JSON.stringify(raw), 'RAW'));
      compared++;
    }
    assert.ok(refusals.size <= 1, `what is denied to ${agent} answers the same: ${[...refusals].join('\n')}`);
  }
  assert.ok(compared > 10_000, String(compared));
});
