// URIs of one group that somebody subscribed to. The server is told of the set, not of each, a moment after it
// changed; when it cannot be told, it is tried again, ever less often, for as long as anybody wants to hear.

const SETTLED_MS = 50;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

export class Wanted {
  readonly #tell: (uris: readonly string[]) => Promise<void>;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(tell: (uris: readonly string[]) => Promise<void>) {
    this.#tell = tell;
  }

  get size(): number {
    return this.#counts.size;
  }

  has(uri: string): boolean {
    return this.#counts.has(uri);
  }

  add(uri: string): void {
    this.#counts.set(uri, (this.#counts.get(uri) ?? 0) + 1);
    this.tellAgain();
  }

  remove(uri: string): void {
    const left = (this.#counts.get(uri) ?? 0) - 1;
    if (left > 0) this.#counts.set(uri, left);
    else if (this.#counts.delete(uri)) this.tellAgain();
  }

  /** What is wanted of a group is wanted of the one that takes its place. */
  takeOver(before: Wanted): void {
    for (const [uri, count] of before.#counts) this.#counts.set(uri, count);
    if (this.size > 0) this.tellAgain();
  }

  tellAgain(inMs: number = SETTLED_MS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), inMs).unref();
  }

  end(): void {
    this.#counts.clear();
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    try {
      await this.#tell([...this.#counts.keys()]);
      this.#pauseMs = FIRST_PAUSE_MS;
    } catch {
      if (this.#counts.size === 0) return;
      this.tellAgain(this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}
