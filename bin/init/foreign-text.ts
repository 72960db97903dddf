// Words taken over from files of others: one line, of bounded length, without characters that no reviewer sees. What
// looks like a secret is not taken over at all.

import { oneLine } from '../../build/one-line.ts';
import { checkText } from '../../build/text-checks.ts';

const MOST_NAME = 120;
const MOST_SENTENCE = 400;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A name; undefined when it is no text, or none is left of it. */
export function foreignName(value: unknown): string | undefined {
  return foreignText(value, MOST_NAME);
}

/** A description. */
export function foreignSentence(value: unknown): string | undefined {
  return foreignText(value, MOST_SENTENCE);
}

function foreignText(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = oneLine(
    value
      .slice(0, 10 * most)
      .replace(/[\r\n\t]/g, ' ')
      .replace(UNSEEN, ''),
    most,
  );
  return text === '' || isSuspect(text) ? undefined : text;
}

/** Whether the compiler would warn of a text: of hidden characters, or of a secret. */
export function isSuspect(text: string): boolean {
  let suspect = false;
  checkText('', text, () => {
    suspect = true;
  });
  return suspect;
}

/** As it stands in markdown, meaning nothing but itself. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<|~]|&(?=[#\w]+;)/g, '\\$&')
    .replace(/^[-+=#:>_]/, '\\$&')
    .replace(/^(\d+)(?=[.)])/, '$1\\');
}
