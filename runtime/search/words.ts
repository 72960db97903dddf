// What a word is, the same for the compiler that indexes and the reader that is asked: letters, marks
// and digits in a row, folded to one spelling. Identifiers also count by their parts, dotted numbers
// also whole, and scripts that write no spaces by pairs of characters.

/** Longer runs are keys and digests, which nobody types and which fill a dictionary. */
const MOST_LETTERS = 64;

/** Cheap to make, and so wide that only what is not ASCII needs the exact one, which costs a first search more. */
const PERHAPS = /[A-Za-z0-9\u00aa\u00b2-\u1fff\u2060-\uffff]+(?:\.\d+)*/g;
const RUN = /[\p{L}\p{N}\p{M}]+(?:\.\d+)*/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const SIMPLE = /^[A-Z]?[a-z0-9]*$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/;
const ACCENTS = /[\u0300-\u036f]/g;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A place where a word stands, and the spellings under which it is found: the whole first, then its parts. */
export type Run = { at: number; end: number; words: readonly string[] };

/** The runs of a text, in order; only pairs of characters overlap. */
export function* runsOf(text: string): Generator<Run> {
  for (const { 0: run, index: at } of text.matchAll(PERHAPS)) {
    if (!NOT_ASCII.test(run)) yield { at, end: at + run.length, words: spellings(run) };
    else for (const match of run.matchAll(RUN)) yield* otherRuns(match[0], at + match.index);
  }
}

function* otherRuns(run: string, at: number): Generator<Run> {
  if (!NOT_ASCII.test(run)) yield { at, end: at + run.length, words: spellings(run) };
  else if (UNSPACED.test(run)) yield* pairs(run, at);
  else yield { at, end: at + run.length, words: short(fold(run)) };
}

/** Compatible forms, cases and accents are one spelling; marks that make other letters stay. */
function fold(word: string): string {
  return word.toLowerCase().normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

/** Each two neighbours, and the last character alone, so that every character starts some word. */
function* pairs(run: string, start: number): Generator<Run> {
  const characters = [...run];
  let at = start;
  for (const [n, character] of characters.entries()) {
    const pair = character + (characters[n + 1] ?? '');
    yield { at, end: at + pair.length, words: short(fold(pair)) };
    at += character.length;
  }
}

/** Of a run of ASCII letters and digits. */
export function spellings(run: string): string[] {
  const whole = short(run.toLowerCase());
  if (SIMPLE.test(run)) return whole;
  const parts = run.split('.').flatMap((piece) => piece.split(HUMP));
  return parts.length === 1 ? whole : [...whole, ...parts.flatMap((part) => short(part.toLowerCase()))];
}

function short(word: string): string[] {
  return word.length > MOST_LETTERS ? [] : [word];
}
