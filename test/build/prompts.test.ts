// Prompts at build time: from files to a list and texts, every problem at its place.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Source } from '../../build/collect.ts';
import type { Diagnostic } from '../../build/diagnostics.ts';
import { project } from '../../build/project.ts';
import { type Prompt, RESERVED_PROMPTS, readPrompts } from '../../build/read-prompts.ts';
import { renderPrompts } from '../../build/render-prompts.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { diagnose, SHOP } from '../support/shop.ts';

function read(files: Record<string, string>): { prompts: Prompt[]; problems: Diagnostic[]; said: string[] } {
  const problems: Diagnostic[] = [];
  const sources = Object.entries(files).map(([name, text]): Source => {
    const path = `prompts/${name}`;
    return { path, text, input: { path, sha256: '', bytes: text.length } };
  });
  const prompts = readPrompts(sources, RESERVED_PROMPTS, (problem) => problems.push(problem));
  const said = problems.map(({ code, line, column }) => `${code} ${line}:${column}`);
  return { prompts, problems, said };
}

function build(t: TestContext, files: Record<string, string>): { diagnostics: Diagnostic[]; root: string } {
  const root = temporaryFolder(t, { 'project.yaml': 'version: "1.0"\nproject: { name: a }\n', ...files });
  return { diagnostics: JSON.parse(run(['build', '--root', root, '--json']).stdout).diagnostics, root };
}

test('a prompt is its file name, its front matter and the text after it', () => {
  const text = `---
title: Review
description: What we look at
arguments:
  - { name: module, description: The module, required: true }
  - name: focus
---

Read {{module}}, then {{ focus }}.
`;
  for (const written of [text, `\ufeff${text}`, text.replaceAll('\n', '\r\n')]) {
    const { prompts, said } = read({ 'review.md': written });
    assert.deepEqual(said, []);
    assert.deepEqual(prompts, [
      {
        name: 'review',
        title: 'Review',
        description: 'What we look at',
        arguments: [
          { name: 'module', description: 'The module', required: true },
          { name: 'focus', required: false },
        ],
        body: 'Read {{module}}, then {{ focus }}.',
      },
    ]);
  }
  assert.deepEqual(read({ 'plain.md': '# Plain\n\n---\n' }).prompts, [
    { name: 'plain', arguments: [], body: '# Plain\n\n---' },
  ]);
});

test('prompts are sorted by name, not by file', () => {
  const { prompts } = read({ 'a.b.md': 'x', 'a.md': 'x', 'a-b.md': 'x', 'Z.md': 'x' });
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['Z', 'a', 'a-b', 'a.b'],
  );
});

test('a placeholder that is no argument is reported at its own place and stays', () => {
  const { prompts, problems, said } = read({
    'a.md':
      '---\narguments: [{ name: module }]\n---\nüber {{module}} {{modul}}\r\n\n  {{ x.y }}{{#if z}} {{größe}} {{}} {{a b}}\n',
  });
  assert.deepEqual(said, [
    'prompt-argument-unknown 4:17',
    'prompt-argument-unknown 6:3',
    'prompt-argument-unknown 6:22',
  ]);
  assert.match(problems[0]?.fix ?? '', /Did you mean "module"\?/);
  assert.match(prompts[0]?.body ?? '', /\{\{modul\}\}/);
});

test('a name that people cannot type, a reserved one and an empty prompt are left out', () => {
  const { prompts, problems } = read({
    'a b.md': 'x',
    'größe.md': 'x',
    [`${'a'.repeat(65)}.md`]: 'x',
    [`${'a'.repeat(64)}.md`]: 'x',
    'discover-mcp.md': 'x',
    'getting-started.md': 'x',
    'empty.md': '---\ntitle: A\n---\n\n',
    'constructor.md': 'x',
  });
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['prompt-name', 'prompt-name', 'prompt-name', 'prompt-reserved', 'prompt-reserved', 'prompt-empty'],
  );
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['a'.repeat(64), 'constructor'],
  );
});

