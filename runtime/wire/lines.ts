// Bytes in, lines out. A line may arrive in many chunks, and a chunk may hold many lines; one that is
// longer than the cap is reported once and skipped up to its end, keeping none of it.

const NEWLINE = 10;

export const TOO_LONG = Symbol('a line over the cap');

export class Lines {
  readonly #mostBytes: number;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  #skipping = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Adds bytes; call only when `next` has said undefined. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** The next whole line, TOO_LONG once for a line that is refused, or undefined: more is needed. */
  next(): string | typeof TOO_LONG | undefined {
    while (this.#at < this.#chunk.length) {
      const start = this.#at;
      const newline = this.#chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? this.#chunk.length : newline;
      this.#at = end + 1;
      if (this.#skipping) {
        this.#skipping = newline < 0;
        continue;
      }
      if (this.#piecesBytes + end - start > this.#mostBytes) {
        this.#drop();
        this.#skipping = newline < 0;
        return TOO_LONG;
      }
      if (newline < 0) {
        this.#pieces.push(this.#chunk.subarray(start, end));
        this.#piecesBytes += end - start;
        return undefined;
      }
      if (this.#piecesBytes === 0) return this.#chunk.toString('utf8', start, end);
      this.#pieces.push(this.#chunk.subarray(start, end));
      return this.#take();
    }
    return undefined;
  }

  /** What is left when the input has ended without a final newline. */
  last(): string | undefined {
    return this.#piecesBytes === 0 ? undefined : this.#take();
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8');
    this.#drop();
    return line;
  }

  #drop(): void {
    this.#pieces = [];
    this.#piecesBytes = 0;
  }
}
