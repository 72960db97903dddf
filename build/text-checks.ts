// What should stand in no text that is packed: characters that no reviewer sees, and probable secrets.
// The value of a secret is never printed.

import { SECRETS } from '../runtime/secrets.ts';
import { type Place, problem, type Report } from './diagnostics.ts';

/** Escape sequences, tag characters (but for flags of regions, which are made of them) and bidirectional controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const HIDDEN = /\u001b|(?<![\u{1f3f4}\u{e0000}-\u{e007f}])[\u{e0000}-\u{e007f}]|[\u202a-\u202e\u2066-\u2069]/u;

export function checkText(file: string, text: string, report: Report): void {
  const hidden = HIDDEN.exec(text);
  if (hidden !== null) {
    const code = (hidden[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    report(
      problem(
        'characters-hidden',
        placeOf(file, text, hidden.index),
        `It has the invisible character U+${code}.`,
        'Remove it.',
      ),
    );
  }
  for (const [what, pattern] of SECRETS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const fix = 'Remove it and make a new one, or accept it under ignore: with a reason.';
    report(problem('secret-probable', placeOf(file, text, found.index), `It has what looks like ${what}.`, fix));
  }
}

function placeOf(file: string, text: string, at: number): Place {
  const before = text.slice(0, at);
  return { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
