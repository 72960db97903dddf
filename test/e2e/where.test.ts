// Where commands look when nothing is said: upward, and where the client works.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';

const READ = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: OVERVIEW } })}\n`;

test('in a folder of the project, its bundle is read and built', (t) => {
  const root = builtShop(t);
  const inside = join(root, 'src/auth');
  mkdirSync(inside, { recursive: true });
  assert.match(run(['read', OVERVIEW], { cwd: inside }).stdout, /# Project: My SaaS App/);
  assert.match(run(['serve'], { cwd: inside, input: READ }).stdout, /My SaaS App/);
  assert.equal(run(['build', '--check', '--json'], { cwd: inside }).code, 0);
});

test('a server that is started elsewhere serves the project that its client works in', (t) => {
  const root = builtShop(t);
  const elsewhere = temporaryFolder(t);
  const env = { CLAUDE_PROJECT_DIR: join(root, 'src') };
  assert.match(run(['serve'], { cwd: elsewhere, env, input: READ }).stdout, /My SaaS App/);
  const other = builtShop(t);
  assert.match(
    run(['serve', '--verbose'], { cwd: other, env, input: READ }).stderr,
    new RegExp(other),
    'its own folder first',
  );
  assert.match(run(['serve'], { cwd: elsewhere, input: READ }).stdout, /No bundle to serve/);
});
