// Same input, same bytes: another time zone, locale, umask, folder, age of files or number of cores.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { SHOP } from '../support/shop.ts';

type World = { env?: NodeJS.ProcessEnv; umask?: string; folder?: string; cores?: string };

const WORLDS: Record<string, World> = {
  plain: {},
  'another time zone': { env: { TZ: 'Pacific/Chatham' } },
  'another locale': { env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
  'another umask': { umask: '077' },
  'another folder': { folder: 'a folder with spaces/and depth' },
  'one core': { cores: '0' },
  'another home': { env: { HOME: '/nonexistent', USER: 'somebody' } },
};

test('the same project gives the same bundle and manifest in every world', (t) => {
  const base = temporaryFolder(t, { 'project.yaml': SHOP });
  const outputs = Object.entries(WORLDS).map(([name, world], n) => {
    const root = join(base, String(n), world.folder ?? 'here');
    cpSync(join(base, 'project.yaml'), join(root, 'project.yaml'), { recursive: true });
    utimesSync(join(root, 'project.yaml'), n * 1000, n * 1000);
    const pin = world.cores === undefined ? '' : 'taskset -c 0 ';
    const line = `umask ${world.umask ?? '022'}; ${pin}"${process.execPath}" "${START_FILE}" build --root "${root}"`;
    const { status, stderr } = spawnSync('sh', ['-c', line], {
      encoding: 'utf8',
      env: { ...process.env, ...world.env },
    });
    assert.equal(status, 0, `${name}: ${stderr}`);
    return ['context.fgb', 'manifest.json'].map((file) => readFileSync(join(root, 'dist-index', file), 'hex')).join();
  });
  assert.equal(new Set(outputs).size, 1);
});
