import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { write } from '../../build/write.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a file is published by rename: whoever has the old one open keeps it', (t) => {
  const folder = temporaryFolder(t, { 'a.fgb': 'old' });
  const before = statSync(join(folder, 'a.fgb')).ino;
  assert.deepEqual(write(folder, 'a.fgb', Buffer.from('new')), { changed: true });
  assert.equal(readFileSync(join(folder, 'a.fgb'), 'utf8'), 'new');
  assert.notEqual(statSync(join(folder, 'a.fgb')).ino, before);
  assert.deepEqual(readdirSync(folder), ['a.fgb']);
});

test('equal bytes are left alone', (t) => {
  const folder = temporaryFolder(t, { 'a.fgb': 'same' });
  const before = statSync(join(folder, 'a.fgb')).ino;
  assert.deepEqual(write(folder, 'a.fgb', Buffer.from('same')), { changed: false });
  assert.equal(statSync(join(folder, 'a.fgb')).ino, before);
});

test('what a killed build left behind is removed by the next', (t) => {
  const folder = temporaryFolder(t, { '.a.fgb.999999999.tmp': 'half', '.b.fgb.999999999.tmp': 'not ours' });
  write(folder, 'a.fgb', Buffer.from('x'));
  assert.deepEqual(readdirSync(folder).sort(), ['.b.fgb.999999999.tmp', 'a.fgb']);
});

test('a write that fails leaves the old file and no leftovers', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'a.fgb'));
  writeFileSync(join(folder, 'a.fgb', 'inside'), '');
  assert.throws(() => write(folder, 'a.fgb', Buffer.from('x')));
  assert.deepEqual(readdirSync(folder), ['a.fgb']);
});
