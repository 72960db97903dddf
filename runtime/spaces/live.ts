// Live pages of the space context://: the current session, recent ones, what was discovered. Loaded at the
// first request for one. They need no bundle.

import { type Answer, escaped, textContents } from '../answer.ts';
import type { Context } from '../context.ts';
import { bundleFailure } from '../current.ts';
import { Failure } from '../failure.ts';
import { BundleError } from '../format.ts';
import { advise } from '../later-advice.ts';
import { pageNotice } from '../pages.ts';
import { pageStarts } from '../paginate.ts';
import { currentPage, discoveriesPage, recentPage } from '../sessions/pages.ts';
import { mayKnow } from '../sessions/shown.ts';
import { isStoreError, type SessionStore, StoreError } from '../sessions/store.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { LiveAddress } from '../uri.ts';

/** A store that takes longer has failed: a client would rather go on without it. */
const MOST_WAITED_MS = 2000;

export async function readLive(address: LiveAddress, asked: string, context: Context): Promise<Answer> {
  const settings = settingsOf(context);
  const text = await withStore(context, settings, asked, (store) => pageText(address, asked, store, context));
  const limit = address.kind === 'session' ? settings.limits.session : settings.limits.sessions;
  const { parts } = textContents(asked, 'text/markdown', [escaped(onePage(text, address, asked, limit))]);
  return { parts, isLive: true };
}

/** Without a bundle the usual values hold; of a damaged one it is said. */
export function settingsOf(context: Context): Settings {
  try {
    return readSettings(context.bundle.find());
  } catch (error) {
    throw error instanceof BundleError ? bundleFailure(error) : error;
  }
}

/** Asks the store; what fails there, or takes too long, is said as every failing store is. */
export async function withStore<T>(
  context: Context,
  settings: Settings,
  uri: string | undefined,
  ask: (store: SessionStore) => Promise<T> | T,
  doing: Doing = 'read',
): Promise<T> {
  try {
    return await inTime(context.live.store(settings).then(ask));
  } catch (error) {
    throw storeFailure(context, error, uri, doing);
  }
}

type Doing = 'read' | 'write';

/** What failed in the store, as a client is told; any other error as it is. */
export function storeFailure(context: Context, error: unknown, uri: string | undefined, doing: Doing): unknown {
  if (!isStoreError(error)) return error;
  context.log(`sessions: ${error.message}`);
  const [message, done] = doing === 'read' ? ['Failed to read resource', 'read'] : ['Failed to record', 'written'];
  const why = error.fault === 'address' ? `${error.message.replace(/ \(\w+\)$/, '')}.` : '';
  return new Failure('store', message, {
    ...(uri === undefined ? {} : { uri }),
    reason: why === '' ? `The session data cannot be ${done} (${error.code}).` : why[0]?.toUpperCase() + why.slice(1),
    ...advise(error.fault),
  });
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new StoreError('the store did not answer in time', 'ETIMEDOUT');
    timer = setTimeout(() => reject(error), MOST_WAITED_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
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
