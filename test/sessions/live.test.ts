// The way from a request to the store: how long it is waited for, and what is said when it fails.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LOCAL_USER } from '../../runtime/access.ts';
import type { Context } from '../../runtime/context.ts';
import { CurrentBundle } from '../../runtime/current.ts';
import { Mapper } from '../../runtime/map.ts';
import { Journal } from '../../runtime/sessions/journal.ts';
import { type SessionStore, StoreError } from '../../runtime/sessions/store.ts';
import { USUAL_SETTINGS } from '../../runtime/settings.ts';
import { withStore } from '../../runtime/spaces/live.ts';
import { dispatch, type Outcome } from '../../runtime/wire/dispatch.ts';
import type { Message } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop, LIVE_URIS, publish } from '../support/served.ts';
import { bundleBytes } from '../support/shop.ts';

function contextOver(root: string, store: SessionStore, more: Partial<Context> = {}): Context {
  return {
    bundle: new CurrentBundle({ path: `${root}/dist-index`, mapper: new Mapper('pread'), log: () => {} }),
    access: LOCAL_USER,
    live: {
      own: undefined,
      hasDiscoveries: () => false,
      ready: async () => {},
      handOver: async () => 0,
      store: async () => store,
      approvals: async () => assert.fail('not asked for'),
      now: Date.now,
    },
    notices: {},
    roots: () => ['/'],
    log: () => {},
    ...more,
  };
}

async function failure(context: Context, method: string, params: Record<string, unknown>): Promise<Message> {
  const outcome: Outcome = await dispatch(context, { id: 1, method, params });
  assert.ok('error' in outcome, JSON.stringify(outcome));
  return outcome.error;
}

/** A store whose every answer takes as long as `wait` does. */
function slowStore(t: TestContext, wait: () => Promise<void>): SessionStore {
  const store: SessionStore = new Journal({ root: temporaryFolder(t) });
  return {
    append: async (...given) => await wait().then(() => store.append(...given)),
    discover: async (...given) => await wait().then(() => store.discover(...given)),
    promoted: async (...given) => await wait().then(() => store.promoted(...given)),
    find: async (...given) => await wait().then(() => store.find(...given)),
    current: async (...given) => await wait().then(() => store.current(...given)),
    recent: async (...given) => await wait().then(() => store.recent(...given)),
    discoveries: async () => await wait().then(() => store.discoveries()),
    prune: async (...given) => await wait().then(() => store.prune(...given)),
    version: async (...given) => await wait().then(() => store.version(...given)),
  };
}

test('a store that does not answer in two seconds has failed; one that does just in time has not', async (t) => {
  const root = builtShop(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let answer: (() => void) | undefined;
  const asked = async (): Promise<void> => {
    while (answer === undefined) await new Promise(setImmediate);
  };
  const context = contextOver(
    root,
    slowStore(t, () => new Promise((resolve) => (answer = resolve))),
  );
  for (const uri of LIVE_URIS) {
    const failing = failure(context, 'resources/read', { uri });
    await asked();
    answer = undefined;
    t.mock.timers.tick(2000);
    const { code, message, data } = await failing;
    assert.deepEqual([code, message, data.kind], [-32603, 'Failed to read resource', 'store'], uri);
    assert.match(data.reason, /ETIMEDOUT/);
    assert.match(data.hint, /^Go on without live data/);
  }
  const inTime = withStore(context, USUAL_SETTINGS, undefined, (store) => store.recent(10));
  await asked();
  t.mock.timers.tick(1999);
  answer?.();
  assert.deepEqual(await inTime, []);
});

test('a store that cannot even be reached has failed; a bug is not hidden as one', async (t) => {
  const root = builtShop(t);
  const unreachable = contextOver(root, {} as SessionStore, {
    live: {
      own: undefined,
      hasDiscoveries: () => false,
      ready: async () => {},
      handOver: async () => 0,
      store: async () => {
        throw new StoreError('the store is not there', 'ECONNREFUSED');
      },
      approvals: async () => assert.fail('not asked for'),
      now: Date.now,
    },
  });
  const { data } = await failure(unreachable, 'resources/read', { uri: 'context://sessions/recent' });
  assert.equal(data.reason, 'The session data cannot be read (ECONNREFUSED).');
  const broken = contextOver(root, {} as SessionStore);
  assert.equal((await failure(broken, 'resources/read', { uri: 'context://sessions/recent' })).data.kind, 'internal');
});

test('an agent that may not read live pages gets none, and records nothing', async (t) => {
  const journal = new Journal({ root: temporaryFolder(t) });
  const access = { everything: false, may: (uri: string) => !LIVE_URIS.includes(uri) };
  const context = contextOver(builtShop(t), journal, { access });
  for (const uri of LIVE_URIS)
    assert.equal((await failure(context, 'resources/read', { uri })).message, 'Access denied');
  const params = { name: 'record_topic', arguments: { topic: 'x' } };
  const outcome = (await dispatch(context, { id: 1, method: 'tools/call', params })) as Message;
  assert.equal(outcome.answer.value.isError, true);
  assert.deepEqual(await journal.recent(10), []);
});

test('settings that are damaged are said to be so, never guessed', async (t) => {
  const root = builtShop(t);
  const bytes = bundleBytes();
  bytes.write('9', bytes.indexOf('idleMinutes') + 'idleMinutes\\":'.length);
  publish(root, bytes);
  const context = contextOver(root, new Journal({ root }));
  const { message, data } = await failure(context, 'resources/read', { uri: 'context://sessions/recent' });
  assert.deepEqual([message, data.kind], ['Bundle is damaged', 'damaged']);
});
