// record_topic: what the asking client works on, in its own session. Where none is active, one begins.

import { randomUUID } from 'node:crypto';
import { advise } from '../advice.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { findActive } from '../sessions/active.ts';
import { isNotRecordable, recordable } from '../sessions/recordable.ts';
import type { SessionStore } from '../sessions/store.ts';
import { shortId } from '../sessions/words.ts';
import { settingsOf, withStore } from '../spaces/live.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

const CURRENT_URI = 'context://session/current';
/** Whom a session belongs to when no hook has said so. */
const CLIENT = 'mcp';

export async function recordTopic(context: Context, { topic }: ToolArguments): Promise<Content[]> {
  if (!context.access.may(CURRENT_URI)) {
    const reason = 'This agent may not use live sessions.';
    throw new Failure('access_denied', 'Access denied', { reason, ...advise('scheme') });
  }
  const checked = checkedTopic(String(topic));
  const recorded = await withStore(
    context,
    settingsOf(context),
    undefined,
    (store) => record(store, context.live.own, checked),
    'write',
  );
  const where = `session ${shortId(recorded.id)}${recorded.began ? ', which begins with it' : ''}`;
  return text(`Recorded the topic "${checked}" in ${where}.`);
}

function checkedTopic(given: string): string {
  try {
    return recordable('topic', given);
  } catch (error) {
    if (!isNotRecordable(error)) throw error;
    throw new Failure('invalid_params', 'Not recorded', {
      word: 'not_recordable',
      reason: error.message,
      ...advise(error.isSecret ? 'secret' : 'topic'),
    });
  }
}

/** A hook counts the calls of its client's tools; where nobody does, this call counts itself. */
async function record(
  store: SessionStore,
  own: string | undefined,
  topic: string,
): Promise<{ id: string; began: boolean }> {
  const active = await findActive(store, own);
  const id = active?.id ?? own ?? randomUUID();
  if (active === undefined) await store.append(id, { k: 'start', t: Date.now(), client: CLIENT });
  await store.append(id, { k: 'topic', t: Date.now(), text: topic });
  const kept = active ?? (await store.find(id));
  if (kept?.client === undefined || kept.client === CLIENT) {
    await store.append(id, { k: 'touch', t: Date.now(), use: randomUUID() });
  }
  return { id: kept?.id ?? id, began: active === undefined };
}
