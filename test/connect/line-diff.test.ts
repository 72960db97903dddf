// The diff that a person reads is also one that programs take.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { paintDiff, unifiedDiff } from '../../bin/line-diff.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

test('changes are shown with three lines around, far ones in hunks of their own', () => {
  const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
  const after = before.replace('b\n', 'B\n').replace('k\n', '');
  assert.equal(
    unifiedDiff(before, after, 'x.txt'),
    '--- x.txt\n+++ x.txt\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -8,5 +8,4 @@\n h\n i\n j\n-k\n l\n',
  );
  assert.equal(unifiedDiff(before, before, 'x.txt'), '');
});

test('a file that comes or goes, and a last line without its end, are marked as such', () => {
  assert.equal(unifiedDiff(undefined, 'a\n', 'x'), '--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+a\n');
  assert.equal(unifiedDiff('a\n', undefined, 'x'), '--- x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n');
  assert.equal(unifiedDiff('a', 'a\n', 'x'), '--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
});

test('colours go around lines, never into them', () => {
  const painted = paintDiff(unifiedDiff('a\n--x\n', 'a\nb\n', 'x'), (colour, text) => `<${colour}>${text}</>`);
  assert.equal(painted, '<bold>--- x</>\n<bold>+++ x</>\n<cyan>@@ -1,2 +1,2 @@</>\n a\n<red>---x</>\n<green>+b</>\n');
});

test('patch(1) makes the second text of the first, whatever they are', (t) => {
  if (spawnSync('patch', ['--version']).status !== 0) return t.skip('no patch(1) here');
  const folder = temporaryFolder(t);
  const next = random(11);
  for (let n = 0; n < 60; n++) {
    const text = (): string =>
      Array.from({ length: next(30) }, () => 'abc'[next(3)]).join('\n') + (next(2) ? '\n' : '');
    const [before, after] = [`#\n${text()}`, `#\n${text()}`];
    writeFileSync(join(folder, 'x'), before);
    const { status, stdout } = spawnSync('patch', ['-p0', '--quiet', 'x'], {
      cwd: folder,
      input: unifiedDiff(before, after, 'x'),
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${stdout}\n${unifiedDiff(before, after, 'x')}`);
    assert.equal(readFileSync(join(folder, 'x'), 'utf8'), after);
  }
  return undefined;
});

test('texts that would take too long to compare are shown as replaced', () => {
  const many = (letter: string): string => Array.from({ length: 30_000 }, (_, n) => `${letter}${n}\n`).join('');
  const diff = unifiedDiff(`same\n${many('a')}`, `same\n${many('b')}`, 'x');
  assert.equal(diff.split('\n').length, 2 + 1 + 1 + 60_000 + 1);
});
