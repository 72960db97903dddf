// Pieces of the pages that the compiler writes, with the places in them where live data will be laid over: a
// count, and where further entries go. The places are known because each piece with one is rendered alone;
// they are never looked for in what authors wrote.

import type { Heading, RootContent } from 'mdast';
import { CUT } from '../runtime/format.ts';
import { heading, markdown, plain } from './markdown.ts';
import type { TextCut } from './render.ts';

/** Cuts are in characters of the text. */
export type Piece = { text: string; cuts: readonly TextCut[] };

const TITLES = { patterns: 'Patterns', rules: 'Business Rules', issues: 'Common Issues' } as const;

type Counted = keyof typeof TITLES;

export function piece(nodes: RootContent[]): Piece {
  return { text: markdown(nodes), cuts: [] };
}

/** A heading with a count, and what it counts. */
export function section(of: Counted, depth: Heading['depth'], count: number, entries: RootContent[]): Piece {
  const title = heading(depth, plain(`${TITLES[of]} (${count})`));
  const head = withCounts(markdown([title]), [[of, '(', count]]);
  const body = joined([head, ...(entries.length === 0 ? [] : [piece(entries)])]);
  return { ...body, cuts: [...body.cuts, { at: body.text.length, kind: CUT.entries, level: 0, label: of }] };
}

/** A text of our own in which each count follows the words given. */
export function withCounts(text: string, counts: [of: Counted, after: string, count: number][]): Piece {
  const cuts = counts.map(([label, after, count]) => {
    const digits = String(count);
    const at = text.indexOf(`${after}${digits}`) + after.length;
    if (at < after.length) throw new Error(`no count of ${label} in ${text}`);
    return { at, kind: CUT.count, level: digits.length, label };
  });
  return { text, cuts };
}

/** Pieces as blocks, one after the other. */
export function joined(pieces: readonly Piece[]): Piece {
  const cuts: TextCut[] = [];
  let text = '';
  for (const [n, part] of pieces.entries()) {
    if (n > 0) text += '\n\n';
    for (const cut of part.cuts) cuts.push({ ...cut, at: cut.at + text.length });
    text += part.text;
  }
  return { text, cuts };
}

/** A piece for those who may read, or call, what it needs; `parting` characters at its start part it from one before. */
export function needing(needs: string, part: string | Piece, parting = 0): Piece {
  const { text, cuts } = typeof part === 'string' ? { text: part, cuts: [] } : part;
  return { text, cuts: [{ at: 0, kind: CUT.fragment, level: parting, label: needs }, ...cuts] };
}

/** For everybody, after pieces that are not. */
export function always(part: string | Piece): Piece {
  return needing('', part);
}

/** What stands in the place of the pieces that follow for those who may read none of them. */
export function instead(text: string): Piece {
  return { text: '', cuts: [{ at: 0, kind: CUT.instead, level: 0, label: text }] };
}

/** How many pieces follow. */
export function numberOf(pieces: readonly unknown[]): Piece {
  const text = String(pieces.length);
  return { text, cuts: [{ at: 0, kind: CUT.number, level: text.length, label: '' }] };
}

/** Pieces one after the other, with nothing between. */
export function run(...pieces: readonly (string | Piece)[]): Piece {
  const cuts: TextCut[] = [];
  let text = '';
  for (const part of pieces) {
    if (typeof part !== 'string') for (const cut of part.cuts) cuts.push({ ...cut, at: cut.at + text.length });
    text += typeof part === 'string' ? part : part.text;
  }
  return { text, cuts };
}

/** Whether some of a text is for those alone who may read something else. */
export function dependsOnOthers(cut: TextCut, uri: string): boolean {
  return cut.kind === CUT.fragment && cut.label !== '' && cut.label !== '*' && cut.label !== uri;
}
