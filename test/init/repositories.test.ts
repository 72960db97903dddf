// `init` in repositories of many kinds: what it writes is true, and builds without a word.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { SAMPLES } from '../support/repositories.ts';

/** Builds what was written, and gives back project.yaml as values. */
function builtAfterInit(root: string): Record<string, Record<string, unknown>> {
  const { code, stderr, stdout } = run(['init', '--yes', '--root', root]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^wrote (?:\S+: a first|project\.yaml)/m);
  assert.match(stderr, /Next:\n {2}fieldguide build .*\n {2}fieldguide connect claude /);
  const built = run(['build', '--strict', '--json', '--root', root]);
  assert.deepEqual(JSON.parse(built.stdout).diagnostics, []);
  assert.equal(built.code, 0);
  return parse(readFileSync(join(root, 'project.yaml'), 'utf8'));
}

for (const [what, { files, says, commands }] of Object.entries(SAMPLES)) {
  test(`${what}: found, written, and built without a warning`, (t) => {
    const root = temporaryFolder(t, files);
    const project = builtAfterInit(root);
    for (const [key, value] of Object.entries(says)) assert.deepEqual(project[key], value, key);
    const overview = run(['read', 'context://project/overview', '--root', root]).stdout;
    assert.ok(overview.startsWith(`# Project: ${project.project?.name}\n`), overview);
    const page = run(['read', 'guide://document/guide/start', '--root', root]).stdout;
    assert.ok(page.includes(`# Working on ${project.project?.name}\n`));
    assert.deepEqual(/```sh\n([\s\S]*?)\n```/.exec(page)?.[1]?.split('\n') ?? [], commands);
    for (const path of (says.files ?? []) as string[])
      if (!path.includes('*')) assert.ok(page.includes(`(file://${path})`));
  });
}

test('an empty folder gets a project.yaml with its name, and no .gitignore', (t) => {
  const root = join(temporaryFolder(t), 'nothing here');
  mkdirSync(root);
  const project = builtAfterInit(root);
  assert.deepEqual(project, { version: '1.0', project: { name: 'nothing here' }, guide: { root: 'content' } });
  assert.doesNotMatch(readFileSync(join(root, 'project.yaml'), 'utf8'), /^# yaml-language-server/);
  assert.throws(() => readFileSync(join(root, '.gitignore')));
});

test('the first line tells editors where the schema is, where there is a package.json', (t) => {
  const root = temporaryFolder(t, { 'package.json': '{}' });
  builtAfterInit(root);
  assert.match(
    readFileSync(join(root, 'project.yaml'), 'utf8'),
    /^# yaml-language-server: \$schema=\.\/node_modules\/fieldguide\/dist\/project\.schema\.json\n/,
  );
});

test('names that mean something in YAML, markdown or globs mean themselves', (t) => {
  const names = [
    'true',
    '- x',
    'a: b',
    '#c',
    "it's",
    '"q"',
    '[d]',
    '{e,f}',
    '*g',
    '&h',
    '`i`',
    'ü ñ 漢',
    '<j>',
    '%k',
    '!l',
    '@m',
    'n, o',
  ];
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [`src/${name}/index.ts`, ''],
      [`src/${name}/README.md`, `# x\n\nA [link](gone.md) to <b>${name}</b>: # *x*\n`],
    ]),
  );
  const name = `"it's": [a](b.md) # {x} <script> \`tick\` 漢\nsecond line`;
  const root = temporaryFolder(t, {
    ...files,
    'package.json': JSON.stringify({ name, description: '- [x](y.md)\n# no' }),
  });
  const project = builtAfterInit(root);
  assert.equal(project.project?.name, name.replace('\n', ' '));
  assert.equal(project.project?.description, '- [x](y.md) # no');
  assert.deepEqual(Object.keys(project.modules ?? {}).sort(), [...names].sort());
});

test('a monorepo larger than a page says so, and the first thirty are written', (t) => {
  const files: Record<string, string> = { 'package.json': '{"name":"many","workspaces":["p/*"]}' };
  for (let n = 0; n < 45; n++) files[`p/m${String(n).padStart(2, '0')}/package.json`] = '{}';
  const root = temporaryFolder(t, files);
  const { stderr } = run(['init', '--dry-run', '--root', root]);
  assert.match(stderr, /There are 45 parts; the first 30 are written under modules\./);
  assert.equal(Object.keys(builtAfterInit(root).modules ?? {}).length, 30);
});

test('prompts that were there before are served, and what is wrong with them is accepted with a reason', (t) => {
  const root = temporaryFolder(t, {
    'prompts/Ask me.md': 'x',
    'prompts/fine.md': 'Say {{unknown}}.\n',
    'prompts/empty.md': '',
  });
  const { ignore } = builtAfterInit(root) as unknown as { ignore: { rule: string; reason: string }[] };
  assert.deepEqual(
    ignore.map(({ rule }) => rule),
    ['prompt-argument-unknown', 'prompt-empty', 'prompt-name'],
  );
});

test('docs that the compiler would warn of are left out of the whitelist, with a note', (t) => {
  const root = temporaryFolder(t, {
    'docs/fine.md': '# Fine\n',
    'docs/odd.md': '---\npriority: much\n---\n# Odd\n',
    'README.md': '# A\n\n\u202ehidden\n',
    'AGENTS.md': '---\nnot: [yaml\n---\n# B\n',
  });
  const { stderr } = run(['init', '--dry-run', '--root', root]);
  assert.match(stderr, /README\.md is passed over: it has hidden characters/);
  assert.match(stderr, /AGENTS\.md is passed over: its front matter/);
  assert.match(stderr, /docs\/ is not written under files, because of docs\/odd\.md\./);
  assert.equal(builtAfterInit(root).files, undefined);
});

test('what git ignores is written nowhere', (t) => {
  const root = temporaryFolder(t, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': 'claude.md\n/src/generated/\nreadme*\n!README.md\ncontent/\n',
    'CLAUDE.md': '# Mine alone\n',
    'README.md': '# R\n',
    'src/generated/index.ts': '',
    'src/kept/index.ts': '',
    'src/kept/.gitignore': '*\n',
    'src/real/index.ts': '',
  });
  const project = builtAfterInit(root);
  assert.deepEqual(project.files, ['README.md']);
  assert.deepEqual(Object.keys(project.modules ?? {}), ['real']);
  assert.deepEqual(project.guide, { root: 'fieldguide' });
});
