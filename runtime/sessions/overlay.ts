// Discoveries laid over the bundle's texts: a module's page and brief get them as further entries, the overview
// as higher counts. Loaded once there are any. A text is made again only when the bundle or the list of discoveries
// is another one; what the bundle says already, by the hash of its text, is let go.

import { type Access, textsOf } from '../access.ts';
import type { Bundle, StoredText, Texts } from '../bundle.ts';
import { pagesOf } from '../made-pages.ts';
import { readSettings } from '../settings.ts';
import { DISCOVERIES_URI, MODULE_PREFIX } from '../uri.ts';
import { OVERVIEW_URI } from '../ways-in.ts';
import { heldKey } from './held.ts';
import { type Brief, laidOver } from './lay-over.ts';
import { mayKnow, type Shown, shown } from './shown.ts';
import type { Discovery } from './store.ts';

/** A discovery that the bundle does not hold, and the page that shows it. */
export type LiveText = { shown: Shown; uri: string };

type Kind = 'module' | 'overview' | 'brief';

const BRIEF_PREFIX = 'brief/';
/** Made texts that are kept, in characters; the one made last is always kept. */
const MOST_KEPT = 32 * 1024 * 1024;

export class Overlay implements Texts {
  readonly #bundle: Bundle;
  readonly #all: readonly Discovery[];
  readonly #access: Access;
  readonly #pages = new Map<string, readonly StoredText[]>();
  #kept = 0;
  #byModule: Map<string, Shown[]> | undefined;
  readonly #ofModule = new Map<string, readonly Shown[] | undefined>();
  #texts: readonly LiveText[] | undefined;

  constructor(bundle: Bundle, all: readonly Discovery[], access: Access) {
    this.#bundle = bundle;
    this.#all = all;
    this.#access = access;
  }

  /** As Bundle.findText; whether the asking agent may read it has been asked before. */
  findText(key: string, page = 1): StoredText | undefined {
    const kind = kindOf(key);
    const pages = kind === undefined ? [] : (this.#pages.get(key) ?? this.#make(key, kind));
    return pages.length === 0 ? textsOf(this.#access, this.#bundle).findText(key, page) : pages[page - 1];
  }

  /** What a search may find beside the bundle's own texts, in the order in which it was accepted. */
  texts(): readonly LiveText[] {
    if (this.#texts !== undefined) return this.#texts;
    const { may } = this.#access;
    const mayList = may(DISCOVERIES_URI);
    const inModules = new Set([...this.#grouped().keys()].flatMap((uri) => this.#live(uri) ?? []));
    this.#texts = this.#all.flatMap((discovery): LiveText[] => {
      const one = shown(discovery);
      const { moduleUri: uri } = one;
      if (!mayKnow(discovery, may)) return [];
      if (uri === undefined || this.#live(uri) === undefined)
        return mayList ? [{ shown: one, uri: DISCOVERIES_URI }] : [];
      return inModules.has(one) ? [{ shown: one, uri }] : [];
    });
    return this.#texts;
  }

  /** Its pages; none when nothing is laid over it. */
  #make(key: string, kind: Kind): readonly StoredText[] {
    const text = this.#text(key, kind);
    const pages =
      text === undefined
        ? []
        : pagesOf(key, text, this.#limit(kind)).map((one): StoredText => ({ ...one, isLive: true }));
    // Keys come from requests: only those that lead to something are kept.
    if (text === undefined && kind !== 'overview') return pages;
    this.#kept += text?.length ?? 0;
    if (this.#kept > MOST_KEPT) {
      this.#pages.clear();
      this.#kept = text?.length ?? 0;
    }
    this.#pages.set(key, pages);
    return pages;
  }

  #text(key: string, kind: Kind): string | undefined {
    if (kind === 'overview') {
      return this.#laidOver(key, (uri) => (this.#access.may(uri) ? (this.#live(uri) ?? []) : []));
    }
    const uri = kind === 'module' ? key : MODULE_PREFIX + key.slice(BRIEF_PREFIX.length);
    const live = this.#live(uri) ?? [];
    if (live.length === 0) return undefined;
    const brief = kind === 'brief' ? { uri, limit: this.#limit('module') } : undefined;
    return this.#laidOver(key, () => live, brief);
  }

  #laidOver(key: string, liveOf: (uri: string) => readonly Shown[], brief?: Brief): string | undefined {
    const whole = textsOf(this.#access, this.#bundle).findWhole(key);
    return whole === undefined ? undefined : laidOver(whole, liveOf, brief);
  }

  /** A brief is part of a page, and bounded by what it may say, not cut. */
  #limit(kind: Kind): number {
    if (kind === 'brief') return Number.POSITIVE_INFINITY;
    return readSettings(this.#bundle).limits[kind];
  }

  /** What is to be shown with a module; undefined when the bundle cannot show it. */
  #live(uri: string): readonly Shown[] | undefined {
    const found = this.#grouped().get(uri);
    if (found === undefined || this.#ofModule.has(uri)) return this.#ofModule.get(uri);
    const text = this.#bundle.findText(heldKey(uri.slice(MODULE_PREFIX.length)));
    const held = text === undefined ? undefined : new Set(text.stored.toString('latin1').split(' '));
    const live = held === undefined ? undefined : found.filter(({ hash }) => !held.has(hash));
    this.#ofModule.set(uri, live);
    return live;
  }

  #grouped(): Map<string, Shown[]> {
    if (this.#byModule !== undefined) return this.#byModule;
    const groups = new Map<string, Shown[]>();
    for (const discovery of this.#all) {
      const one = shown(discovery);
      if (one.moduleUri === undefined) continue;
      const group = groups.get(one.moduleUri);
      if (group === undefined) groups.set(one.moduleUri, [one]);
      else group.push(one);
    }
    this.#byModule = groups;
    return groups;
  }
}

const made = new WeakMap<Bundle, WeakMap<Access['may'], { all: readonly Discovery[]; overlay: Overlay }>>();

/** Keep the bundle, the list and `may`, and what was made of them is kept too. */
export function overlayOf(bundle: Bundle, all: readonly Discovery[], access: Access): Overlay {
  let known = made.get(bundle);
  if (known === undefined) {
    known = new WeakMap();
    made.set(bundle, known);
  }
  const before = known.get(access.may);
  if (before?.all === all) return before.overlay;
  const overlay = new Overlay(bundle, all, access);
  known.set(access.may, { all, overlay });
  return overlay;
}

function kindOf(key: string): Kind | undefined {
  if (key.startsWith(MODULE_PREFIX)) return 'module';
  if (key.startsWith(BRIEF_PREFIX)) return 'brief';
  return key === OVERVIEW_URI ? 'overview' : undefined;
}
