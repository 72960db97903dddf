// What a word is, the same for the compiler that indexes and the reader that is asked: letters, marks
// and digits in a row, folded to one spelling. Identifiers also count by their parts, dotted numbers
// also whole, and scripts that write no spaces by pairs of characters.

/** Longer runs are keys and digests, which nobody types and which fill a dictionary. */
export const MOST_LETTERS = 64;

const RUN = /[\p{L}\p{N}\p{M}]+(?:\.\d+)*/gu;
const ASCII = /^[\0-\x7f]*$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A place where words stand: `words` are all the spellings under which it is found, the whole first. */
export type Run = { at: number; end: number; words: readonly string[] };

/** The runs of a text, in order. */
export function* runsOf(text: string): Generator<Run> {
  RUN.lastIndex = 0;
  for (const match of text.matchAll(RUN)) {
    yield { at: match.index, end: match.index + match[0].length, words: spellings(match[0]) };
  }
}

/** One spelling for words that people take for the same: compatible forms and cases are folded. */
export function fold(word: string): string {
  return ASCII.test(word) ? word.toLowerCase() : word.normalize('NFKC').toLowerCase();
}

function spellings(run: string): string[] {
  if (ASCII.test(run)) return run.includes('.') ? dotted(run) : humps(run);
  const pieces = run.includes('.') ? run.split('.') : [run];
  return pieces.flatMap((piece) => (UNSPACED.test(piece) ? pairs(fold(piece)) : short(fold(piece))));
}

function dotted(run: string): string[] {
  return [...short(run.toLowerCase()), ...run.split('.').flatMap(humps)];
}

function humps(run: string): string[] {
  const whole = short(run.toLowerCase());
  const parts = run.split(HUMP);
  return parts.length === 1 ? whole : [...whole, ...parts.flatMap((part) => short(part.toLowerCase()))];
}

/** Each two neighbours, and the last character alone, so that every character starts some word. */
function pairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, n) => character + (characters[n + 1] ?? ''));
}

function short(word: string): string[] {
  return word.length > MOST_LETTERS ? [] : [word];
}
