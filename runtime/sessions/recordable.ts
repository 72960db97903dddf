// What may be recorded in a session: one line, of bounded length, of characters that a reader sees, and no
// secret. Whatever is refused is neither stored nor repeated.

import { secretIn } from '../secrets.ts';

const LIMITS = {
  topic: { least: 1, most: 200 },
  discovery: { least: 10, most: 1000 },
  solution: { least: 1, most: 1000 },
  module: { least: 1, most: 200 },
  message: { least: 1, most: 500 },
} as const;

export type Recorded = keyof typeof LIMITS;

/** Joins letters and pictures in some scripts; more in a row than any of them needs would carry what nobody sees. */
const JOINING = /\u200c|\u200d|\ufe0e|\ufe0f/gu;
const TOO_MANY_JOINING = /(?:^|(?:\u200c|\u200d|\ufe0e|\ufe0f){2})(?:\u200c|\u200d|\ufe0e|\ufe0f)/u;
/** Controls, what is drawn as nothing, halves of characters, characters of nobody, and the blank letter of Braille. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;
/** A text so much longer than it may be is not looked through. */
const FAR_TOO_LONG = 100_000;

/** Known by its name: lazily loaded files have copies of this class. */
export class NotRecordable extends Error {
  override readonly name = 'NotRecordable';
  readonly isSecret: boolean;
  constructor(reason: string, isSecret = false) {
    super(reason);
    this.isSecret = isSecret;
  }
}

export function isNotRecordable(error: unknown): error is NotRecordable {
  return error instanceof Error && error.name === 'NotRecordable';
}

/** The text as it is kept; throws NotRecordable, whose message is a sentence. */
export function recordable(what: Recorded, given: string): string {
  const { least, most } = LIMITS[what];
  if (given.length > FAR_TOO_LONG) throw new NotRecordable(`A ${what} has at most ${most} characters.`);
  const text = given.replace(/\s+/g, ' ').trim();
  const secret = secretIn(text);
  if (secret !== undefined) throw new NotRecordable(`The ${what} has what looks like ${secret}.`, true);
  if (UNSEEN.test(text.replace(JOINING, '')) || TOO_MANY_JOINING.test(text)) {
    throw new NotRecordable(`The ${what} has a control or an invisible character.`);
  }
  const length = [...text].length;
  if (length < least || length > most) {
    throw new NotRecordable(`A ${what} has ${least} to ${most} characters; this one has ${length}.`);
  }
  return text;
}
