// `fieldguide diff`, by the command itself over bundles that it built.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { indexWords } from '../../build/index-words.ts';
import { pack } from '../../build/pack.ts';
import { searchable } from '../../build/searchable.ts';
import { type Tables, tabulate } from '../../build/tabulate.ts';
import { escapeText } from '../../runtime/format.ts';
import { VERSION } from '../../runtime/version.ts';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { entriesOf, PROJECT } from '../support/searched.ts';
import { bundleBytes } from '../support/shop.ts';

const GOLDEN = join(import.meta.dirname, '../fixtures/golden');

const BEFORE: Record<string, string> = {
  'project.yaml': `version: "1.0"
project: { name: Shop, description: Sells. }
modules: { auth: { description: Who you are, keyFiles: [{ path: src/auth.ts }] }, cart: {} }
files: [NOTES.md]
`,
  'NOTES.md': '# Notes\n\nOld.\n',
  'content/docs/intro.md': '---\ntitle: Intro\n---\n# Intro\n\nHello.\n\n## Install\n\nnpm i\n\n## Use\n\nRun it.\n',
  'content/docs/gone.md': '# Gone\n\nSoon.\n',
  'content/docs/old-name.md': '# Moving\n\nThe same words.\n',
  'prompts/review.md':
    '---\ntitle: Review\narguments: [{ name: what, required: true }, { name: how }]\n---\nReview {{what}} {{how}}.\n',
  'prompts/bye.md': 'Say goodbye.\n',
};

const AFTER: Record<string, string> = {
  ...BEFORE,
  'project.yaml': (BEFORE['project.yaml'] as string).replace('Shop', 'Store').replace('Who you are', 'Who you are now'),
  'content/docs/intro.md': '---\ntitle: Start\n---\n# Intro\n\nHello.\n\n## Install\n\nnpm ci\n\n## Why\n\nBecause.\n',
  'content/docs/deep/new-name.md': '# Moving\n\nThe same words.\n',
  'content/docs/added.md': '---\nappliesTo: ["src/**"]\n---\n# Added\n\nNew words.\n',
  'prompts/review.md':
    '---\ntitle: Review\narguments: [{ name: what }, { name: why }]\n---\nReview {{what}}, {{why}}.\n',
  'prompts/hello.md': 'Say hello.\n',
};
for (const name of ['content/docs/gone.md', 'content/docs/old-name.md', 'prompts/bye.md']) delete AFTER[name];

function built(t: TestContext, files: Record<string, string>): string {
  const root = temporaryFolder(t, files);
  const { code, stderr } = run(['build', '--root', root]);
  assert.equal(code, 0, stderr);
  return join(root, 'dist-index');
}

