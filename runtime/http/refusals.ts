// What is turned away before it is a request of the protocol is written down, too: by whom where that is known, and why.

import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { errorWord } from '../wire/eras.ts';

const DIGEST_DIGITS = 12;

export function auditRefusal({ audit, bundle }: Context, agent: string | undefined, error: unknown): void {
  if (audit === undefined || !(error instanceof Failure)) return;
  audit.record({ agent, outcome: errorWord(error.kind), digest: bundle.digest?.slice(0, DIGEST_DIGITS) });
}
