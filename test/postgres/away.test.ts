// The database goes away in every way there is, under a server that has clients: what is in the bundle is answered
// as if nothing were, what is live fails in time and with a hint, and when the database is back so are its answers.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Served } from '../support/command.ts';
import { PostgresServer, withSchema } from '../support/postgres.ts';
import { callTool, readText, SHOP_IN_DATABASE, servedReplica } from '../support/replicas.ts';
import { until } from '../support/until.ts';
import { WireCut } from '../support/wire-cut.ts';

const RECENT = 'context://sessions/recent';
const AUTH = 'context://module/auth';
const LEARNED = 'Refunds need two approvals';
/** A store has two seconds; a machine that does much else may be late. */
const HANGS_MS = 4000;

type Way = { what: string; harm: () => void | Promise<void>; mend: () => void | Promise<void> };

let server: PostgresServer | undefined;

async function prepared(t: TestContext): Promise<{ postgres: PostgresServer; wire: WireCut; served: Served }> {
  server ??= await PostgresServer.start();
  const wire = await WireCut.before(t, server.port);
  const url = withSchema(`postgres://fieldguide@127.0.0.1:${wire.port}/postgres`, `away_${wire.port}`);
  const source = `${SHOP_IN_DATABASE}approval: { allow: [record_discovery] }\n`;
  const { server: served } = servedReplica(t, url, source);
  await callTool(served, 'record_discovery', { type: 'rule', content: LEARNED, module: 'auth' });
  await until(async () => (await readText(served, AUTH)).includes(LEARNED));
  return { postgres: server, wire, served };
}

/** The answer of what is live, asked first, and that of the bundle, asked second. */
async function askBoth(served: Served): Promise<{ live: Message; bundle: Message; order: unknown[] }> {
  const from = served.messages.length;
  const late = sleep(HANGS_MS, undefined, { ref: false }).then(() => assert.fail('a session answer hangs'));
  const [liveId, bundleId] = [`live ${from}`, `bundle ${from}`];
  const line = (id: string, uri: string): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } })}\n`;
  served.send(line(liveId, RECENT) + line(bundleId, AUTH));
  const both = Promise.all([liveId, bundleId].map((id) => served.answer((message) => message.id === id)));
  const [live, bundle] = (await Promise.race([both, late])) as [Message, Message];
  const order = served.messages.slice(from).map(({ id }) => id);
  return { live, bundle, order: [order.indexOf(liveId), order.indexOf(bundleId)] };
}

async function goesThrough(t: TestContext, { what, harm, mend }: Way, served: Served): Promise<void> {
  assert.ok((await askBoth(served)).live.result, `${what}: before`);
  await harm();
  try {
    for (let times = 0; times < 3; times++) {
      const { live, bundle, order } = await askBoth(served);
      assert.deepEqual([live.error?.code, live.error?.message], [-32603, 'Failed to read resource'], what);
      assert.match(live.error.data.hint, /^Go on without live data/);
      assert.match(bundle.result.contents[0].text, new RegExp(LEARNED), `${what}: what was known is still shown`);
      assert.deepEqual(order, [1, 0], `${what}: the bundle waits for nobody`);
    }
    const { isError } = await callTool(served, 'record_topic', { topic: 'while it is away' });
    assert.equal(isError, true, what);
  } finally {
    await mend();
  }
  await until(async () => (await askBoth(served)).live.result !== undefined, 20_000);
  assert.notEqual((await callTool(served, 'record_topic', { topic: `after ${what}` })).isError, true);
  assert.match(await readText(served, RECENT), new RegExp(`after ${what}`));
  t.diagnostic(what);
}

test('the server is killed, stopped, and made to hang', async (t) => {
  const { postgres, served } = await prepared(t);
  const start = (): Promise<void> => postgres.start();
  await goesThrough(t, { what: 'a crash', harm: () => postgres.stop('SIGKILL'), mend: start }, served);
  await goesThrough(t, { what: 'a stop', harm: () => postgres.stop('SIGINT'), mend: start }, served);
  await goesThrough(t, { what: 'hanging', harm: () => postgres.hang(), mend: () => postgres.goOn() }, served);
  await until(() => served.stderr.includes('the database answers again'));
  assert.doesNotMatch(served.stderr, /127\.0\.0\.1|postgres:|a bug/);
});

test('the network is cut, and swallows what is sent', async (t) => {
  const { wire, served } = await prepared(t);
  const mend = (): void => wire.mend();
  await goesThrough(t, { what: 'a cut', harm: () => wire.cut(), mend }, served);
  await goesThrough(t, { what: 'silence', harm: () => wire.swallow(), mend }, served);
});

test('a server that starts while the database hangs serves its bundle, and finds the database later', async (t) => {
  const { wire, postgres } = await prepared(t);
  wire.swallow();
  const url = withSchema(`postgres://fieldguide@127.0.0.1:${wire.port}/postgres`, `away_${wire.port}`);
  const { server: served } = servedReplica(t, url);
  const { live, bundle } = await askBoth(served);
  assert.equal(live.error?.data.reason, 'The session data cannot be read (ETIMEDOUT).');
  assert.match(bundle.result.contents[0].text, /^# Module: auth/);
  wire.mend();
  await until(async () => (await readText(served, AUTH)).includes(LEARNED), 20_000);
  assert.ok(postgres.port > 0);
});
