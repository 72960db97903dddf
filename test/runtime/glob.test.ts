import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimatch } from 'minimatch';
import { compileGlob, GlobError, isGlob } from '../../runtime/glob.ts';
import { random } from '../support/random.ts';

const CASES: [string, string[], string[]][] = [
  ['*.md', ['a.md', '.md', 'ä.md'], ['a/b.md', 'a.mdx', 'a.md/x']],
  ['**/*.md', ['a.md', 'a/b.md', 'a/b/c.md'], ['a.txt', 'a.md/b']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab', 'b/a']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
  ['**', ['a', 'a/b'], []],
  ['a?c', ['abc', 'aéc', 'a💡c'], ['ac', 'a/c', 'abbc']],
  ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
  ['[!a-c]x', ['dx', '💡x'], ['ax', '/x']],
  ['[]a]x', [']x', 'ax'], ['bx']],
  ['[a', ['[a'], ['a']],
  ['{a,b}/*.{md,txt}', ['a/x.md', 'b/y.txt'], ['c/x.md', 'a/x.html']],
  ['{a,{b,c}}', ['a', 'b', 'c'], ['{b,c}']],
  ['{a}', ['{a}'], ['a']],
  ['a{,b}', ['a', 'ab'], ['a,']],
  ['\\*', ['*'], ['a']],
  ['a**b', ['ab', 'axb'], ['a/b']],
  ['', [''], ['a']],
];

test('each pattern matches what it should and nothing else', () => {
  for (const [pattern, yes, no] of CASES) {
    const glob = compileGlob(pattern);
    for (const path of yes) assert.ok(glob.matches(path), `${pattern} should match ${path}`);
    for (const path of no) assert.ok(!glob.matches(path), `${pattern} should not match ${path}`);
  }
});

test('it agrees with minimatch on 60,000 random small cases', () => {
  const pieces = [
    'a',
    'b',
    'ab',
    '/',
    '/',
    '*',
    '**',
    '**/',
    '/**',
    '?',
    '[ab]',
    '[!a]',
    '[a-b]',
    '{a,b}',
    '{a/b,b}',
    '.',
    '-',
  ];
  const letters = ['a', 'b', 'a', 'b', '/', 'ab', '-', '.a'];
  const next = random(7);
  let agreed = 0;
  while (agreed < 60_000) {
    const pattern = Array.from({ length: 1 + next(5) }, () => pieces[next(pieces.length)]).join('');
    const path = Array.from({ length: 1 + next(6) }, () => letters[next(letters.length)]).join('');
    if (/\/\/|^\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(path) || /\/\/|^\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(pattern)) continue;
    const theirs = minimatch(path, pattern, { dot: true, nocomment: true, nonegate: true, noext: true });
    assert.equal(compileGlob(pattern).matches(path), theirs, `${pattern} over ${path}`);
    agreed++;
  }
});

test('patterns made to hang others are refused or answered', () => {
  const evil: [string, string][] = [
    ['a*'.repeat(60).concat('b'), 'a'.repeat(2000)],
    ['*a'.repeat(60).concat('b'), 'a'.repeat(2000)],
    ['**/a/'.repeat(40).concat('b'), 'a/'.repeat(400).concat('c')],
    ['**/'.repeat(60).concat('b'), 'a/'.repeat(400).concat('c')],
    ['?*'.repeat(100).concat('b'), 'a'.repeat(2000)],
    ['[a-z]*'.repeat(40).concat('!'), 'a'.repeat(2000)],
    ['*'.repeat(255), 'a'.repeat(2000)],
    ['**/*a'.repeat(30), 'a/b/'.repeat(300)],
    ['{a,b}'.repeat(6), 'ababab'],
  ];
  for (const [pattern, path] of evil) assert.equal(typeof compileGlob(pattern).matches(path), 'boolean');
  assert.throws(() => compileGlob('{a,b}'.repeat(20)), GlobError);
  assert.throws(() => compileGlob('a'.repeat(257)), GlobError);
});

test('the literal prefix narrows a search', () => {
  assert.deepEqual(
    ['api/v1/name*', '*.md', 'a/b.md', 'a{b,c}'].map((pattern) => compileGlob(pattern).prefix),
    ['api/v1/name', '', 'a/b.md', 'a'],
  );
  assert.deepEqual(['a.md', 'a*', 'a?', '[a]', '{a,b}'].map(isGlob), [false, true, true, true, true]);
});
