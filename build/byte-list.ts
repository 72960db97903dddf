// Bytes that grow at their end, for lists of millions: an array of numbers takes eight times as much.

export class ByteList {
  length = 0;
  #bytes = new Uint8Array(1 << 16);

  push(byte: number): void {
    if (this.length === this.#bytes.length) {
      const more = new Uint8Array(this.length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.length++] = byte;
  }

  /** What has been pushed, where it lies. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
