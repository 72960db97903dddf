// What an agent may not see leaves no trace: every answer is the one of a bundle that never held it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../runtime/search/search.ts';
import { openBytes } from '../support/bytes.ts';
import { random } from '../support/random.ts';
import { EVERYTHING, searchedBytes, uriOf, type Written } from '../support/searched.ts';

const SYLLABLES = ['ka', 'lo', 'mi', 'ner', 'pod', 'ing', 's', 'tor', 'vel', 'ex'];

function randomWord(next: (below: number) => number): string {
  return Array.from({ length: 2 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
}

function randomGuide(next: (below: number) => number, size: number): Written {
  const words = Array.from({ length: 40 }, () => randomWord(next));
  const some = (count: number): string => Array.from({ length: count }, () => words[next(words.length)]).join(' ');
  return Object.fromEntries(
    Array.from({ length: size }, (_, n) => [
      `d${n}`,
      [some(2), `${some(9)}\n\n## ${some(2)}\n\n${some(12)}\n`] as const,
    ]),
  );
}

test('an answer under a restriction is the answer of a bundle without the hidden documents', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = random(seed);
    const guide = randomGuide(next, 12);
    const isHidden = new Map(Object.keys(guide).map((name) => [uriOf(name), next(2) === 0]));
    const rest = Object.fromEntries(Object.entries(guide).filter(([name]) => isHidden.get(uriOf(name)) !== true));
    const all = openBytes(searchedBytes(guide));
    const without = openBytes(searchedBytes(rest));
    const options = { limit: 20, everything: false, may: (key: string) => isHidden.get(key) !== true };
    for (let n = 0; n < 25; n++) {
      const [, [title, text]] = Object.entries(guide)[next(12)] as [string, [string, string]];
      const words = `${title} ${text}`.split(/[\s#]+/).filter((word) => word !== '');
      const slipped = (word: string): string => (next(3) === 0 ? word.slice(0, 1 + next(word.length)) : word);
      const query = Array.from({ length: 1 + next(3) }, () => slipped(words[next(words.length)] as string)).join(' ');
      assert.deepEqual(search(all, query, options), search(without, query, EVERYTHING_LONG), `seed ${seed}: ${query}`);
    }
  }
});

const EVERYTHING_LONG = { ...EVERYTHING, limit: 20 };

test('a word of hidden documents only is corrected as if it did not exist', () => {
  const bundle = openBytes(
    searchedBytes({ open: ['Open', 'the manifold is warm\n'], secret: ['Secret', 'the manifest is secret\n'] }),
  );
  const may = (key: string): boolean => key === uriOf('open');
  const found = search(bundle, 'manifest', { limit: 5, may, everything: false });
  assert.deepEqual(found, { hits: [], total: 0 });
  const near = search(bundle, 'manifolt', { limit: 5, may, everything: false });
  assert.deepEqual(near.corrected, [{ asked: 'manifolt', used: 'manifold' }]);
  assert.deepEqual(search(bundle, 'secre', { limit: 5, may, everything: false }), { hits: [], total: 0 });
});
