// `fieldguide session approve` and `deny`: the answer of whoever sits at the project's own terminal to a request that
// an agent's call made. It is shown first; of several answers, wherever they come from, the first counts.

import { isExpired, LOCAL_OWNER, respond } from '../../runtime/approval.ts';
import { APPROVAL_MS, type Approval } from '../../runtime/sessions/approvals.ts';
import { recordable } from '../../runtime/sessions/recordable.ts';
import { type Args, UsageError } from '../args.ts';
import { canAsk, confirm } from '../confirm.ts';
import { asLine, requestLines } from '../discovery-shown.ts';
import { withSessions } from '../session-store.ts';
import { painter } from '../terminal.ts';

const LEAST_OF_ID = 6;
const SEE = '`fieldguide session discoveries` shows what waits';

export async function approve(args: Args): Promise<number> {
  return await answer(args, true);
}

export async function deny(args: Args): Promise<number> {
  return await answer(args, false);
}

async function answer(args: Args, approved: boolean): Promise<number> {
  const [asked = ''] = args.positionals;
  if (asked.length < LEAST_OF_ID)
    throw new UsageError(`an id is given by at least its first ${LEAST_OF_ID} characters`);
  return await withSessions(args, async ({ approvals }) => {
    const given = args.values.get('message');
    const message = given === undefined ? undefined : recordable('message', given);
    const { request } = getWaiting(await approvals.list(), asked);
    const lines = requestLines(request, request.t + APPROVAL_MS - Date.now(), painter(process.stderr));
    if (!args.flags.has('json')) process.stderr.write(`${lines.join('\n')}\n`);
    if (!args.flags.has('yes') && !(await isMeant(approved))) {
      process.stderr.write('Nothing was answered; the request waits on.\n');
      return 1;
    }
    const outcome = await respond(
      approvals,
      request.id,
      { approved, message, by: 'terminal' },
      LOCAL_OWNER,
      Date.now(),
    );
    if (args.flags.has('json')) process.stdout.write(`${JSON.stringify({ id: request.id, ...outcome }, null, 2)}\n`);
    else
      process.stderr.write(
        `${outcome.recorded && !approved ? 'Denied. The agent is told: ' : ''}${asLine(outcome.message)}\n`,
      );
    return outcome.recorded ? 0 : 1;
  });
}

async function isMeant(approved: boolean): Promise<boolean> {
  if (!canAsk()) throw new Error('a person has to answer: run it on a terminal, or add --yes. Nothing was answered');
  return await confirm(approved ? 'Approve this, once?' : 'Deny this?');
}

/** The request that is meant, or one line on why there is nothing to answer. */
function getWaiting(all: readonly Approval[], asked: string): Approval {
  const matching = all.filter(({ request }) => request.id.startsWith(asked));
  const [found, ...others] = matching;
  const shown = JSON.stringify(asLine(asked.slice(0, 80)));
  if (found === undefined) throw new Error(`no request has an id that begins with ${shown}; ${SEE}`);
  if (others.length > 0) {
    throw new Error(`${matching.length} requests have an id that begins with ${shown}; write more of it`);
  }
  if (found.answer !== undefined) {
    const was = found.answer.approved ? 'approved' : 'denied';
    throw new Error(`this request was ${was} already, by ${asLine(found.answer.by)}; a new call makes a new one`);
  }
  if (isExpired(found, Date.now()))
    throw new Error('this request has expired; when the tool is called again, it asks anew');
  return found;
}