test('a wrong argument is reported where it stands, and the others are kept', () => {
  const { prompts, said } = read({
    'a.md': `---
titel: A
title: [A]
arguments:
  - { name: good, required: false }
  - text
  - { description: no name }
  - { name: a b }
  - { name: good }
  - { name: other, required: "yes", descripton: x }
  - { name: __proto__, description: [1] }
  - &anchor { name: anchored }
  - *anchor
  -
---
x
`,
    'b.md': '---\narguments: { name: a }\n---\nx\n',
    'c.md': '---\narguments: [\n---\nx\n',
    'd.md': `---\ntitle: ${'long '.repeat(20_000)}\n---\nx\n`,
    'e.md': '---\nnot: closed\nx\n',
  });
  assert.deepEqual(said, [
    'front-matter-slip 2:1',
    'front-matter-value 3:1',
    'front-matter-value 6:5',
    'front-matter-value 7:5',
    'front-matter-value 8:5',
    'prompt-argument-duplicate 9:5',
    'front-matter-value 10:30',
    'front-matter-slip 10:37',
    'front-matter-value 11:37',
    'front-matter-value 13:5',
    'front-matter-value 14:4',
    'front-matter-value 2:1',
    'front-matter-syntax 3:1',
    'front-matter-syntax 2:1',
  ]);
  const [first] = prompts;
  assert.equal(first?.title, undefined);
  assert.deepEqual(
    first?.arguments.map(({ name }) => name),
    ['good', 'other', '__proto__', 'anchored'],
  );
  assert.equal(prompts.length, 5, 'a prompt with bad front matter is still a prompt');
});

test('secrets and hidden characters are looked for in prompts', () => {
  const { said } = read({ 'a.md': `x\n\nAKIA${'A'.repeat(16)}\n`, 'b.md': '---\ntitle: a\u202eb\n---\nx\n' });
  assert.deepEqual(said, ['secret-probable 3:1', 'characters-hidden 2:9']);
});

test('hostile prompts are read or reported, and nothing hangs', () => {
  const many = Array.from({ length: 1000 }, (_, n) => `  - { name: a${n}, required: true }`).join('\n');
  const { prompts, problems } = read({
    'arguments.md': `---\narguments:\n${many}\n---\n{{a0}} {{a999}}\n`,
    'body.md': `${'word {{nothing}} '.repeat(60_000)}\n`,
    'braces.md': `${'{{'.repeat(500_000)}${'}}'.repeat(10)}\n`,
    'spaces.md': `{{${' '.repeat(1_000_000)}\n`,
    'lines.md': `${'\n'.repeat(500_000)}{{x}}${'\n'.repeat(500_000)}`,
    'fences.md': '---\n'.repeat(250_000),
    'deep.md': `---\narguments: ${'['.repeat(8000)}${']'.repeat(8000)}\n---\nx\n`,
    'dashes.md': `---\narguments:\n  ${'- '.repeat(8000)}a\n---\nx\n`,
    'bomb.md': `---\na: &a [x, x]\nb: &b [*a, *a]\narguments: [*b, *b]\ntitle: *a\n---\nx\n`,
  });
  assert.equal(prompts.find(({ name }) => name === 'arguments')?.arguments.length, 1000);
  assert.equal(problems.filter(({ code }) => code === 'prompt-argument-unknown').length, 60_001);
  assert.deepEqual(
    problems.filter(({ code }) => code === 'front-matter-syntax').map(({ file }) => file),
    ['prompts/deep.md', 'prompts/dashes.md'],
  );
  assert.ok(prompts.length >= 8);
});

test('the generated prompts name a real module, the guide’s help where there is one, and what to read first', () => {
  const shop = project(SHOP, () => assert.fail());
  const empty = project('version: "1.0"\nproject: { name: a }\n', () => assert.fail());
  assert.ok(shop && empty);
  const texts = (entries: ReturnType<typeof renderPrompts>) => new Map(entries.map(({ uri, text }) => [uri, text]));
  const full = texts(renderPrompts([], shop, { hasGuide: true, first: 'file://AGENTS.md' }));
  assert.match(full.get('prompt/getting-started') ?? '', /`guide:\/\/help`[\s\S]*`context:\/\/module\/auth`/);
  assert.match(full.get('prompt/discover-mcp') ?? '', /`resources\/read` of `file:\/\/AGENTS\.md`/);
  const bare = texts(renderPrompts([], empty));
  assert.doesNotMatch(bare.get('prompt/getting-started') ?? '', /guide:|context:\/\/module/);
  const discover = bare.get('prompt/discover-mcp') ?? '';
  assert.match(
    discover,
    /^1\. .*resources\/list[\s\S]*^2\. .*context:\/\/project\/overview[\s\S]*^3\. .*prompts\/list/m,
  );
  assert.match(discover, /^4\. .*prompts\/get.*getting-started[\s\S]*^5\. .*tools\/list[\s\S]*Nothing else is needed/m);
  for (const [key, text] of full) {
    if (key === 'prompt/getting-started') assert.equal(text.match(/^\d\. /gm)?.length, 5);
  }
});

