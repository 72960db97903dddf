import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../runtime/nearest.ts';

test('one slip is understood: a letter missing, added, replaced or swapped', () => {
  const known = ['modules', 'metadata', 'tech', 'project'];
  for (const [slip, meant] of [
    ['module', 'modules'],
    ['moduless', 'modules'],
    ['mdoules', 'modules'],
    ['metedata', 'metadata'],
    ['TECH', 'tech'],
  ] as const) {
    assert.equal(nearest(slip, known), meant);
  }
});

test('a different word is not taken for a slip', () => {
  for (const word of ['agents', 'x', '', 'tax collector'])
    assert.equal(nearest(word, ['modules', 'tech']), undefined, word);
});
