// Budgets of tokens: said when they are asked for, with what there is, what is allowed, and the difference.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Diagnostics } from '../../build/diagnostics.ts';
import { project, projectSchema } from '../../build/project.ts';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const HEAD = 'version: "1.0"\nproject: { name: a }\n';
/** 4.2 bytes are a token: 4,200 bytes are 1,000. */
const DOCUMENTS = {
  'content/docs/a.md': `# A\n${'x'.repeat(4195)}\n`,
  'content/docs/b.md': `---\ntitle: ${'y'.repeat(900)}\n---\n# B\n${'x'.repeat(415)}\n`,
};

function said(t: TestContext, config: string): string[] {
  const root = temporaryFolder(t, { 'project.yaml': HEAD + config, ...DOCUMENTS });
  const { ok, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(ok, true);
  return diagnostics.map(({ file, line, column, code, what }: Message) => `${file}:${line}:${column} ${code} ${what}`);
}

test('without a budget nothing is over it, and what is just within is within', (t) => {
  assert.deepEqual(said(t, ''), []);
  assert.deepEqual(said(t, 'budget: {}\n'), []);
  assert.deepEqual(said(t, 'budget: { document: 1k, collection: 1100, bundle: 1m }\n'), []);
});

test('what is over says how much it has, how much it may, and by how much it is over', (t) => {
  assert.deepEqual(said(t, 'budget: { document: 999, collection: 1.0k tokens, bundle: 1.1k }\n').map(withoutBundle), [
    'content/docs/a.md:1:1 budget-over It has ≈1,000 tokens, 1 over the budget of 999.',
    'project.yaml:3:38 budget-over The collection "all" has ≈1,100 tokens, 100 over the budget of 1,000.',
    'project.yaml:3:59 budget-over All texts together have ≈… tokens, … over the budget of 1,100.',
  ]);
  const collections = 'guide: { categories: { docs: {} }, collections: { some: { categories: [docs] } } }\n';
  assert.deepEqual(said(t, `${collections}budget: { collection: 1000 }\n`), [
    'project.yaml:3:51 budget-over The collection "some" has ≈1,100 tokens, 100 over the budget of 1,000.',
  ]);
});

function withoutBundle(line: string): string {
  return line.replace(/(together have ≈)[\d,]+ tokens, [\d,]+/, '$1… tokens, …');
}

test('tokens are numbers or thousands; anything else is an error with its place', () => {
  const read = (written: string) => {
    const diagnostics = new Diagnostics();
    const tokens = project(`${HEAD}budget: { document: ${written} }\n`, diagnostics.report)?.budget?.document?.tokens;
    return tokens ?? diagnostics.sorted().map(({ line, column, code, fix }) => `${line}:${column} ${code} ${fix}`)[0];
  };
  const form = (projectSchema() as Message).properties.budget.properties.document.anyOf[1].pattern;
  for (const [written, tokens] of [
    ['8k', 8000],
    ['8K', 8000],
    ['8000', 8000],
    ['1.5k', 1500],
    ['2m', 2_000_000],
    ['8k tokens', 8000],
    ['"8 k"', 8000],
  ] as const) {
    assert.equal(read(written), tokens, written);
    assert.match(written.replaceAll('"', ''), new RegExp(form));
  }
  const wrong = '3:21 value-wrong Write a number of tokens, such as 8k or 8000.';
  for (const written of ['8KB', '-1', '0', 'many', '[]', '1e3', '99999999999999k'])
    assert.equal(read(written), wrong, written);
});
