// Texts of the bundle as one agent sees them. Pages that name other resources are stored as fragments, each with
// what it depends on; what depends on something that may not be read is left out, and counts are those of the rest.

import type { Bundle, StoredText, Whole } from './bundle.ts';
import { CUT, type Cut, unescapeText } from './format.ts';
import { pagesOf } from './made-pages.ts';
import { readSettings } from './settings.ts';
import { damaged } from './table.ts';
import { categoryUri, MODULE_PREFIX } from './uri.ts';
import { HELP_URI, OVERVIEW_URI } from './ways-in.ts';

/** Whether what a fragment depends on may be read, or called. */
type Shows = (label: string) => boolean;

/** A fragment that is shown with what follows it. */
const WITH_NEXT = '*';
const NOT_PAGED = Number.POSITIVE_INFINITY;

export class Seen {
  readonly #bundle: Bundle;
  readonly #shows: Shows;
  /** Undefined: nothing of it is left out. */
  readonly #known = new Map<string, { whole: Whole; pages: readonly StoredText[] } | undefined>();

  constructor(bundle: Bundle, shows: Shows) {
    this.#bundle = bundle;
    this.#shows = shows;
  }

  /** As Bundle.findText. */
  findText(key: string, page = 1): StoredText | undefined {
    const made = this.#made(key);
    return made === undefined ? this.#bundle.findText(key, page) : made.pages[page - 1];
  }

  /** As Bundle.findWhole; without cuts of pages where something is left out. */
  findWhole(key: string): Whole | undefined {
    return this.#made(key)?.whole ?? this.#bundle.findWhole(key);
  }

  #made(key: string): { whole: Whole; pages: readonly StoredText[] } | undefined {
    if (!isOurs(key)) return undefined;
    if (this.#known.has(key)) return this.#known.get(key);
    const stored = this.#bundle.findWhole(key);
    // Keys come from requests: only those that lead to something are kept.
    if (stored === undefined) return undefined;
    const whole = shownPart(stored, this.#shows);
    const made = whole === undefined ? undefined : { whole, pages: this.#pages(key, whole) };
    this.#known.set(key, made);
    return made;
  }

  #pages(key: string, { stored }: Whole): readonly StoredText[] {
    return pagesOf(key, textOf(stored), this.#limit(key));
  }

  #limit(key: string): number {
    const { limits } = readSettings(this.#bundle);
    if (key === OVERVIEW_URI) return limits.overview;
    if (key.startsWith(MODULE_PREFIX)) return limits.module;
    if (key !== HELP_URI) return NOT_PAGED;
    const guide = this.#bundle.findText('guide');
    const [first] = guide === undefined ? [] : JSON.parse(textOf(guide.stored)).categories;
    return this.#bundle.findGroup(categoryUri(String(first)))?.limit ?? NOT_PAGED;
  }
}

/** Texts that the compiler itself wrote and that may name others. */
function isOurs(key: string): boolean {
  return (
    key === OVERVIEW_URI ||
    key === HELP_URI ||
    key === 'instructions' ||
    key.startsWith('prompt/') ||
    key.startsWith(MODULE_PREFIX)
  );
}

/** Undefined when all of it is shown. */
function shownPart({ stored, cuts }: Whole, shows: Shows): Whole | undefined {
  const fragments = cuts.filter(({ kind }) => kind === CUT.fragment);
  const isItem = ({ label }: Cut): boolean => label !== '' && label !== WITH_NEXT;
  const isShown = fragments.map((one) => !isItem(one) || shows(one.label));
  if (isShown.every(Boolean)) return undefined;
  /** How many of the items are shown that follow fragment `n` up to the next that is none. */
  const shownAfter = (n: number): number => {
    let count = 0;
    for (let next = n + 1; next < fragments.length && isItem(fragments[next] as Cut); next++)
      if (isShown[next]) count++;
    return count;
  };
  const parts: Buffer[] = [];
  const kept: Cut[] = [];
  let length = 0;
  let at = 0;
  let current = -1;
  let showing = true;
  let hasBefore = false;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const cut of cuts) {
    if (cut.kind === CUT.page) continue;
    if (cut.at < at || cut.at + cut.level > stored.length) throw damaged('the cuts of a text');
    if (showing) add(stored.subarray(at, cut.at));
    at = cut.at;
    if (cut.kind === CUT.fragment) {
      current++;
      if (!isItem(cut)) hasBefore = false;
      showing = isShown[current] === true && (cut.label !== WITH_NEXT || shownAfter(current) > 0);
      // The first of a list has nothing to be parted from.
      if (showing && isItem(cut)) {
        if (!hasBefore) at += cut.level;
        hasBefore = true;
      }
    } else if (showing && cut.kind === CUT.number) {
      add(Buffer.from(String(shownAfter(current))));
      at += cut.level;
    } else if (showing && cut.kind === CUT.instead && shownAfter(current) === 0) {
      add(Buffer.from(JSON.stringify(cut.label).slice(1, -1), 'utf8'));
    }
    if (showing && cut.kind !== CUT.number && cut.kind !== CUT.instead) kept.push({ ...cut, at: length, rawAt: 0 });
  }
  if (showing) add(stored.subarray(at));
  return { stored: Buffer.concat(parts), cuts: kept };
}

/** A stored text as it reads; throws BundleError. */
export function textOf(stored: Buffer): string {
  try {
    return unescapeText(stored);
  } catch {
    throw damaged('a text');
  }
}
