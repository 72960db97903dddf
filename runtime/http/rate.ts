// How often somebody may ask: a minute's worth at once, and then as many as the minute brings. Those who have not
// asked for a minute are forgotten.

const MINUTE_MS = 60_000;
/** Enough for every agent of a large team; beyond it the one that asked longest ago is forgotten. */
const MOST_KNOWN = 10_000;

export class Rate {
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds to wait; 0 when it may ask now, which is then counted. */
  take(who: string, perMinute: number): number {
    const now = this.#now();
    const before = this.#buckets.get(who);
    const gained = before === undefined ? perMinute : (Math.max(0, now - before.at) * perMinute) / MINUTE_MS;
    const left = Math.min(perMinute, (before?.left ?? 0) + gained);
    this.#buckets.delete(who);
    this.#buckets.set(who, { left: left < 1 ? left : left - 1, at: now });
    this.#forget(now);
    return left < 1 ? Math.max(1, Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000)) : 0;
  }

  /** The map is in the order of the last question. */
  #forget(now: number): void {
    for (const [who, { at }] of this.#buckets) {
      if (now - at < MINUTE_MS && this.#buckets.size <= MOST_KNOWN) return;
      this.#buckets.delete(who);
    }
  }
}
