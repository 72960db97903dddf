// Real clients as judges: the SDK's first line, its second in both eras, and the Inspector.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { judge } from '../support/judge.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';

const MANY = `${SHOP}${Array.from({ length: 700 }, (_, n) => `  m${n}: {}`).join('\n')}\n`;

test('the client of the SDK’s first line', async (t) => {
  const root = builtShop(t, MANY);
  const client = new LegacyClient({ name: 'test', version: '0' });
  await client.connect(new LegacyTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root] }));
  t.after(() => client.close());
  await judge(client, 200);
  await client.ping();
});

for (const [era, mode] of [
  ['legacy', 'legacy'],
  ['modern', { pin: '2026-07-28' }],
  ['modern', 'auto'],
] as const) {
  test(`the client of the SDK’s second line, ${JSON.stringify(mode)}`, async (t) => {
    const root = builtShop(t, MANY);
    const client = new ModernClient({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
    await client.connect(
      new ModernTransport({ command: process.execPath, args: [START_FILE, 'serve', '--root', root] }),
    );
    t.after(() => client.close());
    assert.equal(client.getNegotiatedProtocolVersion(), era === 'modern' ? '2026-07-28' : '2025-11-25');
    await judge(client, 707);
  });
}

test('the Inspector’s command line, in both eras', (t) => {
  const root = builtShop(t);
  const inspector = join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector');
  const inspect = (...rest: string[]) => {
    const args = ['--cli', process.execPath, START_FILE, 'serve', '--root', root, ...rest, '--format', 'json'];
    const env = { ...process.env, HOME: temporaryFolder(t) };
    const { stdout, stderr, status } = spawnSync(inspector, args, { encoding: 'utf8', env });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  for (const era of ['legacy', 'modern']) {
    const listed = inspect('--protocol-era', era, '--method', 'resources/list');
    assert.equal((listed.result ?? listed).resources.length, 7);
    const read = inspect('--protocol-era', era, '--method', 'resources/read', '--uri', OVERVIEW);
    assert.match((read.result ?? read).contents[0].text, /^# Project: My SaaS App/);
    const called = inspect(
      '--protocol-era',
      era,
      '--method',
      'tools/call',
      '--tool-name',
      'search',
      '--tool-arg',
      'query=mutex',
    );
    assert.match((called.result ?? called).content[0].text, /context:\/\/module\/auth/);
  }
});
