// record_topic: what the asking client works on, in its own session. Where none is active, one begins.

import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { Live } from '../live.ts';
import type { SessionStore } from '../sessions/store.ts';
import { shortId } from '../sessions/words.ts';
import { settingsOf, withStore } from '../spaces/live.ts';
import { sessionToWriteTo } from './own-session.ts';
import { checkedText } from './record-discovery.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

const CURRENT_URI = 'context://session/current';

export async function recordTopic(context: Context, { topic }: ToolArguments): Promise<Content[]> {
  if (!context.access.may(CURRENT_URI)) {
    const reason = 'This agent may not use live sessions.';
    throw new Failure('access_denied', 'Access denied', { reason, ...advise('scheme') });
  }
  const checked = checkedText('topic', String(topic));
  const recorded = await withStore(
    context,
    settingsOf(context),
    undefined,
    (store) => record(store, context.live, checked),
    'write',
  );
  const where = `session ${shortId(recorded.id)}${recorded.began ? ', which begins with it' : ''}`;
  return text(`Recorded the topic "${checked}" in ${where}.`);
}

async function record(store: SessionStore, live: Live, topic: string): Promise<{ id: string; began: boolean }> {
  const session = await sessionToWriteTo(store, live);
  await store.append(session.id, { k: 'topic', t: live.now(), text: topic });
  return session;
}
