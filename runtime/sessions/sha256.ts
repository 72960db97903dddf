// SHA-256 of a short text. Loading Node's crypto costs a sixth of a start, and a hook needs one hash of an id.

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

export function sha256(text: string): string {
  const bytes = padded(Buffer.from(text));
  const view = new DataView(bytes.buffer);
  const { roots, start } = constants();
  const state = start.slice();
  const words = new Uint32Array(BLOCK_BYTES);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    for (let n = 0; n < 16; n++) words[n] = view.getUint32(at + 4 * n);
    for (let n = 16; n < 64; n++) {
      const a = words[n - 15] as number;
      const b = words[n - 2] as number;
      const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      words[n] = (words[n - 16] as number) + low + (words[n - 7] as number) + high;
    }
    mix(state, words, roots);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function mix(state: Uint32Array, words: Uint32Array, roots: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < 64; n++) {
    const choice = (e & f) ^ (~e & g);
    const one =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (roots[n] as number) + (words[n] as number)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, n) => {
    state[n] = (state[n] as number) + value;
  });
}

/** The text, a one bit, zeros, and its length in bits, in whole blocks. */
function padded(text: Buffer): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.set(text);
  bytes[text.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - LENGTH_BYTES, BigInt(text.length) * 8n);
  return bytes;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first bits of the fractions of the roots of the first primes: cube roots of 64, square roots of 8. */
function constants(): { roots: Uint32Array; start: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const bits = (root: number): number => (root % 1) * 2 ** 32;
  return {
    roots: Uint32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
  };
}
