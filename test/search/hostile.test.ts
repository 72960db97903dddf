// Queries from anybody: whatever is asked, the answer comes, and the work is bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../runtime/search/search.ts';
import { openBytes } from '../support/bytes.ts';
import { random } from '../support/random.ts';
import { EVERYTHING, searchedBytes } from '../support/searched.ts';

const WORDS = Array.from({ length: 40 }, (_, n) => `word${n}x`);
const bundle = openBytes(searchedBytes({ a: ['All', WORDS.join(' ')], b: ['Last', `only here: zebra`] }));

test('nothing to look for finds nothing', () => {
  for (const query of ['', ' ', '\n\t', '.,;:!?-_()[]{}*"\'`', '\0', '\ud800', '🙂🙂', '—…', ' '.repeat(10_000)]) {
    assert.deepEqual(search(bundle, query, EVERYTHING), { hits: [], total: 0 }, JSON.stringify(query));
  }
});

test('only the first 256 characters and the first 16 different words count', () => {
  assert.equal(search(bundle, `${'-'.repeat(256)}zebra`, EVERYTHING).total, 0);
  assert.equal(search(bundle, `${'-'.repeat(250)} zebra`, EVERYTHING).total, 1);
  assert.equal(search(bundle, `${WORDS.slice(0, 16).join(' ')} zebra`, EVERYTHING).total, 1);
  assert.equal(search(bundle, `${WORDS.slice(0, 15).join(' ')} zebra`, EVERYTHING).total, 2);
  assert.equal(search(bundle, `${'word0x '.repeat(30)} zebra`, EVERYTHING).total, 2);
});

test('any characters at all are a query', () => {
  const next = random(5);
  const pieces = [
    '(',
    'a',
    '*',
    '\\',
    '"',
    'ﬁ',
    '\u0301',
    '中',
    'A',
    '.1',
    '1',
    '\ud83d',
    'İ',
    ' ',
    '%',
    '<',
    '\u202e',
    'ß',
    '½',
  ];
  for (let n = 0; n < 3000; n++) {
    const query = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join('');
    const { hits, total } = search(bundle, query, EVERYTHING);
    assert.ok(hits.length <= total && total <= 2);
  }
});

test('long runs, long words and markup without end do not hold it up', () => {
  const texts = [
    '['.repeat(30_000),
    '<a '.repeat(20_000),
    `${'x'.repeat(60_000)} needle`,
    '{{'.repeat(30_000),
    '_'.repeat(60_000),
  ];
  const written = Object.fromEntries(texts.map((text, n) => [`t${n}`, [`T${n} needle`, text] as const]));
  const found = search(openBytes(searchedBytes(written)), 'needle', EVERYTHING);
  assert.equal(found.total, texts.length);
  for (const { snippet } of found.hits) assert.ok(snippet.length <= 70_000);
});
