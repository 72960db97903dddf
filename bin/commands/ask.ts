// Asks the table of methods as a client would, and fails as a command does: the answer's own code,
// without a wire.

import { answerValue } from '../../runtime/answer.ts';
import type { Bundle } from '../../runtime/bundle.ts';
import type { Context } from '../../runtime/context.ts';
import { readSettings, type Settings, USUAL_SETTINGS } from '../../runtime/settings.ts';
import { endUpstreams } from '../../runtime/upstreams/door.ts';
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
  throw terminalError(outcome.error);
}

/** What happened, why, and what to do. A hint may be meant for an agent; what only a person can do is in `setup`. */
export function terminalError({ message, data = {} }: { message: string; data?: Record<string, unknown> }): Error {
  const isForPeople = data.kind === 'no_bundle' || data.kind === 'damaged';
  const parts = [`${message}.`, data.reason, isForPeople ? data.setup : data.hint];
  return new Error(parts.filter((part) => typeof part === 'string').join(' '));
}

/** Runs a command over a context, and ends what it started of other servers. */
export async function withContext<T>(args: Args, run: (context: Context) => Promise<T>): Promise<T> {
  const context = await quietContext(args);
  try {
    return await run(context);
  } finally {
    await endUpstreams(context.upstreams);
  }
}

/** Without a log: the terminal shows the error itself. It asks once, so it waits for what was discovered. */
export async function quietContext(args: Args): Promise<Context> {
  const context = await contextOf(args, () => {});
  await context.live.ready(usableSettings(context.bundle.find()));
  return context;
}

/** Of a bundle that is damaged it is said where something is asked of it. */
function usableSettings(bundle: Bundle | undefined): Settings {
  try {
    return readSettings(bundle);
  } catch {
    return USUAL_SETTINGS;
  }
}
