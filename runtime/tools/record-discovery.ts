// record_discovery: what an agent learned, for everybody, once a person has agreed.

import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.ts';
import type { Bound } from '../approval.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import { isNotRecordable, type Recorded, recordable } from '../sessions/recordable.ts';
import type { DiscoveryType } from '../sessions/store.ts';
import { shortId } from '../sessions/words.ts';
import type { Settings } from '../settings.ts';
import { settingsOf, storeFailure, withStore } from '../spaces/live.ts';
import { moduleUri } from '../uri.ts';
import type { Call } from '../wire/peer.ts';
import { askApproval } from './ask-approval.ts';
import { sessionToWriteTo } from './own-session.ts';
import { type ToolArguments, text } from './tool.ts';

const TOOL = 'record_discovery';

export async function recordDiscovery(
  context: Context,
  given: ToolArguments,
  params: Record<string, unknown>,
  call: Call | undefined,
): Promise<Answer> {
  const checked = checkedDiscovery(given);
  mayRecord(context, checked.module);
  const settings = settingsOf(context);
  if (!settings.approval.allow.includes(TOOL)) {
    const bound = { tool: TOOL, given: definedOnly(checked), agent: context.access.agent ?? 'local' };
    const waiting = await approvalOf(context, settings, bound, params, call);
    if (waiting !== undefined) return waiting;
  }
  const sessionId = await withStore(
    context,
    settings,
    undefined,
    async (store) => {
      const { id } = await sessionToWriteTo(store, context.live);
      await store.discover({ id: randomUUID(), sessionId: id, at: context.live.now(), ...checked });
      return id;
    },
    'write',
  );
  return { value: { content: text(recordedText(context, checked, sessionId)) } };
}

/** A person may take minutes, so only the store's own failures are said as such, not that it takes long. */
async function approvalOf(
  context: Context,
  settings: Settings,
  bound: Bound,
  params: Record<string, unknown>,
  call: Call | undefined,
): Promise<Answer | undefined> {
  try {
    return await askApproval(context, await context.live.approvals(settings), bound, params, call);
  } catch (error) {
    throw storeFailure(context, error, undefined, 'write');
  }
}

type Checked = { type: DiscoveryType; content: string; module?: string | undefined; solution?: string | undefined };

function checkedDiscovery({ type, content, module, solution }: ToolArguments): Checked {
  const optional = (what: Recorded, value: string | number | undefined): string | undefined =>
    value === undefined || String(value).trim() === '' ? undefined : checkedText(what, String(value));
  return {
    type: type as DiscoveryType,
    content: checkedText('discovery', String(content)),
    module: optional('module', module),
    solution: optional('solution', solution),
  };
}

export function checkedText(what: Recorded, given: string): string {
  try {
    return recordable(what, given);
  } catch (error) {
    if (!isNotRecordable(error)) throw error;
    const advice = error.isSecret ? 'secret' : what === 'topic' ? 'topic' : 'discovery';
    throw new Failure('invalid_params', 'Not recorded', {
      word: 'not_recordable',
      reason: error.message,
      ...advise(advice),
    });
  }
}

function mayRecord({ access }: Context, module: string | undefined): void {
  const uri = module === undefined ? 'context://discoveries' : moduleUri(module);
  if (access.may(uri)) return;
  const reason = 'This agent may not read what it would add to.';
  throw new Failure('access_denied', 'Access denied', { reason, ...advise('scheme') });
}

function definedOnly(checked: Checked): { [name: string]: string } {
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined)) as never;
}

/** A module that the bundle does not have gets its page when it is promoted. */
function recordedText({ bundle }: Context, { type, module }: Checked, sessionId: string): string {
  const page = module === undefined ? undefined : moduleUri(module);
  const where = page !== undefined && bundle.find()?.find(page) !== undefined ? page : 'context://discoveries';
  return `Recorded the ${type} in session ${shortId(sessionId)}. It is in ${where} now; \`fieldguide session promote\` writes it into project.yaml.`;
}
