// Markup made to keep a parser busy: a build ends, names the file, and builds the rest.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Source } from '../../build/collect.ts';
import type { Diagnostic } from '../../build/diagnostics.ts';
import { examineAll } from '../../build/examine-all.ts';
import { checkText } from '../../build/text-checks.ts';

/** A link makes the parser look into the text around it. */
const LINK = '[b](c.md)';

const FAMILIES: Record<string, string> = {
  'nested emphasis': '*a **a '.repeat(40_000) + LINK,
  underscores: 'a_ '.repeat(50_000) + LINK,
  'closing brackets': 'a]'.repeat(50_000) + LINK,
  'mixed emphasis': '*a_ '.repeat(20_000) + LINK,
  'runs of backticks': Array.from({ length: 1500 }, (_, n) => '`'.repeat(n + 1)).join(' ') + LINK,
  'a paragraph without end': 'word '.repeat(400_000) + LINK,
  'deep lists': Array.from({ length: 500 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n'),
  'opening brackets': '['.repeat(20_000) + LINK,
  'deep quotes': `${'> '.repeat(5000)}a`,
  'a long table': `| a | b |\n| - | - |\n${'| c | d |\n'.repeat(20_000)}`,
  'many definitions': Array.from({ length: 20_000 }, (_, n) => `[a${n}]: b${n}.md`).join('\n'),
  'nested images': '!['.repeat(20_000) + LINK,
  'links that do not close': '[a]('.repeat(20_000),
  'sections of raw characters': 'a <![CDATA[ '.repeat(50_000),
  'open tags': '<a '.repeat(50_000),
  'long front matter': `---\na: ${'['.repeat(20_000)}\n---\n# A\n`,
};

function source(path: string, text: string): Source {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path, text, input: { path, sha256, bytes: text.length } };
}

test('each hostile family is read or left out by name within its budget, and the rest is read', async () => {
  const sources = Object.entries(FAMILIES).flatMap(([name, text], n) => [
    source(`${name}.md`, text),
    source(`good-${n}.md`, `# Good ${n}\n`),
  ]);
  const problems: Diagnostic[] = [];
  const budget = { ms: 2000, megabytes: 256 };
  const read = await examineAll(sources, new Map(), (problem) => problems.push(problem), undefined, budget);
  const paths = read.map(({ source: { path } }) => path);
  const reported = problems.map(({ file }) => file);
  assert.deepEqual([...paths, ...reported].sort(), sources.map(({ path }) => path).sort());
  for (const { code } of problems) assert.equal(code, 'document-too-slow');
  for (const n of Object.keys(FAMILIES).keys()) assert.ok(paths.includes(`good-${n}.md`));
  assert.ok(reported.includes('runs of backticks.md'));
});

test('a document that takes too much memory is left out by name', async () => {
  const problems: Diagnostic[] = [];
  const sources = [source('large.md', '# a\n\n[b](c.md)\n'.repeat(100_000)), source('good.md', '# Good\n')];
  const budget = { ms: 60_000, megabytes: 32 };
  const read = await examineAll(sources, new Map(), (problem) => problems.push(problem), undefined, budget);
  assert.deepEqual(
    read.map(({ source: { path } }) => path),
    ['good.md'],
  );
  assert.match(problems[0]?.what ?? '', /more than 32 MB of memory/);
});

test('looking for secrets and hidden characters takes time in proportion, whatever the text', () => {
  for (const piece of [
    '-eyJ',
    'eyJaaaaaaaaaaaa.',
    'sk-',
    'sk-a-',
    '-----BEGIN A ',
    'xoxb-',
    'ghp_a',
    '\u{1f3f4}\u{e0067}',
  ]) {
    checkText('a.md', piece.repeat(Math.ceil(1_000_000 / piece.length)), () => {});
  }
});
