// What leaves in one tick, in as few writes as possible: short pieces are copied together into one
// buffer, long slices of the bundle go out as they lie. Nothing written to is ever written to again,
// so a write that is still under way keeps its bytes.

import type { Part } from '../answer.ts';

const FIRST_BUFFER_BYTES = 8 * 1024;
const BUFFER_BYTES = 64 * 1024;
/** From this length on, copying costs more than one more piece in a write. */
const LONG_BYTES = 16 * 1024;

export type Output = NodeJS.WritableStream & { cork(): void; uncork(): void; readonly writableLength: number };

export class Outbox {
  readonly #output: Output;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #from = 0;
  #to = 0;
  #corked = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Bytes that have been added and not yet taken by the reader's side. */
  get length(): number {
    return this.#to - this.#from + this.#output.writableLength;
  }

  add(part: Part): void {
    if (typeof part === 'string') {
      const most = part.length * 3;
      if (most > BUFFER_BYTES) return this.#pass(Buffer.from(part, 'utf8'));
      this.#makeRoom(most);
      this.#to += this.#buffer.write(part, this.#to, 'utf8');
    } else if (part.length >= LONG_BYTES) {
      this.#pass(part);
    } else {
      this.#makeRoom(part.length);
      this.#buffer.set(part, this.#to);
      this.#to += part.length;
    }
  }

  /** Calls back when the reader has caught up. */
  whenDrained(then: () => void): void {
    this.#output.once('drain', then);
  }

  /** Hands over what has been gathered. */
  flush(): void {
    this.#hand();
    if (!this.#corked) return;
    this.#corked = false;
    this.#output.uncork();
  }

  #hand(): void {
    if (this.#to === this.#from) return;
    const ready = this.#buffer.subarray(this.#from, this.#to);
    this.#from = this.#to;
    this.#output.write(ready);
  }

  #pass(bytes: Buffer): void {
    if (!this.#corked) {
      this.#corked = true;
      this.#output.cork();
    }
    this.#hand();
    this.#output.write(bytes);
  }

  #makeRoom(bytes: number): void {
    if (this.#to + bytes <= this.#buffer.length) return;
    this.#hand();
    this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#from = 0;
    this.#to = 0;
  }
}

export function addMessage(outbox: Outbox, message: Record<string, unknown>): void {
  outbox.add(`${JSON.stringify(message)}\n`);
}
