// How often each word stands in each section of one text. It follows from the text alone, so that it is
// counted in the threads and kept in the cache; index-words puts the counts of all texts together. A
// document is counted as its author wrote it: where a link leads has words that tell what it is about.

import { pushPosting, pushVarint } from '../runtime/search/postings-format.ts';
import { spellings } from '../runtime/search/words.ts';
import type { Counted } from './counted.ts';
import { eachRun } from './scan-words.ts';
import { headingText } from './slug.ts';

/** A text from `from` on, after its front matter; `headings` is where its headings start, in order. */
export type Countable = { text: string; from: number; headings: readonly number[] };

/** The uses of one word: those in the section at hand, and the postings of the sections before it. */
type Uses = {
  section: number;
  inHeading: boolean;
  count: number;
  before: number;
  postings: number;
  bytes: number[];
};

/** Of a run of letters: of its whole spelling, unless that is too long, and of its parts. */
type RunUses = { whole: Uses | undefined; parts: readonly Uses[] };

export function countWords({ text, from, headings }: Countable): Counted {
  const counter = new Counter();
  const lengths: number[] = [];
  let inHeadings = 0;
  for (let section = 0; section <= headings.length; section++) {
    const heading = headings[section - 1];
    const start = heading === undefined ? from : afterLine(text, heading);
    if (heading !== undefined)
      inHeadings += counter.addHeading(section, headingText(text.slice(heading, start).trimEnd()));
    const end = Math.max(start, headings[section] ?? text.length);
    lengths.push(counter.addText(section, text.slice(start, end)));
  }
  return { ...counter.result(), lengths, headings: inHeadings };
}

/** The words of a title: as of the heading of section 0. */
export function countTitle(title: string): Counted {
  const counter = new Counter();
  const headings = counter.addHeading(0, title);
  return { ...counter.result(), lengths: [], headings };
}

class Counter {
  readonly #uses = new Map<string, Uses>();
  readonly #runs = new Map<string, RunUses>();

  /** Gives how many words the text has. */
  addText(section: number, text: string): number {
    let count = 0;
    eachRun(text, (run, words) => {
      count++;
      const { whole, parts } = this.#usesOf(run, words);
      if (whole !== undefined) usesIn(whole, section).count++;
      for (const part of parts) usesIn(part, section).count++;
    });
    return count;
  }

  /** Gives how many different words it has. Parts of an identifier count as words of the text: a heading is covered by its whole words only. */
  addHeading(section: number, heading: string): number {
    const different = new Set<Uses>();
    eachRun(heading, (run, words) => {
      const { whole, parts } = this.#usesOf(run, words);
      if (whole !== undefined) {
        usesIn(whole, section).inHeading = true;
        different.add(whole);
      }
      for (const part of parts) usesIn(part, section).count++;
    });
    return different.size;
  }

  result(): Pick<Counted, 'words' | 'postings'> {
    const bytes: number[] = [];
    for (const uses of this.#uses.values()) {
      endSection(uses);
      pushVarint(bytes, uses.postings);
      for (const byte of uses.bytes) bytes.push(byte);
    }
    const table = [...this.#uses.keys()];
    return { words: { table, numbers: Uint32Array.from(table.keys()) }, postings: Uint8Array.from(bytes) };
  }

  #usesOf(run: string, words: readonly string[] | undefined): RunUses {
    if (words !== undefined) return this.#usesOfWords(words);
    let known = this.#runs.get(run);
    if (known === undefined) {
      known = this.#usesOfWords(spellings(run));
      this.#runs.set(run, known);
    }
    return known;
  }

  #usesOfWords(words: readonly string[]): RunUses {
    const [whole, ...parts] = words.map((word) => this.#usesOfWord(word));
    return { whole, parts };
  }

  #usesOfWord(word: string): Uses {
    let uses = this.#uses.get(word);
    if (uses === undefined) {
      uses = { section: -1, inHeading: false, count: 0, before: -1, postings: 0, bytes: [] };
      this.#uses.set(word, uses);
    }
    return uses;
  }
}

/** The uses of a word, ready to be added to in a section; sections come in order. */
function usesIn(uses: Uses, section: number): Uses {
  if (uses.section === section) return uses;
  endSection(uses);
  uses.section = section;
  return uses;
}

function endSection(uses: Uses): void {
  if (uses.section < 0) return;
  pushPosting(uses.bytes, uses.before, uses);
  uses.before = uses.section;
  uses.postings++;
  uses.inHeading = false;
  uses.count = 0;
}

/** Where the line after a heading's starts: its words count as the heading's alone. */
function afterLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}
