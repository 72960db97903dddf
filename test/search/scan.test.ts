// The compiler's quick scanner of words, held against the reader's own idea of a word.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachRun } from '../../build/scan-words.ts';
import { runsOf, spellings } from '../../runtime/search/words.ts';
import { random } from '../support/random.ts';

const PIECES =
  'a B c3 aB HTTPServer v1 .2 . .. 10.4.1 1.x x.1y _ - # é É ﬁ ª ² ß İ — … 中 文 中aB ก\u0e33 \u0301 \u{20000} \u{1f600} \ud800 \udc00 \u2028 \n \t Ⅷ ٣ \u00a0'.split(
    ' ',
  );

function scanned(text: string): string[][] {
  const runs: string[][] = [];
  eachRun(text, (run, words) => runs.push([...(words ?? spellings(run))]));
  return runs;
}

function read(text: string): string[][] {
  return [...runsOf(text)].map(({ words }) => [...words]);
}

test('the scanner finds the runs that the reader finds, in any text', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const next = random(seed);
    const text = Array.from({ length: 1 + next(12) }, () => PIECES[next(PIECES.length)]).join(next(2) === 0 ? '' : ' ');
    assert.deepEqual(scanned(text), read(text), JSON.stringify(text));
  }
});

test('the scanner and the reader agree on every character between letters', () => {
  for (let code = 0; code < 0x10000; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    assert.deepEqual(scanned(text), read(text), code.toString(16));
  }
});

test('a run longer than anybody types has no spelling, but its parts do', () => {
  const text = `${'a'.repeat(65)} ${'aB'.repeat(40)}`;
  assert.deepEqual(scanned(text), read(text));
});
