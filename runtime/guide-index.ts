// The guide's tables in a bundle: which documents a category or collection has, found by path or by
// pattern. Paths of a category are sorted by their bytes, so a literal prefix is a short run of them.

import type { Bundle } from './bundle.ts';
import { type Group, unescapeText } from './format.ts';
import { compileGlob, GlobError, isGlob } from './glob.ts';
import type { DocRow } from './rows.ts';
import { categoryUri, collectionUri } from './uri.ts';

export type Names = { categories: readonly string[]; collections: readonly string[] };

/** A document as the tables know it: its row number and its path. */
export type Found = { n: number; path: string };

type Accepts = (found: Found) => boolean;
const EVERY: Accepts = () => true;

/** Paths compared, alternatives counted: a second at the worst. */
const MOST_MATCHES = 2_000_000;
const TOO_BROAD = 'It has too many alternatives for so many documents; start it with the name of a folder.';

const EXTENSIONS = ['.md', '.markdown', '.txt'];

export class GuideIndex {
  readonly #bundle: Bundle;
  #names: Names | undefined;

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  category(name: string): Group | undefined {
    return this.#bundle.findGroup(categoryUri(name));
  }

  collection(id: string): Group | undefined {
    return this.#bundle.findGroup(collectionUri(id));
  }

  /** Every category and collection; decoded once. */
  names(): Names {
    const text = this.#names === undefined ? this.#bundle.findText('guide') : undefined;
    this.#names ??= text === undefined ? { categories: [], collections: [] } : JSON.parse(unescapeText(text.stored));
    return this.#names as Names;
  }

  row(n: number): DocRow {
    return this.#bundle.document(n);
  }

  path(n: number): string {
    return this.#bundle.documentPath(n).toString('utf8');
  }

  /** What a category answers with by default, or what a collection holds, by path. */
  chosen(group: Group): Found[] {
    const found: Found[] = [];
    for (let at = group.refsFrom; at < group.refsTo; at++) found.push(this.#found(this.#bundle.reference(at)));
    return found;
  }

  /** The one document of a category, of those that are accepted, that a docId names, its extension left out or not. */
  exact(group: Group, docId: string, accepts: Accepts = EVERY): Found | undefined {
    const accepted = (found: Found | undefined): Found | undefined =>
      found !== undefined && accepts(found) ? found : undefined;
    return chooseExact(
      docId,
      (path) => accepted(this.#at(group, path)),
      () => this.#ofStem(group, docId).filter(accepts),
    );
  }

  /** The same in a collection, whose documents come from several categories. */
  exactChosen(group: Group, docId: string, accepts: Accepts = EVERY): Found | undefined {
    const chosen = this.chosen(group).filter(accepts);
    const ofStem = (): Found[] => chosen.filter(({ path }) => isOfStem(path, docId));
    return chooseExact(docId, (path) => chosen.find((found) => found.path === path), ofStem);
  }

  /** Exact, then the files of that stem, then those that the docId matches as a pattern; by path, once. */
  matching(group: Group, docId: string): Found[] {
    const found = new Map<number, Found>();
    const take = (one: Found | undefined): void => {
      if (one !== undefined) found.set(one.n, one);
    };
    take(this.exact(group, docId));
    if (!hasExtension(docId)) for (const one of this.#ofStem(group, docId)) take(one);
    if (isGlob(docId)) {
      const globs = [docId, ...(hasExtension(docId) ? [] : [`${docId}.*`])].map((pattern) => compileGlob(pattern));
      const work = globs.reduce((sum, { alternatives }) => sum + alternatives, 0);
      let left = MOST_MATCHES;
      for (const one of this.withPrefix(group, globs[0]?.prefix ?? '')) {
        left -= work;
        if (left < 0) throw new GlobError(TOO_BROAD);
        if (globs.some((glob) => glob.matches(one.path))) take(one);
      }
    }
    return [...found.values()].sort((a, b) => a.n - b.n);
  }

  /** Documents of a category whose paths start with `prefix`, in order. */
  *withPrefix(group: Group, prefix: string): Generator<Found> {
    const wanted = Buffer.from(prefix, 'utf8');
    for (let n = this.#lowerBound(group, wanted); n < group.docsTo; n++) {
      const bytes = this.#bundle.documentPath(n);
      if (wanted.length > 0 && bytes.compare(wanted, 0, wanted.length, 0, Math.min(bytes.length, wanted.length)) !== 0)
        return;
      yield { n, path: bytes.toString('utf8') };
    }
  }

  /** At most so many documents of a group, those next to where a path would stand. */
  around(group: Group, path: string, most: number): Found[] {
    if (group.docsFrom === group.docsTo) return this.chosen(group).slice(0, most);
    const middle = this.#lowerBound(group, Buffer.from(path, 'utf8'));
    const first = Math.max(group.docsFrom, Math.min(middle - (most >> 1), group.docsTo - most));
    const found: Found[] = [];
    for (let n = first; n < Math.min(group.docsTo, first + most); n++) found.push(this.#found(n));
    return found;
  }

  #ofStem(group: Group, docId: string): Found[] {
    return [...this.withPrefix(group, `${docId}.`)].filter(({ path }) => isOfStem(path, docId));
  }

  #at(group: Group, path: string): Found | undefined {
    const wanted = Buffer.from(path, 'utf8');
    const n = this.#lowerBound(group, wanted);
    return n < group.docsTo && this.#bundle.documentPath(n).equals(wanted) ? { n, path } : undefined;
  }

  /** The first document whose path is not before `wanted`. */
  #lowerBound(group: Group, wanted: Buffer): number {
    let low = group.docsFrom;
    let high = group.docsTo;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#bundle.documentPath(middle).compare(wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #found(n: number): Found {
    return { n, path: this.path(n) };
  }
}

function chooseExact(docId: string, at: (path: string) => Found | undefined, ofStem: () => Found[]): Found | undefined {
  const exact = at(docId);
  if (exact !== undefined || hasExtension(docId)) return exact;
  for (const extension of EXTENSIONS) {
    const found = at(docId + extension);
    if (found !== undefined) return found;
  }
  const [only, another] = ofStem();
  return another === undefined ? only : undefined;
}

/** `v1.29` has none: an extension starts with a letter. */
export function hasExtension(docId: string): boolean {
  return /\.[a-z][^./]*$/i.test(docId);
}

/** `intro.html` is of the stem `intro`; `intro/a.md` is not. */
function isOfStem(path: string, stem: string): boolean {
  return path.startsWith(`${stem}.`) && !path.includes('/', stem.length);
}
