// The counted words of all texts to the section `find`: every word with the sections that hold it. The
// first section of a text, before any heading, has the title for its own. Postings are laid down text by
// text, as they come, and brought into the order of their words at the end.

import { encodeFind, type Posting, pushPosting } from '../runtime/search/postings-format.ts';
import { ByteList } from './byte-list.ts';
import { countTitle } from './count-words.ts';
import { type Counted, PostingWalk, wordsOf } from './counted.ts';

export type Searchable = {
  /** The key of its record: a canonical URI, or a name such as `prompt/x`. */
  key: string;
  title: string;
  counted: Counted;
};

/** A word while its postings grow: the section of the last one, how many bytes they have, and where those will stand. */
type Growing = { word: string; last: number; bytes: number; at: number };

export function indexWords(searchables: readonly Searchable[]): Buffer {
  const postings = new Postings();
  const documents: { key: string; section: number; title: number; headings: number; body: number }[] = [];
  const sectionLengths: number[] = [];
  for (const { key, title, counted } of searchables) {
    const section = sectionLengths.length;
    const ofTitle = countTitle(title);
    postings.addText(section, counted, usesOf(ofTitle));
    let body = 0;
    for (const length of counted.lengths) {
      sectionLengths.push(length);
      body += length;
    }
    documents.push({ key, section, title: ofTitle.headings, headings: counted.headings, body });
  }
  const { words, bytes } = postings.sorted();
  return encodeFind(documents, sectionLengths, words, bytes);
}

class Postings {
  readonly #words = new Map<string, Growing>();
  readonly #tables = new Map<readonly string[], Growing[]>();
  readonly #bytes = new ByteList();
  /** Of each run of postings that belong to one word: the word, and where the run ends. */
  readonly #owners: Growing[] = [];
  readonly #ends: number[] = [];

  /** Adds the words of a text and its title; `first` is its first section. */
  addText(first: number, counted: Counted, title: Map<string, Posting>): void {
    const walk = new PostingWalk(counted);
    const known = this.#knownOf(counted);
    for (const number of counted.words.numbers) {
      const growing = known[number] ?? this.#learn(counted, known, number);
      const inTitle = title.size === 0 ? undefined : title.get(growing.word);
      for (let left = walk.nextWord(), isFirst = true; left > 0; left--, isFirst = false) {
        walk.next();
        if (isFirst && inTitle !== undefined) {
          title.delete(growing.word);
          if (walk.section > 0) this.#add(growing, first, inTitle);
          else {
            walk.inHeading ||= inTitle.inHeading;
            walk.count += inTitle.count;
          }
        }
        this.#add(growing, first, walk);
      }
      this.#endRun(growing);
    }
    for (const [word, inTitle] of title) {
      const growing = this.#growing(word);
      this.#add(growing, first, inTitle);
      this.#endRun(growing);
    }
  }

  /** The words in the order of their bytes, and their postings in the same order. */
  sorted(): { words: { word: Buffer; postingBytes: number }[]; bytes: Uint8Array } {
    const sorted = [...this.#words.values()].map((growing) => ({ growing, word: Buffer.from(growing.word, 'utf8') }));
    sorted.sort((a, b) => a.word.compare(b.word));
    let at = 0;
    for (const { growing } of sorted) {
      growing.at = at;
      at += growing.bytes;
    }
    return {
      words: sorted.map(({ growing, word }) => ({ word, postingBytes: growing.bytes })),
      bytes: this.#bytesInOrder(),
    };
  }

  #bytesInOrder(): Uint8Array {
    const from = this.#bytes.view();
    const bytes = new Uint8Array(from.length);
    let read = 0;
    for (let n = 0; n < this.#owners.length; n++) {
      const growing = this.#owners[n] as Growing;
      const end = this.#ends[n] as number;
      while (read < end) bytes[growing.at++] = from[read++] as number;
    }
    return bytes;
  }

  #add(growing: Growing, first: number, posting: Posting): void {
    pushPosting(this.#bytes, growing.last - first, posting);
    growing.last = first + posting.section;
  }

  #endRun(growing: Growing): void {
    growing.bytes += this.#bytes.length - (this.#ends.at(-1) ?? 0);
    this.#owners.push(growing);
    this.#ends.push(this.#bytes.length);
  }

  /** By the numbers of a text's table; what has not been met yet is missing. */
  #knownOf({ words: { table } }: Counted): Growing[] {
    let known = this.#tables.get(table);
    if (known === undefined) {
      known = [];
      this.#tables.set(table, known);
    }
    return known;
  }

  #learn({ words: { table } }: Counted, known: Growing[], number: number): Growing {
    const growing = this.#growing(table[number] as string);
    known[number] = growing;
    return growing;
  }

  #growing(word: string): Growing {
    let growing = this.#words.get(word);
    if (growing === undefined) {
      growing = { word, last: -1, bytes: 0, at: 0 };
      this.#words.set(word, growing);
    }
    return growing;
  }
}

/** The words of a title, each with its use. */
function usesOf(title: Counted): Map<string, Posting> {
  const walk = new PostingWalk(title);
  return new Map(
    wordsOf(title).map((word) => {
      walk.nextWord();
      walk.next();
      return [word, { section: 0, inHeading: walk.inHeading, count: walk.count }];
    }),
  );
}
