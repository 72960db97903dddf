// Two servers of one project on one database: what one records the other shows, tells of, and approves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../support/command.ts';
import { freshDatabase } from '../support/postgres.ts';
import {
  callTool,
  readError,
  readText,
  replica,
  SHOP_IN_DATABASE,
  STORE_VARIABLE,
  servedReplica,
} from '../support/replicas.ts';
import { until } from '../support/until.ts';

const RECENT = 'context://sessions/recent';
const CURRENT = 'context://session/current';
const AUTH = 'context://module/auth';

test('what one server records is read from the other, and from the terminal of a third machine', async (t) => {
  const url = await freshDatabase();
  const [one, other] = [servedReplica(t, url), servedReplica(t, url)];
  assert.equal(await readText(other.server, RECENT), '# Recent Sessions (0)\n');
  const { isError } = await callTool(one.server, 'record_topic', { topic: 'refunds' });
  assert.notEqual(isError, true);
  assert.match(await readText(other.server, CURRENT), /- refunds/);
  const { root, env } = replica(t, url);
  const { stdout } = run(['session', 'list', '--json', '--root', root], { env });
  assert.deepEqual(JSON.parse(stdout).sessions[0].topics, ['refunds']);
  const read = run(['read', RECENT, '--root', root], { env });
  assert.match(read.stdout, /\*\*Topics:\*\* refunds/);
});

test('a discovery accepted at one server stands in the pages of the other by itself', async (t) => {
  const url = await freshDatabase();
  const source = `${SHOP_IN_DATABASE}approval: { allow: [record_discovery] }\n`;
  const [one, other] = [servedReplica(t, url, source), servedReplica(t, url, source)];
  const before = await readText(other.server, AUTH);
  assert.match(before, /## Business Rules \(1\)/);
  const given = { type: 'rule', content: 'Refunds need two approvals', module: 'auth' };
  assert.notEqual((await callTool(one.server, 'record_discovery', given)).isError, true);
  await until(async () => (await readText(one.server, AUTH)).includes('Refunds need two approvals'));
  await until(async () => (await readText(other.server, AUTH)).includes('Refunds need two approvals'));
  assert.match(await readText(other.server, AUTH), /## Business Rules \(2\)/);
  assert.match(await readText(other.server, 'context://discoveries'), /Refunds need two approvals/);
  const { root, env } = replica(t, url, source);
  const shown = run(['read', AUTH, '--root', root], { env });
  assert.match(shown.stdout, /Refunds need two approvals/, 'a command asks once, and waits for it');
  const { stdout } = run(['session', 'discoveries', '--root', root], { env });
  assert.match(stdout, /Accepted \(1\)/);
});

test('a client of one server is told of what another server records', async (t) => {
  const url = await freshDatabase();
  const [one, other] = [servedReplica(t, url), servedReplica(t, url)];
  await other.server.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
  await other.server.request('resources/subscribe', { uri: CURRENT });
  const updates = (): number =>
    other.server.messages.filter(({ method }) => method === 'notifications/resources/updated').length;
  for (let n = 1; n <= 3; n++) {
    await callTool(one.server, 'record_topic', { topic: `topic ${n}` });
    await until(() => updates() >= n);
  }
});

test('a command line may say another store than project.yaml; a variable that is not set is named', async (t) => {
  const url = await freshDatabase();
  const { root, env } = replica(t, url);
  assert.equal(run(['session', 'start', '--root', root, '--store', url], { env: {} }).code, 0);
  assert.equal(run(['session', 'start', '--root', root, '--store', 'journal'], { env: {} }).code, 0);
  assert.equal(JSON.parse(run(['session', 'list', '--json', '--root', root], { env }).stdout).sessions.length, 2);
  const unset = run(['session', 'list', '--root', root]);
  assert.equal(unset.code, 1);
  assert.match(unset.stderr, new RegExp(`the environment variable ${STORE_VARIABLE}, .* is not set`));
  assert.equal(run(['session', 'list', '--root', root, '--store', 'mysql://x']).code, 2);
  const asJournal = run(['session', 'list', '--json', '--root', root], { env: { [STORE_VARIABLE]: 'journal' } });
  assert.equal(JSON.parse(asJournal.stdout).sessions.length, 1, 'the variable may say journal');
});

test('an approval given at one server is good at another, once', async (t) => {
  const url = await freshDatabase();
  const [one, other] = [servedReplica(t, url), servedReplica(t, url)];
  const given = { type: 'rule', content: 'Refunds need two approvals' };
  const asked = JSON.parse((await callTool(one.server, 'record_discovery', given)).content[0].text);
  const { root, env } = replica(t, url);
  assert.match(run(['session', 'discoveries', '--root', root], { env }).stdout, /Waiting \(1\)/);
  const answer = await other.server.request('approval/respond', { request_id: asked.request_id, approved: true });
  assert.equal(answer.result.recorded, true);
  const again = { ...given, approval_request_id: asked.request_id, approved: true };
  const both = await Promise.all([
    callTool(one.server, 'record_discovery', again),
    callTool(other.server, 'record_discovery', again),
  ]);
  assert.equal(both.filter(({ isError }) => isError !== true).length, 1);
  assert.equal((await readText(one.server, 'context://discoveries')).match(/^## Rule/gm)?.length, 1);
});

test('the state that a client carries from one server is taken by another, once', async (t) => {
  const url = await freshDatabase();
  const [one, other] = [servedReplica(t, url), servedReplica(t, url)];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const call = { name: 'record_discovery', arguments: { type: 'rule', content: 'Refunds need two approvals' } };
  const { result } = await one.server.request('tools/call', { ...call, _meta: meta });
  assert.equal(result.resultType, 'input_required');
  const reply = {
    ...call,
    requestState: result.requestState,
    inputResponses: { approval: { action: 'accept' } },
    _meta: meta,
  };
  const results = await Promise.all([other, one, other].map(({ server }) => server.request('tools/call', reply)));
  assert.equal(results.filter((one) => one.result?.isError !== true && one.result !== undefined).length, 1);
});

test('a database that is not there is said to be so; the bundle is served all the same', async (t) => {
  const { server } = servedReplica(t, 'postgres://somebody:hunter2@127.0.0.1:1/nothing');
  assert.match(await readText(server, AUTH), /^# Module: auth/);
  const { code, message, data } = await readError(server, RECENT);
  assert.deepEqual([code, message, data.kind], [-32603, 'Failed to read resource', 'store']);
  assert.equal(data.reason, 'The session data cannot be read (ECONNREFUSED).');
  await until(() => server.stderr.includes('the database cannot be reached (ECONNREFUSED)'));
  assert.doesNotMatch(`${JSON.stringify(data)}${server.stderr}`, /hunter2|somebody|127\.0\.0\.1|nothing/);
});
