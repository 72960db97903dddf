// The words of a text as runtime/search/words.ts has them, for a compiler that counts millions: the text
// is gone through by character codes, and a run of letters is spelt only when it is first seen. A test
// holds the two equal.

import { runsOf } from '../runtime/search/words.ts';

/** A run as it is written; `words` are its spellings where they follow from more than the run itself. */
type OnRun = (run: string, words: readonly string[] | undefined) => void;

const DOT = 46;
const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);

export function eachRun(text: string, onRun: OnRun): void {
  const size = text.length;
  for (let at = 0; at < size; ) {
    let code = text.charCodeAt(at);
    if (code < 128 ? ASCII_LETTERS[code] === 0 : !mayBeLetter(code)) {
      at++;
      continue;
    }
    const from = at;
    let isAscii = true;
    do {
      if (code >= 128) isAscii = false;
      code = ++at < size ? text.charCodeAt(at) : 0;
    } while (code < 128 ? ASCII_LETTERS[code] === 1 : mayBeLetter(code));
    while (code === DOT && isDigit(text.charCodeAt(at + 1))) {
      at += 2;
      while (isDigit(text.charCodeAt(at))) at++;
      code = text.charCodeAt(at);
    }
    const run = text.slice(from, at);
    if (isAscii) onRun(run, undefined);
    else for (const other of runsOf(run)) onRun(run.slice(other.at, other.end), other.words);
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The wide look of words.ts; what it really is, its own expressions decide. */
function mayBeLetter(code: number): boolean {
  return code === 0xaa || (code >= 0xb2 && code <= 0x1fff) || code >= 0x2060;
}
