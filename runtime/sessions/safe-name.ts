// Names made from ids that come from outside. An id that is plain stays as it is; any other is known by its
// hash from the start, so nothing crafted is ever stored, shown or part of a path. The file name of a session
// that has capital letters or punctuation is a hash, too, marked by an underscore, which no plain name has: two
// ids never share a file, on any file system, and none leads elsewhere.

import { sha256 } from './sha256.ts';

const SHOWN = /^[A-Za-z0-9][\w.:-]{0,127}$/;
const PLAIN = /^[a-z0-9][a-z0-9-]{0,79}$/;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const HASH_DIGITS = 40;

/** The id under which a session is kept. */
export function sessionIdOf(given: string): string {
  return SHOWN.test(given) ? given : hashOf(given);
}

export function safeName(sessionId: string): string {
  return PLAIN.test(sessionId) && !RESERVED.test(sessionId) ? sessionId : `_${hashOf(sessionId)}`;
}

function hashOf(text: string): string {
  return sha256(text).slice(0, HASH_DIGITS);
}
