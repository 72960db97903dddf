// Notices for a client that may not read: while it does not, each is kept once, so that a stalled reader costs no
// memory and hears in the end of everything that changed.

const FULL_BYTES = 1024 * 1024;

export type Reader = {
  /** Bytes that it has not taken yet. */
  readonly unread: number;
  whenDrained(then: () => void): void;
  send(notices: Iterable<string>): void;
};

export class HeldNotices {
  readonly #reader: Reader;
  readonly #held = new Set<string>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  add(notice: string): void {
    if (this.#held.size === 0 && this.#reader.unread < FULL_BYTES) return this.#reader.send([notice]);
    if (this.#held.size === 0) this.#reader.whenDrained(() => this.#release());
    this.#held.add(notice);
  }

  #release(): void {
    const held = [...this.#held];
    this.#held.clear();
    this.#reader.send(held);
  }
}
