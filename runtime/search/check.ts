// Everything about a search index that can be checked without its sources: blocks, order, bounds, and that
// each text it names is there with as many sections. For `verify`, which names all that is wrong.

import type { Bundle } from '../bundle.ts';
import { BLOCK_BYTES, BundleError, CUT } from '../format.ts';
import { MOST_WORD_BYTES } from './dictionary.ts';
import { postingRoom } from './postings-format.ts';
import { SearchIndex } from './search-index.ts';
import { sumsOf } from './visible.ts';

/** Of postings that are decoded to one place, one word after the other; most words have fewer. */
const ROOM_BYTES = 1 << 12;

export function searchFaults(bundle: Bundle): string[] {
  const faults = new Set<string>();
  const check = (look: () => void): void => {
    try {
      look();
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      faults.add(error.message);
    }
  };
  check(() => {
    const sealed = bundle.findSearch();
    if (sealed === undefined) return;
    for (let at = 0; at < sealed.length; at += BLOCK_BYTES) check(() => void sealed.slice(at, at + 1));
    if (faults.size > 0) return;
    const index = new SearchIndex(sealed);
    if (!hasItsSums(index)) faults.add('A check of the search index failed: its sums.');
    checkWords(index, (what) => faults.add(`A check of the search index failed: ${what}`));
    for (let n = 0; n < index.documents; n++) {
      check(() => {
        if (!hasItsSections(bundle, index, n))
          faults.add(`${index.key(n)}: the search index knows other sections of it.`);
      });
    }
  });
  return [...faults];
}

function checkWords(index: SearchIndex, fault: (what: string) => void): void {
  const before = Buffer.alloc(MOST_WORD_BYTES);
  let beforeLength = 0;
  const walk = index.dictionary.from(Buffer.alloc(0));
  const room = postingRoom(ROOM_BYTES);
  while (walk.next()) {
    if (before.compare(walk.letters, 0, walk.length, 0, beforeLength) >= 0) fault('its words are out of order.');
    const fits = walk.to - walk.from <= ROOM_BYTES;
    if (index.postings(walk.from, walk.to, fits ? room : undefined).length === 0)
      fault(`nobody has the word ${walk.word()}.`);
    beforeLength = walk.letters.copy(before, 0, 0, walk.length);
  }
}

function hasItsSums(index: SearchIndex): boolean {
  const { sections, title, headings, body } = sumsOf(index);
  const { documents, lengths } = index;
  const stated = [index.sections, lengths.title[documents], lengths.headings[documents], lengths.body[documents]];
  return [sections, title, headings, body].every((sum, n) => sum === stated[n]);
}

/** A damaged record is not the index's fault, and has been named by itself. */
function hasItsSections(bundle: Bundle, index: SearchIndex, n: number): boolean {
  const key = index.key(n);
  try {
    const headings = bundle.findWhole(key)?.cuts.filter(({ kind }) => kind === CUT.heading);
    return (
      headings !== undefined &&
      headings.length + 1 === (index.firstSection[n + 1] as number) - (index.firstSection[n] as number)
    );
  } catch (error) {
    if (error instanceof BundleError) return true;
    throw error;
  }
}
