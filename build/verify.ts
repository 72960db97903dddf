// Bytes to certainty: the shipped reader opens what was packed and must give back every text. A fault
// here is a bug of ours, so it throws; nothing unreadable is ever published.

import { Bundle, type StoredText } from '../runtime/bundle.ts';
import { memoryBytes } from '../runtime/map.ts';
import { verifyBundle } from '../runtime/verify.ts';
import type { TextRecord } from './tabulate.ts';

/** Gives the digest. */
export function verify(bytes: Buffer, texts: readonly TextRecord[]): string {
  const bundle = new Bundle(memoryBytes(bytes));
  const { damage, digest } = verifyBundle(bundle);
  if (damage.length > 0) throw new Error(`the packed bundle does not read back: ${damage[0]}`);
  for (const { key, stored } of texts) {
    if (!storedIn(bundle, key).equals(stored)) throw new Error(`${key} does not read back`);
  }
  return digest;
}

/** As it is served: in pages, if it has them. */
function storedIn(bundle: Bundle, key: string): Buffer {
  const first = bundle.findText(key);
  if (first === undefined) throw new Error(`${key} is not in the packed bundle`);
  if (first.pages === 1) return first.stored;
  const pages = Array.from({ length: first.pages }, (_, n) => bundle.findText(key, n + 1) as StoredText);
  return Buffer.concat(pages.map((page) => page.stored));
}
