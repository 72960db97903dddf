// A search in what the bundle does not hold: discoveries, each one short text. Their words are looked up in an
// index made here, their scores are of the kind that the bundle's texts get, so that both can stand in one list.

import type { LiveText } from '../sessions/overlay.ts';
import { MEANING, type Meant } from './meant.ts';
import { plainText } from './plain-text.ts';
import { RANKING } from './rank.ts';
import type { Hit } from './search.ts';
import { snippet } from './snippet.ts';
import { stem } from './stem.ts';
import { runsOf } from './words.ts';

type Scored = { score: number; n: number };

const PREFIX_LETTERS = 3;

export class Beside {
  readonly #texts: readonly LiveText[];
  /** By word, the texts that have it, as often as they do. */
  readonly #uses = new Map<string, number[]>();
  readonly #stems = new Map<string, string[]>();

  constructor(texts: readonly LiveText[]) {
    this.#texts = texts;
    for (const [n, text] of texts.entries()) {
      for (const { words } of runsOf(wordsOf(text))) for (const word of words) this.#add(word, n);
    }
  }

  #add(word: string, n: number): void {
    const known = this.#uses.get(word);
    if (known !== undefined) {
      known.push(n);
      return;
    }
    this.#uses.set(word, [n]);
    const root = stem(word);
    const alike = this.#stems.get(root);
    if (alike === undefined) this.#stems.set(root, [word]);
    else alike.push(word);
  }

  /** Whether a word is used here, or, if it may be the start of one, a word that starts so. */
  has(word: string, isStart: boolean): boolean {
    return this.#uses.has(word) || (isStart && this.#startedBy(word).length > 0);
  }

  /** The best first, of equal ones the newest. */
  best(
    meanings: readonly Meant[],
    limit: number,
    accepts: (key: string) => boolean,
  ): { best: Scored[]; total: number } {
    const scores = new Map<number, number>();
    const held = new Map<number, number>();
    const whole = meanings.reduce((sum, { idf }) => sum + idf, 0);
    for (const [place, meaning] of meanings.entries()) {
      const often = new Map<number, number>();
      for (const [word, weight] of this.#senses(meaning, place === meanings.length - 1)) {
        for (const n of this.#uses.get(word) ?? []) often.set(n, (often.get(n) ?? 0) + weight);
      }
      for (const [n, count] of often) {
        scores.set(n, (scores.get(n) ?? 0) + (meaning.idf * count) / (RANKING.saturation + count));
        held.set(n, (held.get(n) ?? 0) + (meaning.idf * Math.min(1, count)) / whole);
      }
    }
    const all = [...scores]
      .filter(([n]) => accepts((this.#texts[n] as LiveText).uri))
      .map(([n, score]) => ({ n, score: score + whole * RANKING.sectionCover * (held.get(n) as number) ** 3 }));
    all.sort((a, b) => b.score - a.score || b.n - a.n);
    return { best: all.slice(0, limit), total: all.length };
  }

  hit({ n, score }: Scored, meanings: readonly Meant[]): Hit {
    const text = this.#texts[n] as LiveText;
    const { type, session } = text.shown;
    const weights = new Map(
      meanings.flatMap((meaning, place) =>
        [...this.#senses(meaning, place === meanings.length - 1)].map(
          ([word, weight]) => [word, meaning.idf * weight] as const,
        ),
      ),
    );
    const found = snippet(wordsOf(text), weights);
    return {
      key: text.uri,
      score,
      heading: `${type.charAt(0).toUpperCase()}${type.slice(1)} (Session: ${session})`,
      snippet: found.text,
      words: found.words,
    };
  }

  /** The words used here that a word of the query may mean, and how much each counts. */
  #senses({ asked, senses }: Meant, isLast: boolean): Map<string, number> {
    const isOpen = isLast && !this.#uses.has(asked) && senses.every(({ word }) => word.startsWith(asked));
    const found = new Map<string, number>(isOpen ? this.#startedBy(asked).map((word) => [word, MEANING.prefix]) : []);
    for (const word of this.#stems.get(stem(asked)) ?? []) found.set(word, MEANING.lostStemInTexts);
    for (const { word, inTexts } of senses) if (this.#uses.has(word)) found.set(word, inTexts);
    if (this.#uses.has(asked)) found.set(asked, 1);
    return found;
  }

  #startedBy(start: string): string[] {
    if (start.length < PREFIX_LETTERS) return [];
    return [...this.#uses.keys()].filter((word) => word.startsWith(start));
  }
}

function wordsOf({ shown: { content, solution } }: LiveText): string {
  return plainText(solution === undefined ? content : `${content} — ${solution}`);
}

const made = new WeakMap<readonly LiveText[], Beside>();

/** Keep the list, and its index is kept too. */
export function besideOf(texts: readonly LiveText[]): Beside {
  let beside = made.get(texts);
  if (beside === undefined) {
    beside = new Beside(texts);
    made.set(texts, beside);
  }
  return beside;
}
