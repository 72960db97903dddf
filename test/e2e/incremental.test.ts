// Building again: from the cache, from a damaged cache, and at every change.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../support/clock.ts';
import { run, Served, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { LIVE_URIS } from '../support/served.ts';

const FILES = {
  'project.yaml': 'version: "1.0"\nproject: { name: a }\n',
  'content/docs/a.md': '---\ntitle: A\nprority: 1\n---\n# A\n\n[b](b.md#x) — *über*\n',
  'content/docs/b.md': '# B\n\n## X *y* `z`\n',
  'content/docs/c.txt': '# B\n\n## X *y* `z`\n',
};

function build(root: string): { bytes: Buffer; diagnostics: unknown } {
  const { stdout } = run(['build', '--root', root, '--json']);
  return { bytes: readFileSync(join(root, 'dist-index/context.fgb')), diagnostics: JSON.parse(stdout).diagnostics };
}

test('the cache changes neither bytes nor problems, and a change is always seen', (t) => {
  const root = temporaryFolder(t, FILES);
  const cache = join(root, '.fieldguide/parsed.cache');
  const cold = build(root);
  assert.ok(existsSync(cache));
  assert.equal(readFileSync(join(root, '.fieldguide/.gitignore'), 'utf8'), '*\n');
  assert.deepEqual(build(root), cold);
  writeFileSync(join(root, 'content/docs/b.md'), '# B\n\n## Other\n');
  const changed = build(root);
  assert.notDeepEqual(changed, cold);
  rmSync(join(root, '.fieldguide'), { recursive: true });
  assert.deepEqual(build(root), changed);
  writeFileSync(join(root, 'content/docs/b.md'), FILES['content/docs/b.md']);
  assert.deepEqual(build(root), cold);
});

test('a damaged cache is never trusted', (t) => {
  const root = temporaryFolder(t, FILES);
  const cache = join(root, '.fieldguide/parsed.cache');
  const cold = build(root);
  const whole = readFileSync(cache);
  for (const at of [0, 31, 32, 63, 64, 100, whole.length >> 1, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 4;
    writeFileSync(cache, damaged);
    assert.deepEqual(build(root), cold);
    assert.ok(readFileSync(cache).equals(whole), 'it is made anew');
  }
  for (const length of [0, 10, 64, whole.length - 1]) {
    writeFileSync(cache, whole.subarray(0, length));
    assert.deepEqual(build(root), cold);
  }
});

test('a folder that cannot be written to is built without a cache', (t) => {
  const root = temporaryFolder(t, { ...FILES, '.fieldguide': 'a file where the folder would be' });
  assert.deepEqual(build(root), build(temporaryFolder(t, FILES)));
});

/** `build --watch` as a child; its outcomes as they come. */
function watching(t: TestContext, root: string) {
  const child = spawn(process.execPath, [START_FILE, 'build', '--watch', '--json', '--root', root]);
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return {
    child,
    outcomes: (): { ok: boolean; bundle?: { documents: number; changed: boolean } }[] =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
}

test('--watch builds at every change, lives through errors, and running servers go over', async (t) => {
  const root = temporaryFolder(t, { 'project.yaml': FILES['project.yaml'] });
  const { child, outcomes } = watching(t, root);
  await until(() => outcomes().length === 1);
  const served = new Served(t, ['--root', root]);
  const uris = async (): Promise<string[]> =>
    (await served.request('resources/list')).result.resources.map(({ uri }: { uri: string }) => uri);
  assert.deepEqual(await uris(), ['context://project/overview', ...LIVE_URIS]);

  const folder = temporaryFolder(t, FILES);
  cpSync(join(folder, 'content'), join(root, 'content'), { recursive: true });
  await until(() => outcomes().at(-1)?.bundle?.documents === 3);
  await until(async () => (await uris()).includes('guide://document/docs/a.md'));

  writeFileSync(join(root, 'project.yaml'), 'version: "1.0"\nprojct: { name: a }\n');
  await until(() => outcomes().at(-1)?.ok === false);
  assert.ok((await uris()).includes('guide://document/docs/a.md'), 'the last good bundle stays');

  writeFileSync(join(root, 'project.yaml'), 'version: "1.0"\nproject: { name: b }\n');
  await until(() => outcomes().at(-1)?.ok === true);
  rmSync(join(root, 'content/docs/a.md'));
  await until(() => outcomes().at(-1)?.bundle?.documents === 2);
  await until(async () => !(await uris()).includes('guide://document/docs/a.md'));

  const ended = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('--watch shows a problem once, when it appears', async (t) => {
  const root = temporaryFolder(t, { ...FILES, 'content/docs/b.md': '# B\n\n[gone](gone.md)\n' });
  const child = spawn(process.execPath, [START_FILE, 'build', '--watch', '--root', root]);
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const builds = (): number => stderr.split('Watching for changes').length - 1;
  await until(() => builds() === 1);
  writeFileSync(join(root, 'content/docs/c.txt'), 'more');
  await until(() => builds() === 2);
  assert.equal(stderr.split('link-broken').length - 1, 1);
});