test('prompts and compat of project.yaml are checked at their places', () => {
  const base = 'version: "1.0"\nproject: { name: a }\n';
  const problems = (rest: string) =>
    diagnose(base + rest).diagnostics.map(({ code, line, column, fix }) => `${code} ${line}:${column} ${fix}`);
  assert.deepEqual(problems('prompts: a/b/\ncompat: { promptContent: block }\n'), []);
  assert.match(problems('compat: { promptContent: part }\n')[0] ?? '', /^value-wrong 3:26 Did you mean "parts"\?/);
  assert.match(problems('prompts: ../elsewhere\n')[0] ?? '', /^value-wrong 3:10 .*relative/);
  assert.match(problems('prompts: .\n')[0] ?? '', /^value-wrong 3:10 /);
  assert.match(problems('guide: { root: a/b }\nprompts: a\n')[0] ?? '', /^value-wrong 4:10 /);
  assert.deepEqual(problems('guide: { root: prompts/guide }\n'), []);
  assert.match(problems('promts: a\n')[0] ?? '', /^key-unknown .*"prompts"/);
});

test('a folder that is named and missing is a warning; the usual one may be missing', (t) => {
  assert.deepEqual(build(t, {}).diagnostics, []);
  const named = { 'project.yaml': 'version: "1.0"\nproject: { name: a }\nprompts: somewhere\n' };
  const [missing] = build(t, named).diagnostics;
  assert.deepEqual([missing?.code, missing?.severity, missing?.line], ['prompts-missing', 'warning', 3]);
  const [file] = build(t, { ...named, somewhere: 'a file' }).diagnostics;
  assert.equal(file?.code, 'prompts-missing');
});

test('hidden files, drafts, sub-folders and other files are no prompts', (t) => {
  const { root } = build(t, {
    'prompts/a.md': 'x',
    'prompts/.hidden.md': 'x',
    'prompts/_draft.md': 'x',
    'prompts/deep/b.md': 'x',
    'prompts/c.txt': 'x',
    'prompts/large.md': 'x'.repeat(3 << 20),
  });
  const { bundle, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(bundle.prompts, 3);
  assert.deepEqual(
    diagnostics.map(({ code, file }: Diagnostic) => `${code} ${file}`),
    ['document-too-large prompts/large.md'],
  );
});

test('no category takes the folder of prompts in, explicit or not', (t) => {
  const files = { 'content/docs/a.md': '# A\n', 'content/prompts/b.md': '# B\n', 'content/prompts/deep/c.md': '# C\n' };
  const head = 'version: "1.0"\nproject: { name: a }\nprompts: content/prompts\n';
  const listed = (yaml: string): string[] => {
    const { root } = build(t, { ...files, 'project.yaml': yaml });
    return JSON.parse(run(['list', '--root', root, '--json']).stdout).resources.map(({ uri }: { uri: string }) => uri);
  };
  const folders = listed(head);
  assert.ok(folders.includes('guide://document/docs/a.md'));
  assert.deepEqual(
    folders.filter((uri) => uri.includes('prompts')),
    [],
  );
  const explicit = listed(`${head}guide: { categories: { all: { dir: ".", patterns: ["**", prompts/b.md] } } }\n`);
  assert.deepEqual(
    explicit.filter((uri) => uri.startsWith('guide://document')),
    ['guide://document/all/docs/a.md'],
  );
  const root = listed('version: "1.0"\nproject: { name: a }\nguide: { root: "." }\n');
  assert.ok(root.includes('guide://document/content/prompts/b.md'), 'not the folder of prompts here');
});
