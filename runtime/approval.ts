// Whether a call that changes what others will read may run: asked of a person, bound to exactly that call,
// good once and for five minutes. No tool can approve: the answer comes by a method of the client's own, from
// the terminal, or as the client's reply to a question.

import { createHash, randomBytes } from 'node:crypto';
import { Failure } from './failure.ts';
import { advise } from './later-advice.ts';
import { APPROVAL_MS, type Approval, type ApprovalAnswer, type Approvals } from './sessions/approvals.ts';

export type Given = { [name: string]: string | number };

/** A call, as an approval is bound to it. */
export type Bound = { tool: string; given: Given; agent: string };

const DENIED = 'The user did not approve. Ask what to change, then call the tool again: that makes a new request.';

/** Who sits at the terminal of the project: answers for every agent. */
export const LOCAL_OWNER = Symbol('the local owner');

/** Makes a request; gives its id, which a person may have to type. */
export async function requestApproval(
  approvals: Approvals,
  { tool, given, agent }: Bound,
  now: number,
): Promise<string> {
  const id = randomBytes(24).toString('hex');
  await approvals.open({ id, t: now, tool, agent, given, binding: bindingOf({ tool, given, agent }) });
  return id;
}

/** What `approval/respond` and the terminal say. An agent answers its own requests only; of two answers the first counts. */
export async function respond(
  approvals: Approvals,
  id: string,
  given: Omit<ApprovalAnswer, 't'>,
  who: string | typeof LOCAL_OWNER,
  now: number,
): Promise<{ recorded: boolean; approved: boolean; message: string }> {
  const found = await approvals.find(id);
  if (found === undefined || (who !== LOCAL_OWNER && found.request.agent !== who)) throw unknownRequest();
  if (found.answer !== undefined) {
    const { approved } = found.answer;
    return { recorded: false, approved, message: `This request was already ${approved ? 'approved' : 'denied'}.` };
  }
  if (isExpired(found, now))
    return { recorded: false, approved: false, message: 'This request has expired; call the tool again.' };
  const message = given.message?.trim() || (given.approved ? undefined : DENIED);
  const recorded = await approvals.answer(id, { ...given, t: now, message });
  if (!recorded) return await respond(approvals, id, given, who, now);
  return { recorded, approved: given.approved, message: message ?? `Approved: ${found.request.tool} may run once.` };
}

/** The request that was made for this call; throws when there is none, or when it was for another. */
export async function requestFor(approvals: Approvals, id: string, bound: Bound): Promise<Approval> {
  const found = await approvals.find(id);
  if (found === undefined || found.request.agent !== bound.agent) throw unknownRequest();
  if (found.request.binding === bindingOf(bound)) return found;
  throw refused('approval_changed', 'This approval is for other arguments, or another tool.', 'approvalChanged');
}

/** Spends an approval on the call that it was given for; throws what is wrong with it, and then spends nothing. */
export async function spend(approvals: Approvals, id: string, bound: Bound, now: number): Promise<void> {
  const found = await requestFor(approvals, id, bound);
  if (found.usedAt !== undefined) throw refused('approval_used', 'This approval was used before.', 'approvalAgain');
  if (found.answer?.approved === false) {
    throw refused('approval_denied', found.answer.message ?? DENIED, 'approvalDenied');
  }
  if (isExpired(found, now)) throw refused('approval_expired', 'This approval has expired.', 'approvalAgain');
  if (found.answer === undefined) throw refused('approval_waiting', 'Nobody has answered yet.', 'approvalWaiting');
  if (!(await approvals.use(id, now)))
    throw refused('approval_used', 'This approval was used before.', 'approvalAgain');
}

export function isExpired({ request }: Approval, now: number): boolean {
  return now - request.t >= APPROVAL_MS || now < request.t - APPROVAL_MS;
}

/** The same for the same call, in whatever order its arguments stand. */
export function bindingOf({ tool, given, agent }: Bound): string {
  const sorted = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted, agent]))
    .digest('hex');
}

function unknownRequest(): Failure {
  return new Failure('invalid_params', 'Unknown approval request', {
    reason: 'There is no such request.',
    word: 'approval_unknown',
    ...advise('approvalAgain'),
  });
}

function refused(word: string, reason: string, advice: Parameters<typeof advise>[0]): Failure {
  return new Failure('approval', 'Not approved', { word, reason, ...advise(advice) });
}
