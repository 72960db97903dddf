// Real clients as judges over HTTP: the SDK's first line, its second in both eras, and the Inspector.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { temporaryFolder } from '../support/folder.ts';
import { HttpServed } from '../support/http-served.ts';
import { judge } from '../support/judge.ts';
import { builtShop, OVERVIEW, publish } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const MANY = `${SHOP}${Array.from({ length: 700 }, (_, n) => `  m${n}: {}`).join('\n')}\n`;
const AUTH = 'context://module/auth';
const DISCOVERY = { type: 'rule', content: 'Tokens are rotated every night.' };

async function urlOf(served: HttpServed): Promise<URL> {
  return new URL(`${await served.origin()}/mcp`);
}

test('the client of the SDK’s first line reads, hears of changes, and is asked', async (t) => {
  const root = builtShop(t, MANY);
  const served = new HttpServed(t, ['--root', root]);
  const client = new LegacyClient({ name: 'test', version: '0' }, { capabilities: { elicitation: {} } });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('list'));
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: 'accept' as const, content: {} };
  });
  const transport = new LegacyTransport(await urlOf(served));
  await client.connect(transport as Transport);
  t.after(() => client.close());
  await judge(client, 200);
  await client.ping();
  const recorded = await client.callTool({ name: 'record_discovery', arguments: DISCOVERY });
  assert.notEqual(recorded.isError, true, JSON.stringify(recorded));
  assert.match(asked.join(), /Tokens are rotated/);
  await client.subscribeResource({ uri: AUTH });
  publish(root, bundleBytes(MANY.replace('Use JWT', 'Use no').replace('  m9: {}', '')));
  await until(() => heard.length >= 2);
  assert.deepEqual(new Set(heard), new Set(['list', AUTH]));
  await transport.terminateSession();
  const gone = await served.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', {
    'mcp-session-id': String(transport.sessionId ?? 'ended'),
  });
  assert.equal(gone.status, 404);
});

for (const [era, mode] of [
  ['legacy', 'legacy'],
  ['modern', { pin: '2026-07-28' }],
  ['modern', 'auto'],
] as const) {
  test(`the client of the SDK’s second line, ${JSON.stringify(mode)}`, async (t) => {
    const root = builtShop(t, MANY);
    const served = new HttpServed(t, ['--root', root]);
    const client = new ModernClient(
      { name: 'test', version: '0' },
      { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
    );
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: {} }));
    await client.connect(new ModernTransport(await urlOf(served)));
    t.after(() => client.close());
    assert.equal(client.getNegotiatedProtocolVersion(), era === 'modern' ? '2026-07-28' : '2025-11-25');
    await judge(client, 707);
    const recorded = await client.callTool({ name: 'record_discovery', arguments: DISCOVERY });
    assert.notEqual(recorded.isError, true, JSON.stringify(recorded));
    if (era === 'modern') await client.listen({ resourceSubscriptions: [AUTH] });
    else await client.subscribeResource({ uri: AUTH });
    publish(root, bundleBytes(MANY.replace('Use JWT', 'Use no')));
    await until(() => heard.includes(AUTH));
    assert.match(JSON.stringify(await client.readResource({ uri: AUTH })), /Use no tokens/);
  });
}

test('the Inspector’s command line, in both eras', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t)]);
  const url = String(await urlOf(served));
  const inspector = join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector');
  const env = { ...process.env, HOME: temporaryFolder(t) };
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  const inspect = async (...rest: string[]): Promise<any> => {
    const child = spawn(inspector, ['--cli', url, '--transport', 'http', ...rest, '--format', 'json'], { env });
    let [out, error] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, error);
    const answer = JSON.parse(out);
    return answer.result ?? answer;
  };
  for (const era of ['legacy', 'modern']) {
    const of = ['--protocol-era', era, '--method'];
    assert.equal((await inspect(...of, 'resources/list')).resources.length, 7);
    const read = await inspect(...of, 'resources/read', '--uri', OVERVIEW);
    assert.match(read.contents[0].text, /^# Project: My SaaS App/);
    const called = await inspect(...of, 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=mutex');
    assert.match(called.content[0].text, /context:\/\/module\/auth/);
  }
});
