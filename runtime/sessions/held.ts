// Whether a module already says what was discovered: texts that differ only in case, white space and the
// punctuation at their end are one. The compiler stores a hash of each text of a module, and the reader compares.

import { createHash } from 'node:crypto';

const HASH_DIGITS = 16;

export function heldKey(encodedName: string): string {
  return `held/${encodedName}`;
}

export function heldHash(text: string): string {
  return createHash('sha256').update(folded(text)).digest('hex').slice(0, HASH_DIGITS);
}

/** A text of nothing but punctuation stays what it is. */
function folded(text: string): string {
  const line = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return withoutEnd(line) || line;
}

/** By hand: a pattern that is anchored at the end only tries again from every sign of a long run. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && ' .,;:!?…。！？'.includes(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}
