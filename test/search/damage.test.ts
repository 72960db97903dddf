// The promise of the format, kept by search: a damaged index gives the right answer or says it is damaged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWords } from '../../build/count-words.ts';
import { indexWords, type Searchable } from '../../build/index-words.ts';
import { pack } from '../../build/pack.ts';
import { tabulate } from '../../build/tabulate.ts';
import { Bundle } from '../../runtime/bundle.ts';
import { BLOCK_BYTES, BundleError, decodeHeader, SECTION, type Section } from '../../runtime/format.ts';
import { search } from '../../runtime/search/search.ts';
import { verifyBundle } from '../../runtime/verify.ts';
import { openBytes, withFile } from '../support/bytes.ts';
import { EVERYTHING, entriesOf, PROJECT, searchablesOf, searchedBytes } from '../support/searched.ts';

const GUIDE = {
  one: ['First steps', '# First steps\n\nBegin with the manual.\n\n## Tools\n\nA hammer, nails and the manual.\n'],
  two: ['Second', 'Hammers are kept in the shed.\n'],
} as const;

const BYTES = searchedBytes(GUIDE);
const QUERIES = ['hammer manual', 'sheds', 'manaul', 'fir', 'nothing'];

function answers(bundle: Bundle): string {
  return QUERIES.map((query) => JSON.stringify(search(bundle, query, EVERYTHING))).join('\n');
}

function sections(): Section[] {
  const { sections: all } = decodeHeader(BYTES.subarray(0, BLOCK_BYTES), BYTES.length);
  return [SECTION.find, SECTION.sums].map((kind) => all.get(kind) as Section);
}

function isDamaged(use: () => void): boolean {
  try {
    use();
    return false;
  } catch (error) {
    assert.ok(error instanceof BundleError && error.kind === 'damaged', (error as Error).stack);
    return true;
  }
}

test('every bit of the search index of a small bundle, and of its sums, is noticed by a search', () => {
  const copy = Buffer.from(BYTES);
  for (const { offset, length } of sections()) {
    for (let bit = offset * 8; bit < (offset + length) * 8; bit++) {
      const at = bit >> 3;
      copy[at] = (copy[at] as number) ^ (1 << (bit & 7));
      assert.ok(
        isDamaged(() => search(openBytes(copy), 'hammer', EVERYTHING)),
        `bit ${bit}`,
      );
      copy[at] = BYTES[at] as number;
    }
  }
});

test('every bit of the whole bundle: a search is right, or the bundle is damaged', () => {
  const right = answers(openBytes(BYTES));
  const copy = Buffer.from(BYTES);
  let refused = 0;
  for (let bit = 0; bit < BYTES.length * 8; bit += 7) {
    const at = bit >> 3;
    copy[at] = (copy[at] as number) ^ (1 << (bit & 7));
    try {
      assert.equal(answers(openBytes(copy)), right, `bit ${bit}`);
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      refused++;
    }
    copy[at] = BYTES[at] as number;
  }
  assert.ok(refused > 1000);
});

test('an index that is cut off, zeroed, or of another bundle is damaged', () => {
  const [find, sums] = sections() as [Section, Section];
  const other = searchedBytes({ ...GUIDE, two: ['Second', 'Hammers are kept in the yard.\n'] });
  for (const { offset, length } of [find, sums]) {
    const zeroed = Buffer.from(BYTES);
    zeroed.fill(0, offset, offset + length);
    assert.ok(isDamaged(() => answers(openBytes(zeroed))));
    const mixed = Buffer.from(BYTES);
    other.copy(mixed, offset, offset, offset + length);
    assert.ok(isDamaged(() => answers(openBytes(mixed))));
  }
  for (const length of [BYTES.length - 1, find.offset + 10, sums.offset]) {
    assert.throws(() => openBytes(BYTES.subarray(0, length)), BundleError);
  }
});

test('verify names a damaged search index', () => {
  assert.deepEqual(verifyBundle(openBytes(BYTES)).damage, []);
  for (const { offset, length } of sections()) {
    for (const at of [0, 30, length - 1]) {
      const copy = Buffer.from(BYTES);
      copy[offset + at] = (copy[offset + at] as number) ^ 1;
      const { damage } = verifyBundle(openBytes(copy));
      assert.ok(
        damage.some((line) => /search index|block \d+ of a table/.test(line)),
        damage.join('\n'),
      );
    }
  }
});

test('a mapped bundle and one that is read give the same answers', () => {
  const right = answers(openBytes(BYTES));
  for (const mode of ['mmap', 'pread'] as const) {
    withFile(BYTES, mode, (bytes) => assert.equal(answers(new Bundle(bytes)), right));
  }
});

test('opening a bundle reads nothing of its search index', () => {
  const [find, sums] = sections() as [Section, Section];
  const touched: number[] = [];
  const bytes = {
    length: BYTES.length,
    mapped: true,
    view(offset: number, length: number) {
      touched.push(offset);
      return BYTES.subarray(offset, offset + length);
    },
    close() {},
  };
  const bundle = new Bundle(bytes);
  assert.ok(bundle.findText('guide://document/docs/one.md'));
  assert.ok(touched.every((at) => at < find.offset || at >= sums.offset + sums.length));
});

test('an index that names what the bundle does not have, or other sections, is damaged, and verify says so', () => {
  const crafted = (searchables: Searchable[]): Buffer => {
    const entries = entriesOf(GUIDE);
    return pack({ ...tabulate(PROJECT, entries), find: indexWords(searchables) });
  };
  const [one, two] = searchablesOf(GUIDE) as [Searchable, Searchable];
  const absent = crafted([one, { ...two, key: 'guide://document/docs/absent.md' }]);
  assert.ok(isDamaged(() => search(openBytes(absent), 'shed', EVERYTHING)));
  const counted = countWords({ text: GUIDE.two[1], from: 0, headings: [0] });
  const more = crafted([one, { ...two, counted }]);
  assert.ok(isDamaged(() => search(openBytes(more), 'shed', EVERYTHING)));
  for (const bytes of [absent, more]) assert.ok(verifyBundle(openBytes(bytes)).damage.length > 0);
});
