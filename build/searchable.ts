// Entries to what can be searched: title and counted words. Those of a document were counted when it was
// examined; pages that the compiler itself writes are counted here.

import { CUT } from '../runtime/format.ts';
import { countWords } from './count-words.ts';
import type { Searchable } from './index-words.ts';
import { dependsOnOthers } from './pieces.ts';
import type { Entry } from './render.ts';

/** A document that several categories hold is found once; what is not text is not found. */
export function isSearched({ uri, isListed, isLive, blob }: Entry): boolean {
  return (isListed || uri.startsWith('prompt/')) && blob === undefined && isLive === undefined;
}

export function searchable({ uri, title, text, cuts, counted }: Entry): Searchable {
  return { key: uri, title, counted: counted ?? countWords({ text, from: 0, headings: headingsIn(cuts) }) };
}

/** Where agents may not read all the same: what depends on something else is found there alone. */
export function searchableApart(entry: Entry): Searchable {
  return searchable({ ...entry, text: ownText(entry) });
}

function ownText({ uri, text, cuts }: Entry): string {
  const fragments = cuts.filter(({ kind }) => kind === CUT.fragment);
  if (!fragments.some((cut) => dependsOnOthers(cut, uri))) return text;
  return fragments
    .map((cut, n) => (dependsOnOthers(cut, uri) ? '' : text.slice(cut.at, fragments[n + 1]?.at)))
    .join(' ');
}

function headingsIn(cuts: Entry['cuts']): number[] {
  return cuts.flatMap(({ kind, at }) => (kind === CUT.heading ? [at] : []));
}
