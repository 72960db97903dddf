// Answers of one group that may be given again: for as long as project.yaml says, or else as the server allowed,
// until it says that they changed. Bounded in number and size; the oldest goes first.

const MOST_ENTRIES = 256;
const MOST_BYTES = 8 * 1024 * 1024;
/** However long a server allows. */
const LONGEST_MS = 3600_000;

type Result = Record<string, unknown>;
type Entry = { result: Result; bytes: number; until: number; method: string; uri: unknown };

export class Kept {
  readonly #ttlMs: number | undefined;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(ttlMs: number | undefined) {
    this.#ttlMs = ttlMs;
  }

  find(method: string, params: Result): Result | undefined {
    const key = keyOf(method, params);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > performance.now()) return entry.result;
    this.#remove(key, entry);
    return undefined;
  }

  keep(method: string, params: Result, result: Result, resultBytes: number): void {
    const allowed = typeof result.ttlMs === 'number' ? Math.min(result.ttlMs, LONGEST_MS) : 0;
    const ttlMs = this.#ttlMs ?? allowed;
    const key = keyOf(method, params);
    const bytes = resultBytes + key.length;
    if (!(ttlMs > 0) || bytes > MOST_BYTES) return;
    const before = this.#entries.get(key);
    if (before !== undefined) this.#remove(key, before);
    this.#entries.set(key, { result, bytes, until: performance.now() + ttlMs, method, uri: params.uri });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= MOST_ENTRIES && this.#bytes <= MOST_BYTES) break;
      this.#remove(oldest, entry);
    }
  }

  drop(isStale: (entry: { method: string; uri: unknown }) => boolean): void {
    for (const [key, entry] of this.#entries) if (isStale(entry)) this.#remove(key, entry);
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

export function keyOf(method: string, params: Result): string {
  return `${method} ${JSON.stringify(params)}`;
}
