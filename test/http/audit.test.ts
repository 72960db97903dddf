// The audit of a server on HTTP: every access with its agent, refusals at the door, sessions by a hash; verified and
// shown by our own commands.

import assert from 'node:assert/strict';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HttpServed } from '../support/http-served.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const READER = 'the-token-of-the-reader-1';
const AGENTS = `${SHOP}agents:
  reader: { resources: ["context://module/auth", "context://discoveries", "context://session/**"], token: "\${READER_TOKEN}" }
`;

test('each access has its line, whoever asked and however it ended; the chain is whole after SIGTERM', async (t) => {
  const file = join(temporaryFolder(t), 'audit.log');
  const root = builtShop(t, AGENTS);
  const served = new HttpServed(t, ['--root', root, '--audit', file], { env: { READER_TOKEN: READER } });
  const read = (uri: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id: uri, method: 'resources/read', params: { uri } });
  const bearer = { authorization: `Bearer ${READER}` };
  for (let n = 0; n < 3; n++) await served.post(read('context://module/auth'), bearer);
  await served.post(read(OVERVIEW), bearer);
  await served.post(read('context://module/auth'));
  await served.post(read('context://module/auth'), { ...bearer, 'mcp-session-id': 'no-such-session' });
  served.headers = bearer;
  await served.request('initialize', {});
  await served.request('resources/read', { uri: 'context://module/auth' });
  const { session } = served;
  const asked = { query: 'a-very-secret-question' };
  await served.request('tools/call', { name: 'search', arguments: asked });
  served.child.kill('SIGTERM');
  assert.equal((await served.ended).code, 0);
  const text = readFileSync(file, 'utf8');
  assert.doesNotMatch(text, new RegExp(`${READER}|${session}|a-very-secret-question`));
  const lines: Message[] = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const count = (outcome: string, uri?: string): number =>
    lines.filter((line) => line.outcome === outcome && (uri === undefined || line.uri === uri)).length;
  assert.equal(count('ok', 'context://module/auth'), 4, text);
  assert.equal(count('access_denied', OVERVIEW), 1);
  assert.deepEqual([count('unauthorized'), count('session_not_found')], [1, 1]);
  assert.ok(lines.some(({ session: known }) => /^mcp-[0-9a-f]{12}$/.test(known)));
  assert.equal(run(['audit', 'verify', file]).code, 0);
  const shown = run(['audit', 'show', file]);
  assert.match(shown.stdout, /reader/);
  assert.match(shown.stdout, /context:\/\/module\/auth/);
});

test('an audit that cannot be written stops no read, stops what changes things, and is on /healthz', async (t) => {
  const file = join(temporaryFolder(t), 'audit.log');
  const served = new HttpServed(t, ['--root', builtShop(t), '--audit', file]);
  const origin = await served.origin();
  const health = async (): Promise<Message> => await (await fetch(`${origin}/healthz`)).json();
  assert.equal((await health()).audit, 'ok');
  renameSync(file, `${file}.away`);
  await until(async () => {
    assert.ok((await served.request('resources/read', { uri: OVERVIEW })).result);
    return (await health()).audit !== 'ok';
  });
  assert.match(await (await fetch(`${origin}/metrics`)).text(), /^fieldguide_audit_failing 1$/m);
  const topic = { name: 'record_topic', arguments: { topic: 'Tokens' } };
  const refused = await served.request('tools/call', topic);
  assert.equal(refused.result.isError, true);
  assert.match(refused.result.content[0].text, /not_audited/);
  renameSync(`${file}.away`, file);
  await until(async () => (await health()).audit === 'ok');
  assert.notEqual((await served.request('tools/call', topic)).result.isError, true);
});
