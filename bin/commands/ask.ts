// Asks the table of methods as a client would, and fails as a command does: the answer's own code,
// without a wire.

import { answerValue } from '../../runtime/answer.ts';
import type { Context } from '../../runtime/context.ts';
import { dispatch } from '../../runtime/wire/dispatch.ts';
import type { Args } from '../args.ts';
import { contextOf } from '../where.ts';

/** Throws an Error whose message says what went wrong and what to do. */
export async function ask(
  context: Context,
  method: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const outcome = await dispatch(context, { id: 1, method, params });
  if ('answer' in outcome) return answerValue(outcome.answer);
  const { message, data } = outcome.error;
  throw new Error([`${message}.`, data.reason, data.hint].filter((part) => typeof part === 'string').join(' '));
}

/** Without a log: the terminal shows the error itself. */
export function quietContext(args: Args): Context {
  return contextOf(args, () => {});
}
