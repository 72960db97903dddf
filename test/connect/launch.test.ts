// How the server is started: by its name only if that leads to this very program for a client, too.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findProgram, isTemporary, launchFrom } from '../../bin/connect/launch.ts';
import { temporaryFolder } from '../support/folder.ts';

const DIST = 'lib/node_modules/fieldguide/dist/fieldguide.cjs';

function withPath(t: TestContext, ...folders: string[]): void {
  const { PATH } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
  });
  process.env.PATH = folders.join(':');
}

test('a command on the PATH counts when it is this program, and the first of its name', (t) => {
  const at = temporaryFolder(t, { [DIST]: '', 'other/fieldguide': '', 'plain/fieldguide': '' });
  const root = temporaryFolder(t);
  const running = join(at, DIST);
  chmodSync(running, 0o755);
  chmodSync(join(at, 'other/fieldguide'), 0o755);
  for (const folder of ['bin', 'p/node_modules/.bin']) {
    mkdirSync(join(at, folder), { recursive: true });
    symlinkSync(running, join(at, folder, 'fieldguide'));
  }
  const way = (...folders: string[]): string => {
    withPath(t, ...folders);
    return findProgram(running, root).way;
  };
  assert.equal(way(join(at, 'nothing'), join(at, 'bin')), 'installed');
  assert.equal(way(join(at, 'plain'), join(at, 'bin')), 'installed', 'what cannot be run does not count');
  assert.equal(way(join(at, 'other'), join(at, 'bin')), 'outside', 'another program comes first');
  assert.equal(way(join(at, 'p/node_modules/.bin')), 'outside', 'a PATH that npm made for a script');
  assert.equal(way('', '.', 'bin'), 'outside', 'folders that depend on where one is');
});

test('a program in the project is named from the project, one elsewhere by its path', (t) => {
  withPath(t, '');
  const at = temporaryFolder(t, { 'dist/fieldguide.cjs': '', '_npx/1/fieldguide.cjs': '' });
  const root = temporaryFolder(t, { 'node_modules/fieldguide/dist/fieldguide.cjs': '' });
  const running = join(at, 'dist/fieldguide.cjs');
  const dependency = findProgram(running, root);
  assert.deepEqual(launchFrom('project', dependency, root), {
    command: 'node',
    args: ['node_modules/fieldguide/dist/fieldguide.cjs', 'serve'],
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
  const folder = '${workspaceFolder}';
  assert.deepEqual(launchFrom('workspace', dependency, root), {
    command: 'node',
    args: [`${folder}/node_modules/fieldguide/dist/fieldguide.cjs`, 'serve', '--root', folder],
  });
  assert.deepEqual(launchFrom('anywhere', dependency, root), {
    command: process.execPath,
    args: [join(root, 'node_modules/fieldguide/dist/fieldguide.cjs'), 'serve', '--root', root],
  });
  assert.deepEqual(launchFrom('project', findProgram(running, at), at).args, ['dist/fieldguide.cjs', 'serve']);
  const empty = temporaryFolder(t);
  assert.deepEqual(launchFrom('project', findProgram(running, empty), empty).args, [running, 'serve']);
  assert.ok(!isTemporary(findProgram(running, empty)));
  assert.ok(isTemporary(findProgram(join(at, '_npx/1/fieldguide.cjs'), empty)));
});

test('what stands in the way of a look on the PATH is passed over', (t) => {
  const at = temporaryFolder(t, { file: '', 'd/fieldguide/x': '' });
  writeFileSync(join(at, 'run.cjs'), '');
  symlinkSync('loop', join(at, 'loop'));
  withPath(t, join(at, 'file'), join(at, 'loop'), join(at, 'd'));
  assert.equal(findProgram(join(at, 'run.cjs'), temporaryFolder(t)).way, 'outside');
});
