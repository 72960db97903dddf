// The index against an independent one: plain maps over random small corpora, and the same bytes again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexWords } from '../../build/index-words.ts';
import type { PostingList } from '../../runtime/search/postings-format.ts';
import { type SearchIndex, searchIndexOf } from '../../runtime/search/search-index.ts';
import { openBytes } from '../support/bytes.ts';
import { random } from '../support/random.ts';
import { searchablesOf, searchedBytes, uriOf, type Written } from '../support/searched.ts';

function randomGuide(seed: number): Written {
  const next = random(seed);
  const word = (): string =>
    next(6) === 0
      ? (['größe', '中', '\u{20000}', '\ufa0e', 'zz'][next(5)] as string)
      : `w${next(1 + next(300)).toString(36)}`;
  const some = (count: number): string => Array.from({ length: count }, word).join(' ');
  const section = (): string => `\n## ${some(1 + next(3))}\n\n${some(next(40))}\n`;
  const text = (): string => some(next(30)) + Array.from({ length: next(5) }, section).join('');
  return Object.fromEntries(Array.from({ length: 1 + next(30) }, (_, n) => [`d${n}`, [some(1 + next(4)), text()]]));
}

/** word → "document/section" → [in its heading, times in its text], by splitting at spaces and lines. */
function naiveIndex(guide: Written): Map<string, Map<string, [boolean, number]>> {
  const index = new Map<string, Map<string, [boolean, number]>>();
  const use = (text: string, place: string, change: (entry: [boolean, number]) => void): void => {
    for (const raw of text.split(/\s+/).filter((one) => one !== '')) {
      const word = raw
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC');
      const places = index.get(word) ?? index.set(word, new Map()).get(word);
      const entry = places?.get(place) ?? [false, 0];
      change(entry);
      places?.set(place, entry);
    }
  };
  for (const [name, [title, text]] of Object.entries(guide)) {
    const [first = '', ...others] = text.split('\n## ');
    use(title, `${uriOf(name)}/0`, (entry) => {
      entry[0] = true;
    });
    use(first, `${uriOf(name)}/0`, (entry) => {
      entry[1]++;
    });
    for (const [n, section] of others.entries()) {
      const [heading = '', ...lines] = section.split('\n');
      use(heading, `${uriOf(name)}/${n + 1}`, (entry) => {
        entry[0] = true;
      });
      use(lines.join('\n'), `${uriOf(name)}/${n + 1}`, (entry) => {
        entry[1]++;
      });
    }
  }
  return index;
}

test('every word stands where a naive index says, and no other word is there', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const guide = randomGuide(seed);
    const index = searchIndexOf(openBytes(searchedBytes(guide))) as SearchIndex;
    const expected = naiveIndex(guide);
    const words: string[] = [];
    const walk = index.dictionary.from(Buffer.alloc(0));
    while (walk.next()) {
      const word = walk.word();
      words.push(word);
      const list: PostingList = index.postings(walk.from, walk.to);
      const got = new Map(
        Array.from({ length: list.length }, (_, n) => {
          const section = list.sections[n] as number;
          const document = index.documentOf[section] as number;
          const place = `${index.key(document)}/${section - (index.firstSection[document] as number)}`;
          const uses = list.uses[n] as number;
          return [place, [(uses & 1) === 1, uses >> 1]];
        }),
      );
      assert.deepEqual(got, expected.get(word), `seed ${seed}: ${word}`);
    }
    const sorted = [...expected.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(words, sorted);
    for (const word of [...sorted, 'absent', 'w', '\u{10ffff}']) {
      assert.equal(index.dictionary.find(Buffer.from(word)) !== undefined, expected.has(word), word);
    }
  }
});

test('the same texts give the same bytes', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const guide = randomGuide(seed);
    assert.ok(indexWords(searchablesOf(guide)).equals(indexWords(searchablesOf(structuredClone(guide)))));
  }
});

test('an empty guide has an index, in which nothing is found', () => {
  const index = searchIndexOf(openBytes(searchedBytes({})));
  assert.equal(index?.documents, 0);
  assert.equal(index?.dictionary.from(Buffer.alloc(0)).next(), false);
});
