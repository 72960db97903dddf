// Why a group could not answer, in words that a client may read: nothing of the machine, nothing that a child wrote.
// Known by its name, because what throws it and what catches it are loaded apart.

import type { ADVICE } from '../later-advice.ts';

export type OutageDetail = {
  /** Goes on from "Group wiki": what it did. */
  brief: string;
  /** A sentence. */
  reason: string;
  word?: string;
  advice?: keyof typeof ADVICE;
  /** Not the other server's doing: it says nothing of whether that one works. */
  isOurs?: true;
  /** The connection is gone; on another one the same question may be answered. */
  isLost?: true;
};

const NAME = 'UpstreamOutage';

export class Outage extends Error {
  readonly detail: OutageDetail;
  constructor(detail: OutageDetail) {
    super(detail.reason);
    this.name = NAME;
    this.detail = detail;
  }
}

export function isOutage(error: unknown): error is Outage {
  return error instanceof Error && error.name === NAME;
}

export function noAnswer(withinMs: number): Outage {
  const within = `within ${durationInWords(withinMs)}`;
  return new Outage({ brief: `did not answer ${within}`, reason: `It did not answer ${within}.`, word: 'timeout' });
}

export function lost(reason: string): Outage {
  return new Outage({ brief: 'is not connected', reason, word: 'disconnected', isLost: true });
}

export function tooLarge(maxBytes: number): Outage {
  return new Outage({
    brief: 'gave too large an answer',
    reason: `Its answer is larger than ${maxBytes} bytes, which is this group's maxSize.`,
    word: 'too_large',
    advice: 'upstreamSize',
    isOurs: true,
  });
}

/** What the protocol does not allow, or what was not asked for. */
export function wrongAnswer(reason: string): Outage {
  return new Outage({ brief: 'gave an answer that is refused', reason, word: 'wrong_answer' });
}

export function durationInWords(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
