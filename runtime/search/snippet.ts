// Why a text matched, in a line or two: the stretch of a section that holds most of what was asked for.
// Where that is, is first guessed by plain string search, so that only a piece of a long section is taken
// apart word by word.

import { plainText } from './plain-text.ts';
import { runsOf } from './words.ts';

export type Snippet = { text: string; words: readonly string[] };

/** The words that were looked for, folded, and what each is worth. */
export type Weights = ReadonlyMap<string, number>;

type Match = { at: number; end: number; word: string };

const MOST_CHARACTERS = 200;
/** How far apart the words may stand that a snippet shows. */
const MOST_MATCHED = 140;
const MOST_WORDS = 16;
const PIECE_CHARACTERS = 400;
/** Of one word, in the search for the best piece. */
const MOST_GUESSES = 40;

export function snippet(section: string, weights: Weights): Snippet {
  const text = plainText(pieceOf(section, weights));
  const matches = matchesIn(text, weights);
  const best = bestStretch(matches, weights, MOST_MATCHED);
  const { at, end } = widened(text, best.at, best.end);
  const shown = matches.filter((match) => match.at >= at && match.end <= end);
  return {
    text: `${at > 0 ? '…' : ''}${text.slice(at, end).trim()}${end < text.length ? '…' : ''}`,
    words: surfaces(text, shown),
  };
}

/** The words that matched as they stand in a text. */
export function matchedWords(text: string, weights: Weights): readonly string[] {
  return surfaces(text, matchesIn(text, weights));
}

/** The piece of a section around the best stretch, from the start of a line or word. */
function pieceOf(section: string, weights: Weights): string {
  if (section.length <= PIECE_CHARACTERS * 1.5) return section;
  const guessed = guesses(section.toLowerCase(), weights);
  const matches = guessed.length > 0 ? guessed : matchesIn(section, weights);
  const { at, end } = bestStretch(matches, weights, MOST_MATCHED * 2);
  const from = Math.max(0, at - PIECE_CHARACTERS / 2);
  const line = section.lastIndexOf('\n', at) + 1;
  const space = section.indexOf(' ', from) + 1;
  const start = from === 0 ? 0 : line >= from ? line : space > 0 && space <= at ? space : at;
  const lastSpace = section.lastIndexOf(' ', end + PIECE_CHARACTERS);
  const stop = end + PIECE_CHARACTERS < section.length && lastSpace > end ? lastSpace : section.length;
  return `${start === line || start === 0 ? '' : '… '}${section.slice(start, stop)}${stop < section.length ? ' …' : ''}`;
}

function guesses(text: string, weights: Weights): Match[] {
  const found: Match[] = [];
  for (const word of weights.keys()) {
    let left = MOST_GUESSES;
    for (let at = text.indexOf(word); at >= 0 && left > 0; at = text.indexOf(word, at + word.length), left--) {
      const end = at + word.length;
      if (!isLetter(text, at - 1) && !isLetter(text, end)) found.push({ at, end, word });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** The stretch of so many characters that holds the most weight, each word counted once; the first of equals. */
function bestStretch(matches: readonly Match[], weights: Weights, most: number): { at: number; end: number } {
  let best = { weight: 0, at: 0, end: 0 };
  const held = new Map<string, number>();
  let weight = 0;
  let first = 0;
  for (const match of matches) {
    const count = held.get(match.word) ?? 0;
    if (count === 0) weight += weights.get(match.word) as number;
    held.set(match.word, count + 1);
    for (; match.end - (matches[first] as Match).at > most && matches[first] !== match; first++) {
      const { word } = matches[first] as Match;
      const left = (held.get(word) as number) - 1;
      held.set(word, left);
      if (left === 0) weight -= weights.get(word) as number;
    }
    if (weight > best.weight + 1e-9) best = { weight, at: (matches[first] as Match).at, end: match.end };
  }
  return best;
}

function matchesIn(text: string, weights: Weights): Match[] {
  const matches: Match[] = [];
  for (const { at, end, words } of runsOf(text)) {
    const word = words.find((spelling) => weights.has(spelling));
    if (word !== undefined) matches.push({ at, end, word });
  }
  return matches;
}

/** Pairs of characters that overlap are one surface. */
function surfaces(text: string, matches: readonly Match[]): string[] {
  const spans: { at: number; end: number }[] = [];
  for (const { at, end } of matches) {
    const last = spans.at(-1);
    if (last !== undefined && at < last.end) last.end = Math.max(last.end, end);
    else spans.push({ at, end });
  }
  return [...new Set(spans.map(({ at, end }) => text.slice(at, end)))].slice(0, MOST_WORDS);
}

/** A stretch with what stands around it, from one space to another. */
function widened(text: string, at: number, end: number): { at: number; end: number } {
  const room = Math.max(0, MOST_CHARACTERS - (end - at));
  let from = Math.max(0, at - Math.floor(room / 3));
  let to = Math.min(text.length, from + Math.max(MOST_CHARACTERS, end - at));
  from = Math.max(0, Math.min(from, to - MOST_CHARACTERS));
  const before = text.indexOf(' ', from);
  if (from > 0) from = before >= 0 && before < at ? before + 1 : at;
  const after = text.lastIndexOf(' ', to);
  if (to < text.length && after >= end && after > from) to = after;
  if (isSecondHalf(text, to)) to--;
  return { at: from, end: to };
}

/** Whether a cut here would part the two halves of one character. */
function isSecondHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
