// The question that goes before a tool that changes what others will read. Three ways, one store behind them: a
// client that can ask its person is asked, with a handshake by a request to it, without by an answer that wants
// input; any other gets the id of a request, for which its person's answer comes by a method of its own.

import type { Answer } from '../answer.ts';
import { type Bound, requestApproval, requestFor, respond, spend } from '../approval.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import { APPROVAL_MS, type Approvals } from '../sessions/approvals.ts';
import { signedState, verifiedState } from '../sessions/signed-state.ts';
import { capabilitiesOf, eraOf } from '../wire/eras.ts';
import type { Call } from '../wire/peer.ts';

type Params = Record<string, unknown>;

/** Nobody else can answer it later: the one who asked has no id of it. */
const PUT_ASIDE = 'The question was put aside without an answer.';

/** Undefined: it may run now. An answer: it may not, yet. */
export async function askApproval(
  context: Context,
  approvals: Approvals,
  bound: Bound,
  params: Params,
  call: Call | undefined,
): Promise<Answer | undefined> {
  const { now } = context.live;
  const given = (params.arguments ?? {}) as Params;
  if (given.approval_request_id !== undefined || given.approved !== undefined) {
    await spend(approvals, approvedId(given), bound, now());
    return undefined;
  }
  if (eraOf(params) === 'modern') {
    if (params.requestState !== undefined) return await takeUp(context, approvals, bound, params);
    if (canBeAsked(capabilitiesOf(params))) return await inputRequired(context, approvals, bound);
  } else if (call !== undefined && canBeAsked(call.peer.capabilities)) {
    return await ask(context, approvals, bound, call);
  }
  return await waitFor(approvals, bound, now());
}

/** The seed's flow: nothing runs, and the person's answer is awaited. */
async function waitFor(approvals: Approvals, bound: Bound, now: number): Promise<Answer> {
  const id = await requestApproval(approvals, bound, now);
  const waiting = {
    approval_required: true,
    request_id: id,
    message: `User approval required for tool: ${bound.tool}`,
    hint: `When the user has approved (approval/respond, or \`fieldguide session approve ${id.slice(0, 8)}\`), call ${bound.tool} again with the same arguments, "approval_request_id": "${id}" and "approved": true, within ${APPROVAL_MS / 1000} seconds.`,
  };
  return { value: { content: [{ type: 'text', text: JSON.stringify(waiting) }] } };
}

function approvedId(given: Params): string {
  const { approval_request_id: id, approved } = given;
  if (typeof id === 'string' && approved === true) return id;
  throw new Failure('invalid_params', 'Invalid argument: approval_request_id', {
    reason: 'approval_request_id is the id of a request, and approved is true.',
    ...advise('approvalAgain'),
  });
}

/** With a handshake the client is asked while its call waits. */
async function ask(context: Context, approvals: Approvals, bound: Bound, call: Call): Promise<Answer | undefined> {
  const { now } = context.live;
  const id = await requestApproval(approvals, bound, now());
  const reply = await call.peer.request('elicitation/create', question(bound), APPROVAL_MS, call);
  await decide(approvals, id, reply ?? { action: 'cancel' }, bound, now());
  return undefined;
}

/** Without a handshake the question is the answer; the call comes again with what the person said. */
async function inputRequired(context: Context, approvals: Approvals, bound: Bound): Promise<Answer> {
  const now = context.live.now();
  const id = await requestApproval(approvals, bound, now);
  return {
    value: {
      inputRequests: { approval: { method: 'elicitation/create', params: question(bound) } },
      requestState: signedState(id, now + APPROVAL_MS, await approvals.key()),
    },
    resultType: 'input_required',
  };
}

async function takeUp(context: Context, approvals: Approvals, bound: Bound, params: Params): Promise<undefined> {
  const now = context.live.now();
  const id = verifiedState(params.requestState, now, await approvals.key());
  if (id === undefined) {
    throw new Failure('approval', 'Not approved', {
      word: 'approval_unknown',
      reason: 'The state is not one that this server gave, or has expired.',
      ...advise('approvalAgain'),
    });
  }
  const replies = (params.inputResponses ?? {}) as Params;
  await decide(approvals, id, replies.approval, bound, now);
  return undefined;
}

/** Records what the person said of this very call and spends it; throws for anything but a yes. */
async function decide(approvals: Approvals, id: string, reply: unknown, bound: Bound, now: number): Promise<void> {
  await requestFor(approvals, id, bound);
  const action = typeof reply === 'object' && reply !== null ? (reply as { action?: unknown }).action : undefined;
  if (action === 'accept' || action === 'decline' || action === 'cancel') {
    const message = action === 'cancel' ? PUT_ASIDE : undefined;
    await respond(approvals, id, { approved: action === 'accept', message, by: 'elicitation' }, bound.agent, now);
  }
  await spend(approvals, id, bound, now);
}

/** Accepting is the answer; there is nothing to fill in. */
function question({ tool, given }: Bound): Params {
  const { type, content, module, solution } = given;
  const where = module === undefined ? '' : ` for the module ${module}`;
  const mended = solution === undefined ? '' : `\nSolution: ${solution}`;
  return {
    message: `May ${tool} record this ${type}${where}? Everybody who works here will read it.\n\n${content}${mended}`,
    requestedSchema: { type: 'object', properties: {} },
  };
}

/** A form, which is what a client means that says no more. */
function canBeAsked(capabilities: Params | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return Object.keys(elicitation).length === 0 || 'form' in elicitation || !('url' in elicitation);
}
