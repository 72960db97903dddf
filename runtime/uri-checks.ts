// What a raw URI may not look like, whatever it addresses.

import { advise } from './advice.ts';
import { Failure } from './failure.ts';

const MOST_CHARACTERS = 2048;

export function checkLength(raw: string): void {
  if (raw.length > MOST_CHARACTERS) throw invalid(raw.slice(0, 80), `It is longer than ${MOST_CHARACTERS} characters.`);
}

export function checkCharacters(text: string, raw: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  if (/[\u0000-\u001f\u007f]/.test(text)) throw invalid(raw, 'It has a control character.');
  if (text.includes('\\')) throw invalid(raw, 'It has a backslash.');
  if (!text.isWellFormed()) throw invalid(raw, 'It has half of a surrogate pair.');
}

export function invalid(uri: string, reason: string): Failure {
  return new Failure('invalid_uri', 'Invalid URI', { uri, reason, ...advise('uri') });
}