function diff(old: string, fresh: string, ...more: string[]): Message {
  const { code, stdout, stderr } = run(['diff', old, fresh, '--json', ...more]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test('what came, went, moved and changed is told, with bytes, tokens and sections', (t) => {
  const [old, fresh] = [built(t, BEFORE), built(t, AFTER)];
  const found = diff(old, fresh);
  const by = (uri: string): Message => found.resources.find((one: Message) => one.uri === uri);
  assert.deepEqual([found.identical, found.noticed], [false, true]);
  assert.deepEqual(found.project, { before: 'Shop', after: 'Store' });
  assert.ok(found.instructions.bytes.delta !== undefined, 'the instructions name the project');
  const gone = by('guide://document/docs/gone.md');
  assert.deepEqual([gone.change, gone.bytes], ['removed', { before: 14, after: 0, delta: -14 }]);
  assert.deepEqual(gone.tokens, { before: 4, after: 0, delta: -4 });
  const added = by('guide://document/docs/added.md');
  assert.deepEqual([added.change, added.title, added.bytes.delta], ['added', 'Added', 20]);
  const moved = by('guide://document/docs/deep/new-name.md');
  assert.deepEqual([moved.change, moved.from], ['moved', 'guide://document/docs/old-name.md']);
  assert.equal(by('guide://document/docs/old-name.md'), undefined, 'what moved did not go');
  const intro = by('guide://document/docs/intro.md');
  assert.deepEqual([intro.change, intro.fields], ['changed', ['title', 'description']]);
  assert.deepEqual(intro.sections, { added: ['Why'], removed: ['Use'], changed: ['Install'] });
  assert.deepEqual(by('context://module/auth').sections.changed, ['Module: auth']);
  assert.equal(by('context://module/cart'), undefined);
  assert.equal(by('file://NOTES.md'), undefined);
  const category = found.groups.find((one: Message) => one.uri === 'guide://category/docs');
  assert.deepEqual(category.documents, { before: 3, after: 3, delta: 0 });
  assert.deepEqual(category.removed, ['guide://document/docs/gone.md', 'guide://document/docs/old-name.md']);
  assert.ok(found.filesInHand.includes('appliesTo: src/**'));
  const sum = found.resources.reduce((total: number, one: Message) => total + one.bytes.delta, 0);
  assert.equal(found.totals.bytes.delta, sum, 'the rows add up to the total');
  assert.deepEqual(found.totals.documents, { before: 3, after: 3, delta: 0 });
  for (const [side, folder] of [
    ['old', old],
    ['new', fresh],
  ] as const) {
    assert.equal(found[side].digest, JSON.parse(run(['verify', folder, '--json']).stdout).digest);
  }
});

test('prompts are compared by text and by arguments', (t) => {
  const { prompts } = diff(built(t, BEFORE), built(t, AFTER));
  const by = (name: string): Message => prompts.find((one: Message) => one.name === name);
  assert.equal(by('bye').change, 'removed');
  assert.deepEqual([by('hello').change, by('hello').bytes.delta], ['added', 10]);
  assert.deepEqual(by('review').fields, ['text', 'arguments']);
  assert.deepEqual(by('review').arguments, { added: ['why'], removed: ['how'], changed: ['what'] });
});

test('how a text comes in pages, and what is listed, is noticed though no word changed', (t) => {
  const long: Record<string, string> = {
    ...BEFORE,
    'content/docs/intro.md': `# Intro\n\n${'Some words.\n\n'.repeat(300)}`,
  };
  const limited = { ...long, 'project.yaml': `${long['project.yaml']}limits: { response: 2KB }\n` };
  const found = diff(built(t, long), built(t, limited));
  const [intro] = found.resources;
  assert.deepEqual([found.resources.length, intro.bytes.delta], [1, 0]);
  assert.match(intro.fields[0], /^pages \(1 → \d\)$/);
});

test('equal bundles differ in nothing, files or folders, mapped or read', (t) => {
  const [one, other] = [built(t, BEFORE), built(t, BEFORE)];
  for (const map of ['mmap', 'pread']) {
    const found = diff(one, join(other, 'context.fgb'), '--map', map);
    assert.deepEqual([found.identical, found.noticed, found.resources, found.unseen], [true, false, [], []]);
  }
  assert.match(run(['diff', one, other]).stdout, /^No difference an agent would notice\.\nThe two are the same, byte/);
});

test('bundles that differ in what no agent sees say so', (t) => {
  const root = temporaryFolder(t);
  const entries = entriesOf({ one: ['One', '# One\n'] });
  const tables = { ...tabulate(PROJECT, entries), find: indexWords(entries.map(searchable)) };
  const values = tables.values.map(({ key, value }) => ({ key, value: { ...(value as object), tool: '9.9.9' } }));
  writeFileSync(join(root, 'a.fgb'), pack(tables));
  writeFileSync(join(root, 'b.fgb'), pack({ ...tables, values }));
  const found = diff(join(root, 'a.fgb'), join(root, 'b.fgb'));
  assert.deepEqual([found.identical, found.noticed], [false, false]);
  assert.deepEqual(found.unseen, [`built by fieldguide 9.9.9, before by ${VERSION}`]);
  const { find: _, ...unsearchable } = tables;
  writeFileSync(join(root, 'c.fgb'), pack(unsearchable));
  assert.deepEqual(diff(join(root, 'a.fgb'), join(root, 'c.fgb')).unseen, ['the search index']);
  const { code, stdout } = run([
    'diff',
    join(root, 'a.fgb'),
    join(root, 'b.fgb'),
    '--exit-code',
    '--reporter',
    'markdown',
  ]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^\*\*Fieldguide\*\* `searched`: No difference an agent would notice\.\n\nNot seen by agents: `built by/,
  );
});

test('--exit-code gives 1 when something is noticed, as git does, and only then', (t) => {
  const [old, fresh] = [built(t, BEFORE), built(t, AFTER)];
  assert.equal(run(['diff', old, fresh]).code, 0);
  assert.equal(run(['diff', old, fresh, '--exit-code']).code, 1);
  assert.equal(run(['diff', old, old, '--exit-code']).code, 0);
});

test('a missing old bundle is an error, or, allowed, has nothing in it', (t) => {
  const [root, fresh] = [temporaryFolder(t), built(t, BEFORE)];
  const { code, stdout, stderr } = run(['diff', join(root, 'none'), fresh]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /^fieldguide diff: the bundle .*none cannot be compared\. There is no such file\. .*--allow-missing/,
  );
  const found = diff(join(root, 'none'), fresh, '--allow-missing');
  assert.equal(found.old, null);
  assert.ok(found.resources.every((one: Message) => one.change === 'added'));
  assert.equal(found.totals.bytes.before, 0);
  assert.match(run(['diff', root, fresh, '--allow-missing']).stdout, /^There was no bundle before\.\n/);
  assert.equal(run(['diff', fresh, join(root, 'none'), '--allow-missing']).code, 1, 'the new one must be there');
});

test('whatever byte of either bundle is damaged, it is an error and never a difference', (t) => {
  const root = temporaryFolder(t);
  const good = join(root, 'good.fgb');
  const bad = join(root, 'bad.fgb');
  const bytes = bundleBytes();
  writeFileSync(good, bytes);
  const places = [0, 9, 100, 4100, 5000, bytes.indexOf('# Module: auth'), bytes.length - 5000, bytes.length - 1];
  for (const at of places) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8((damaged[at] as number) ^ 0x40, at);
    writeFileSync(bad, damaged);
    for (const pair of [
      [good, bad],
      [bad, good],
    ]) {
      const { code, stdout, stderr } = run(['diff', ...pair, '--allow-missing']);
      assert.deepEqual([code, stdout], [1, ''], `byte ${at}`);
      assert.match(stderr, /^fieldguide diff: the bundle .*bad\.fgb cannot be compared\./);
    }
  }
  writeFileSync(bad, 'not a bundle');
  assert.match(run(['diff', good, bad]).stderr, /It does not start as a bundle does/);
});

test('bundles of older formats are compared with newer ones', () => {
  for (const old of ['1.0', '1.1']) {
    const { code, stderr } = run(['diff', join(GOLDEN, `${old}.fgb`), join(GOLDEN, '1.2.fgb')]);
    assert.deepEqual([code, stderr], [0, '']);
  }
});

test('--json and --reporter exclude each other; two bundles are needed', (t) => {
  const fresh = built(t, BEFORE);
  assert.equal(run(['diff', fresh, fresh, '--json', '--reporter', 'markdown']).code, 2);
  assert.equal(run(['diff', fresh]).code, 2);
  assert.equal(run(['diff', fresh, fresh, '--reporter', 'sarif']).code, 2);
});

test('another resource before the text of a prompt is a change of the prompt', (t) => {
  const text = BEFORE['prompts/bye.md'] as string;
  const after = { ...BEFORE, 'prompts/bye.md': `---\nembed: file://NOTES.md\n---\n${text}` };
  const { prompts, resources } = diff(built(t, BEFORE), built(t, after));
  assert.deepEqual(
    prompts.map(({ name, change, fields }: Message) => [name, change, fields]),
    [['bye', 'changed', ['embeds']]],
  );
  assert.deepEqual(resources, []);
});

test('a change of the words alone is told by the section it is in, for a file and for a prompt too', (t) => {
  const root = temporaryFolder(t, BEFORE);
  assert.equal(run(['build', '--root', root]).code, 0);
  cpSync(join(root, 'dist-index/context.fgb'), join(root, 'old.fgb'));
  writeFileSync(join(root, 'NOTES.md'), readFileSync(join(root, 'NOTES.md'), 'utf8').replace('Old', 'New'));
  assert.equal(run(['build', '--root', root]).code, 0);
  const { stdout } = run(['diff', join(root, 'old.fgb'), join(root, 'dist-index')]);
  assert.match(stdout, /^~ file:\/\/NOTES\.md .*\n {4}sections: changed "Notes"\n\n1 changed; \+0 B, ≈\+0 tokens\n/);
});

test('a bundle crafted to pass every checksum is an error, never a stack trace', (t) => {
  const root = temporaryFolder(t);
  const tables = tabulate(PROJECT, entriesOf({ one: ['One', '# One\n'] }));
  const withText = (key: string, text: string): Tables => ({
    ...tables,
    texts: [
      ...tables.texts.filter((one) => one.key !== key),
      { key, stored: escapeText(text), rawLength: text.length, cuts: Buffer.alloc(0), paged: false, mediaType: 2 },
    ],
  });
  const group = { docsFrom: 0, docsTo: 0, refsFrom: 0, refsTo: 0, limit: 1 };
  const crafted: Tables[] = [
    { ...tables, list: tables.list.map(({ uri }) => ({ uri, json: Buffer.from('null') })) },
    { ...withText('guide', 'null'), groups: [{ key: 'guide://category/x', group }] },
    withText('prompts', '{"prompts":[null]}'),
    withText('prompts', '{"prompts":5}'),
    withText('prompts', '{"prompts":[],"embeds":[null]}'),
    withText('prompts', 'no JSON'),
    withText('for', '{"globs":5}'),
  ];
  const good = join(root, 'good.fgb');
  writeFileSync(good, pack(tables));
  for (const [n, one] of crafted.entries()) {
    writeFileSync(join(root, 'bad.fgb'), pack(one));
    const { code, stdout, stderr } = run(['diff', good, join(root, 'bad.fgb')]);
    assert.deepEqual([code, stdout], [1, ''], `number ${n}: ${stdout}`);
    assert.match(stderr, /^fieldguide diff: the bundle .* cannot be compared\. [A-Z][^\n]*\n$/, `number ${n}`);
  }
  const odd = withText(
    'prompts',
    '{"prompts":[{"name":"a","arguments":[null,5,{"name":"b","required":{}}]}],"content":{}}',
  );
  writeFileSync(join(root, 'odd.fgb'), pack(odd));
  assert.equal(run(['diff', good, join(root, 'odd.fgb')]).code, 0);
});
