// The session that something is to be written to.

import type { Session } from './session.ts';
import type { SessionStore } from './store.ts';

/** Of a client that says which session is its own, no other will do. */
export async function findActive(store: SessionStore, own: string | undefined): Promise<Session | undefined> {
  const session = own === undefined ? await store.current(undefined) : await store.find(own);
  return session?.status === 'active' ? session : undefined;
}
