// Live pages of the space context://: the current session, recent ones, what was discovered. Loaded at the
// first request for one. They need no bundle.

import { advise } from '../advice.ts';
import { type Answer, escaped, textContents } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { pageNotice } from '../pages.ts';
import { pageStarts } from '../paginate.ts';
import { currentPage, discoveriesPage, recentPage } from '../sessions/pages.ts';
import { mayKnow } from '../sessions/shown.ts';
import { isStoreError, type SessionStore } from '../sessions/store.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { LiveAddress } from '../uri.ts';

export async function readLive(address: LiveAddress, asked: string, context: Context): Promise<Answer> {
  const settings = readSettings(context.bundle.find());
  const text = await withStore(context, settings, asked, (store) => pageText(address, asked, store, context));
  const limit = address.kind === 'session' ? settings.limits.session : settings.limits.sessions;
  const { parts } = textContents(asked, 'text/markdown', [escaped(onePage(text, address, asked, limit))]);
  return { parts, isLive: true };
}

/** Asks the store; what fails there is said as every failing store is. */
export async function withStore<T>(
  context: Context,
  settings: Settings,
  uri: string | undefined,
  ask: (store: SessionStore) => Promise<T> | T,
): Promise<T> {
  try {
    return await ask(await context.live.store(settings));
  } catch (error) {
    if (!isStoreError(error)) throw error;
    context.log(`sessions: ${error.message}`);
    throw new Failure('store', 'Failed to read resource', {
      ...(uri === undefined ? {} : { uri }),
      reason: `The session data cannot be read (${error.code}).`,
      ...advise('store'),
    });
  }
}

async function pageText(
  address: LiveAddress,
  uri: string,
  store: SessionStore,
  { live, access }: Context,
): Promise<string> {
  switch (address.kind) {
    case 'session': {
      const session = await store.current(live.own);
      if (session !== undefined) return currentPage(session);
      const reason = 'Nobody works in a session here, or the last one has been idle for too long.';
      throw new Failure('not_in_context', 'No active session', { uri, reason, ...advise('session') });
    }
    case 'sessions':
      return recentPage(await store.recent(address.limit));
    case 'discoveries': {
      const all = await store.discoveries();
      const { type, module } = address;
      const chosen = all
        .filter((one) => (type === undefined || one.type === type) && (module === undefined || one.module === module))
        .filter((one) => access.everything || mayKnow(one, access.may));
      return discoveriesPage([...chosen].reverse());
    }
  }
}

function onePage(text: string, { page, shown }: LiveAddress, uri: string, limit: number): string {
  const starts = pageStarts(shown, text, limit);
  const pages = Math.max(1, starts.length);
  if (page > pages) {
    const reason = `${shown} has ${pages === 1 ? 'one page' : `${pages} pages`}.`;
    throw new Failure('not_in_context', `Page not found: ${page}`, { uri, reason, ...advise('page') });
  }
  if (pages === 1) return text;
  return text.slice(starts[page - 1], starts[page]) + (page < pages ? pageNotice(shown, page, pages) : '');
}
