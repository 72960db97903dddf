// The session that a tool writes to: that of the asking client; where none is active, one begins.

import { randomUUID } from 'node:crypto';
import type { Live } from '../live.ts';
import { findActive } from '../sessions/active.ts';
import type { SessionStore } from '../sessions/store.ts';

/** Whom a session belongs to when no hook has said so. */
const CLIENT = 'mcp';

/** A hook counts the calls of its client's tools; where nobody does, the call counts itself. */
export async function sessionToWriteTo(store: SessionStore, live: Live): Promise<{ id: string; began: boolean }> {
  const active = await findActive(store, live.own);
  const id = active?.id ?? live.own ?? randomUUID();
  if (active === undefined) await store.append(id, { k: 'start', t: live.now(), client: CLIENT });
  const kept = active ?? (await store.find(id));
  if (kept?.client === undefined || kept.client === CLIENT) {
    await store.append(id, { k: 'touch', t: live.now(), use: randomUUID() });
  }
  return { id: kept?.id ?? id, began: active === undefined };
}
