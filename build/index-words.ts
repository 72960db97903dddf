// Searchable texts to the section `find`: every word with the sections that hold it. A section is what
// stands under one heading; the first of a text, before any heading, has the title for its own.

import { encodeFind, type IndexedWord, type Posting } from '../runtime/search/postings-format.ts';
import { runsOf } from '../runtime/search/words.ts';

export type Searchable = {
  /** The key of its record: a canonical URI, or a name such as `prompt/x`. */
  key: string;
  title: string;
  text: string;
  /** Its headings in order, one for each heading cut of the record; `at` is where the heading starts. */
  sections: readonly { at: number; level: number; text: string; anchor: string }[];
};

/** The postings of one word while they grow; sections come in order. */
type Growing = Posting[];

type Lengths = { title: number; headings: number; body: number };

export function indexWords(searchables: readonly Searchable[]): Buffer {
  const words = new Map<string, Growing>();
  const documents: (Lengths & { key: string; section: number })[] = [];
  const sectionLengths: number[] = [];
  for (const { key, title, text, sections } of searchables) {
    const first = sectionLengths.length;
    const headings = [title, ...sections.map(({ text: heading }) => heading)];
    const lengths = { title: 0, headings: 0, body: 0 };
    for (const [n, heading] of headings.entries()) {
      const from = n === 0 ? 0 : afterLine(text, sections[n - 1]?.at ?? 0);
      const to = Math.max(from, sections[n]?.at ?? text.length);
      const section = sectionLengths.length;
      const inHeading = addWords(words, heading, section, true);
      if (n === 0) lengths.title = inHeading;
      else lengths.headings += inHeading;
      const inText = addWords(words, text.slice(from, to), section, false);
      lengths.body += inText;
      sectionLengths.push(inText);
    }
    documents.push({ key, section: first, ...lengths });
  }
  const sorted = [...words].map(([word, postings]): IndexedWord => ({ word: Buffer.from(word, 'utf8'), postings }));
  sorted.sort((a, b) => a.word.compare(b.word));
  return encodeFind(documents, sectionLengths, sorted);
}

/** Adds the words of a stretch of a section; gives how many runs it had, of a heading how many different ones. */
function addWords(words: Map<string, Growing>, text: string, section: number, inHeading: boolean): number {
  let count = 0;
  const seen = new Set<string>();
  for (const run of runsOf(text)) {
    count++;
    for (const [n, word] of run.words.entries()) {
      const posting = postingOf(words, word, section);
      // Parts of an identifier count as words of the text: a heading is covered by its whole words only.
      if (inHeading && n === 0) posting.inHeading = true;
      else posting.count++;
      if (inHeading && n === 0) seen.add(word);
    }
  }
  return inHeading ? seen.size : count;
}

function postingOf(words: Map<string, Growing>, word: string, section: number): Posting {
  let postings = words.get(word);
  if (postings === undefined) {
    postings = [];
    words.set(word, postings);
  }
  let last = postings.at(-1);
  if (last?.section !== section) {
    last = { section, inHeading: false, count: 0 };
    postings.push(last);
  }
  return last;
}

/** Where the line after a heading's starts: its words count as the heading's alone. */
function afterLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}
