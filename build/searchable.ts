// Entries to what can be searched: title, text, and the headings that its cuts name.

import { CUT } from '../runtime/format.ts';
import type { Searchable } from './index-words.ts';
import type { Entry } from './render.ts';
import { headingText } from './slug.ts';

/** A document that several categories hold is found once; what is not text is not found. */
export function isSearched({ uri, isListed, blob }: Entry): boolean {
  return (isListed || uri.startsWith('prompt/')) && blob === undefined;
}

export function searchable({ uri, title, text, cuts }: Entry): Searchable {
  const sections = cuts
    .filter(({ kind }) => kind === CUT.heading)
    .map(({ at, level, label }) => ({ at, level, text: headingLine(text, at), anchor: label }));
  return { key: uri, title, text, sections };
}

function headingLine(text: string, at: number): string {
  const newline = text.indexOf('\n', at);
  return headingText(text.slice(at, newline < 0 ? text.length : newline));
}
