// approval/respond: a person's answer, by a method that is the client's own. No tool leads here.

import type { Answer } from '../answer.ts';
import { respond } from '../approval.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import { settingsOf, withStore } from '../spaces/live.ts';
import { checkedText } from '../tools/record-discovery.ts';

export async function respondToRequest(context: Context, params: Record<string, unknown>): Promise<Answer> {
  const { request_id: id, approved, message } = params;
  if (typeof id !== 'string') throw wrong('request_id', 'request_id is the id of a request.');
  if (typeof approved !== 'boolean') throw wrong('approved', 'approved is true or false.');
  if (message !== undefined && typeof message !== 'string') throw wrong('message', 'message is a text.');
  const said = message === undefined || message.trim() === '' ? undefined : checkedText('message', message);
  const settings = settingsOf(context);
  const answer = { approved, message: said, by: 'client' };
  const agent = context.access.agent ?? 'local';
  const outcome = await withStore(
    context,
    settings,
    undefined,
    async () => respond(await context.live.approvals(settings), id, answer, agent, context.live.now()),
    'write',
  );
  return { value: outcome };
}

function wrong(name: string, reason: string): Failure {
  return new Failure('invalid_params', `Invalid parameter: ${name}`, { reason, ...advise('respond') });
}
