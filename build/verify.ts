// Bytes to certainty: the shipped reader opens what was packed and must give back every text. A fault
// here is a bug of ours, so it throws; nothing unreadable is ever published.

import { Bundle } from '../runtime/bundle.ts';
import { unescapeText } from '../runtime/format.ts';
import { memoryBytes } from '../runtime/map.ts';
import { verifyBundle } from '../runtime/verify.ts';
import type { Entry } from './render.ts';

export function verify(bytes: Buffer, entries: readonly Entry[]): string {
  const bundle = new Bundle(memoryBytes(bytes));
  const { damage, digest } = verifyBundle(bundle);
  if (damage.length > 0) throw new Error(`the packed bundle does not read back: ${damage[0]}`);
  for (const entry of entries) {
    if (entry.blob === undefined && wholeText(bundle, entry.uri) !== entry.text)
      throw new Error(`${entry.uri} does not read back`);
  }
  return digest;
}

function wholeText(bundle: Bundle, uri: string): string {
  let text = '';
  for (let page = 1, pages = 1; page <= pages; page++) {
    const found = bundle.findText(uri, page);
    if (found === undefined) break;
    pages = found.pages;
    text += unescapeText(found.stored);
  }
  return text;
}
