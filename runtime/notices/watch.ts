// Looks now and then, while anybody wants to hear of changes, whether the bundle or the live data are others
// than before, and only then which of the answers that somebody wants have changed. So exactly what changed is
// told, several changes between two looks are one, and a quiet server does next to nothing. A store that says by
// itself when something changes is believed that it is worth asking, and asked now and then all the same.

import type { Context } from '../context.ts';
import type { SessionStore } from '../sessions/store.ts';
import { readSettings } from '../settings.ts';
import { fingerprintOf, fingerprintOfList, type ListName } from './fingerprint.ts';

/** Sooner than the bundle is looked at again, so that both together stay under a second. */
const LOOK_EVERY_MS = 300;
/** A store that tells of changes is asked so much more seldom: for what the clock alone changes. */
const ASK_TELLING_STORE_MS = 3000;

/** All else may be live: by its own name, in whatever letters, or by another that project.yaml gives it. */
const NEVER_LIVE = /^(?:guide|file):/;

export type Listener = {
  uris(): Iterable<string>;
  lists(): Iterable<ListName>;
  updated(uri: string): void;
  listChanged(list: ListName): void;
};

type Seen = { listeners: number; fingerprint: string };

export class Watch {
  readonly #context: Context;
  readonly #listeners = new Set<Listener>();
  readonly #seen = new Map<string, Seen>();
  #timer: NodeJS.Timeout | undefined;
  #before = { bundle: '', live: '' };
  #looking = false;
  #isWoken = false;
  #telling: { store: SessionStore; stop: () => void } | undefined;
  #askAgainAt = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.#timer !== undefined) return;
    void this.#versions().then((versions) => {
      this.#before = versions;
    });
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#telling?.stop();
    this.#telling = undefined;
  }

  /** From now on a change of this answer is noticed. */
  async want(what: string, fingerprint: () => Promise<string>): Promise<void> {
    const known = this.#seen.get(what);
    if (known !== undefined) known.listeners++;
    else {
      this.#seen.set(what, { listeners: 1, fingerprint: '' });
      const first = await fingerprint();
      const seen = this.#seen.get(what);
      if (seen !== undefined && seen.fingerprint === '') seen.fingerprint = first;
    }
  }

  leave(what: string): void {
    const known = this.#seen.get(what);
    if (known !== undefined && --known.listeners === 0) this.#seen.delete(what);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const now = await this.#versions();
      const { bundle, live } = this.#before;
      if (now.bundle === bundle && now.live === live) return;
      this.#before = now;
      if (now.bundle !== bundle) await this.#tellLists();
      await this.#tellPages();
    } catch (error) {
      this.#context.log(`could not look for changes: ${(error as Error).message}`);
    } finally {
      this.#looking = false;
    }
    if (this.#isWoken && this.#timer !== undefined) await this.#look();
  }

  async #versions(): Promise<{ bundle: string; live: string }> {
    const { bundle, live } = this.#context;
    const current = bundle.find();
    const wantsLive = [...this.#listeners].some((listener) =>
      [...listener.uris()].some((uri) => !NEVER_LIVE.test(uri)),
    );
    return {
      bundle: current?.digest ?? '',
      live: wantsLive ? await this.#liveVersion(() => live.store(readSettings(current))) : '',
    };
  }

  /** A store that fails is as good as one that has changed into a failing one. */
  async #liveVersion(open: () => ReturnType<Context['live']['store']>): Promise<string> {
    if (this.#telling !== undefined && !this.#isWoken && Date.now() < this.#askAgainAt) return this.#before.live;
    this.#isWoken = false;
    this.#askAgainAt = Date.now() + ASK_TELLING_STORE_MS;
    try {
      const store = await open();
      this.#hearFrom(store);
      return await store.version(this.#context.live.own);
    } catch (error) {
      return (error as Error).message;
    }
  }

  #hearFrom(store: SessionStore): void {
    if (this.#telling?.store === store || this.#timer === undefined) return;
    this.#telling?.stop();
    const stop = store.changed?.(() => {
      this.#isWoken = true;
      void this.#look();
    });
    this.#telling = stop === undefined ? undefined : { store, stop };
  }

  async #tellLists(): Promise<void> {
    for (const list of new Set([...this.#listeners].flatMap((listener) => [...listener.lists()]))) {
      if (!(await this.#hasChanged(list, () => fingerprintOfList(this.#context, list)))) continue;
      for (const listener of this.#listeners) if ([...listener.lists()].includes(list)) listener.listChanged(list);
    }
  }

  async #tellPages(): Promise<void> {
    for (const uri of new Set([...this.#listeners].flatMap((listener) => [...listener.uris()]))) {
      if (!(await this.#hasChanged(uri, () => fingerprintOf(this.#context, uri)))) continue;
      for (const listener of this.#listeners) if ([...listener.uris()].includes(uri)) listener.updated(uri);
    }
  }

  async #hasChanged(what: string, fingerprint: () => Promise<string>): Promise<boolean> {
    const now = await fingerprint();
    const seen = this.#seen.get(what);
    if (seen === undefined || seen.fingerprint === now) return false;
    seen.fingerprint = now;
    return true;
  }
}
