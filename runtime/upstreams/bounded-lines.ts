// Lines from a program that may write anything. A line over the bound is never held: its first and last bytes are
// kept, because an answer's id stands in one of them, and the rest is counted.

const EDGE_BYTES = 256;

export type Line = { text: string } | { tooLong: { head: string; tail: string } };

export class BoundedLines {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the line that has not ended yet. */
  get unfinished(): number {
    return this.#bytes;
  }

  *take(chunk: Buffer): Generator<Line> {
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(10, at);
      this.#add(chunk.subarray(at, newline < 0 ? chunk.length : newline));
      if (newline < 0) return;
      at = newline + 1;
      yield this.#end();
    }
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#head === undefined) {
      this.#pieces.push(piece);
      if (this.#bytes <= this.#maxBytes) return;
      const all = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#head = Buffer.from(all.subarray(0, EDGE_BYTES));
      this.#tail = Buffer.from(all.subarray(-EDGE_BYTES));
    } else this.#tail = Buffer.concat([this.#tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
  }

  #end(): Line {
    const head = this.#head;
    const line: Line =
      head === undefined
        ? { text: Buffer.concat(this.#pieces).toString('utf8') }
        : { tooLong: { head: head.toString('latin1'), tail: this.#tail.toString('latin1') } };
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = undefined;
    return line;
  }
}

/** The id of the answer that a line too long to keep was; undefined when it does not show. */
export function answeredId({ head, tail }: { head: string; tail: string }): number | undefined {
  const found =
    /^\{"jsonrpc":"2\.0","id":(\d{1,15}),/.exec(head) ?? /,"id":(\d{1,15})(?:,"jsonrpc":"2\.0")?\}\s*$/.exec(tail);
  return found === null ? undefined : Number(found[1]);
}
