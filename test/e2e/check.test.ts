// `build --check`: whether the bundle on disk is what the sources make, without a byte being written.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const FILES = {
  'project.yaml': 'version: "1.0"\nproject: { name: a }\nfiles: [LICENSE]\n',
  LICENSE: 'Take it.\n',
  'content/docs/a.md': '# A\n\n[b](b.md)\n',
  'content/docs/b.md': '# B\n',
};
const BUNDLE = 'dist-index/context.fgb';
const MANIFEST = 'dist-index/manifest.json';

function built(t: TestContext, files: Record<string, string> = FILES): string {
  const root = temporaryFolder(t, files);
  assert.equal(run(['build', '--root', root]).code, 0);
  return root;
}

/** With what is written down of earlier builds, and without, as in CI. */
function check(root: string, ...args: string[]) {
  const first = outcomeOf(root, args);
  const cache = join(root, '.fieldguide');
  if (readdirSync(root).includes('.fieldguide')) {
    renameSync(cache, `${root}-cache`);
    assert.deepEqual(outcomeOf(root, args), first);
    renameSync(`${root}-cache`, cache);
  }
  return first;
}

function outcomeOf(root: string, args: string[]) {
  const before = everything(root);
  const { code, stdout } = run(['build', '--check', '--root', root, '--json', ...args]);
  assert.deepEqual(everything(root), before, 'nothing was written');
  const { durationMs: _, ...outcome } = JSON.parse(stdout);
  assert.equal(outcome.ok, code === 0);
  return { code, ...outcome };
}

/** Each file and folder with what would betray a write; a folder tells of files that came and went. */
function everything(root: string): string[] {
  return ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].sort().map((path) => {
    const { mtimeNs, ino, size, mode } = lstatSync(join(root, path), { bigint: true });
    return [path, mtimeNs, ino, size, mode].join(' ');
  });
}

test('a bundle that is what the sources make is fresh', (t) => {
  const root = built(t);
  const { code, check: state, diagnostics, bundle } = check(root);
  assert.deepEqual([code, state, diagnostics], [0, 'fresh', []]);
  assert.deepEqual([bundle.changed, bundle.written], [false, false]);
  assert.equal(`${bundle.digest}`, JSON.parse(readFileSync(join(root, MANIFEST), 'utf8')).digest);
  const { stdout, stderr } = run(['build', '--check'], { cwd: root });
  assert.match(stdout, /^No problems in 2 documents[\s\S]*bundle +dist-index\/context\.fgb, [\d.]+ KB, fresh\n/);
  assert.equal(stderr, '');
});

test('a missing bundle is found missing, and nothing is made', (t) => {
  const root = temporaryFolder(t, FILES);
  const { code, check: state, diagnostics } = check(root);
  assert.deepEqual([code, state], [1, 'missing']);
  assert.equal(diagnostics[0].code, 'bundle-missing');
  assert.deepEqual(readdirSync(root).sort(), ['LICENSE', 'content', 'project.yaml']);
  const { stdout, stderr } = run(['build', '--check', '--root', root]);
  assert.equal(stdout, '');
  assert.match(stderr, /^dist-index\/context\.fgb:1:1 error bundle-missing: There is no bundle\.\n/);
  assert.match(stderr, new RegExp(`help: Run \`fieldguide build --root ${root}\`\\.`));
});

test('inputs that have changed are named: changed, new and gone', (t) => {
  const root = built(t);
  writeFileSync(join(root, 'LICENSE'), 'Leave it.\n');
  writeFileSync(join(root, 'content/docs/c.md'), '# C\n');
  rmSync(join(root, 'content/docs/b.md'));
  const { code, check: state, changes, diagnostics, warnings } = check(root);
  assert.deepEqual([code, state, warnings], [1, 'stale', 1]);
  assert.deepEqual(changes, { added: ['content/docs/c.md'], removed: ['content/docs/b.md'], changed: ['LICENSE'] });
  const [, stale] = diagnostics;
  assert.deepEqual([stale.code, stale.file, stale.severity], ['bundle-stale', BUNDLE, 'error']);
  assert.equal(
    stale.what,
    'The bundle is not what the sources make. LICENSE has changed, content/docs/c.md is new, content/docs/b.md is gone.',
  );
  assert.equal(run(['build', '--root', root]).code, 0);
  assert.equal(check(root).check, 'fresh');
});

test('at most ten inputs are named, and the others counted', (t) => {
  const root = built(t);
  for (let n = 10; n < 25; n++) writeFileSync(join(root, `content/docs/n${n}.md`), `# N ${n}\n`);
  const { what } = check(root).diagnostics[0];
  assert.equal(what.match(/n\d\d\.md is new/g).length, 10);
  assert.match(what, /n19\.md is new, and 5 more files\.$/);
});

test('a change that changes no byte of the bundle is none', (t) => {
  const root = built(t);
  writeFileSync(join(root, 'project.yaml'), `${FILES['project.yaml']}# A remark.\n`);
  assert.equal(check(root).check, 'fresh');
});

test('a file that is only named counts, too', (t) => {
  const files = {
    ...FILES,
    'project.yaml': `${FILES['project.yaml']}modules: { m: { description: d, keyFiles: [{ path: src }] } }\n`,
    'src/x.ts': '',
  };
  const root = built(t, files);
  assert.equal(check(root).check, 'fresh');
  rmSync(join(root, 'src'), { recursive: true });
  const { check: state, changes, diagnostics } = check(root);
  assert.equal(state, 'stale');
  assert.deepEqual(changes, { added: [], removed: [], changed: [] });
  const [stale] = diagnostics.filter(({ code }: { code: string }) => code === 'bundle-stale');
  assert.match(stale.what, /Its inputs are the same; a file that they name has come or gone/);
});

test('damage is found, wherever it is, and said to be that', (t) => {
  const root = built(t);
  const whole = readFileSync(join(root, BUNDLE));
  for (const at of [0, 100, whole.length >> 1, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 1;
    writeFileSync(join(root, BUNDLE), damaged);
    const { code, check: state, diagnostics } = check(root);
    assert.deepEqual([code, state], [1, 'stale']);
    assert.match(diagnostics[0].what, /It was made from them, but is damaged or was changed since\.$/);
  }
  writeFileSync(join(root, BUNDLE), whole.subarray(0, -1));
  assert.equal(check(root).check, 'stale');
  writeFileSync(join(root, BUNDLE), whole);
  assert.equal(check(root).check, 'fresh');
});

test('a manifest that is missing, broken or of another version never decides', (t) => {
  const root = built(t);
  const manifest = readFileSync(join(root, MANIFEST), 'utf8');
  const texts = [
    '',
    '{',
    'null',
    '7',
    '[]',
    '{"inputs":7}',
    '{"tool":"x","digest":"y","inputs":[null]}',
    '{"tool":"x","digest":"y","inputs":[{"path":{},"sha256":"z"}]}',
    '{"__proto__":{"tool":"x"}}',
  ];
  writeFileSync(join(root, MANIFEST), '{');
  assert.equal(check(root).check, 'fresh');
  writeFileSync(join(root, 'content/docs/b.md'), '# Other\n');
  for (const text of texts) {
    writeFileSync(join(root, MANIFEST), text);
    const { check: state, changes, diagnostics } = outcomeOf(root, []);
    assert.deepEqual([state, changes], ['stale', undefined], text);
    assert.match(diagnostics[0].what, /No manifest\.json beside it says what it was made from\.$/);
  }
  rmSync(join(root, MANIFEST));
  spawnSync('mkfifo', [join(root, MANIFEST)]);
  assert.equal(check(root).check, 'stale');
  rmSync(join(root, MANIFEST));
  writeFileSync(join(root, 'content/docs/b.md'), FILES['content/docs/b.md']);
  const bytes = readFileSync(join(root, BUNDLE));
  writeFileSync(join(root, BUNDLE), bytes.subarray(1));
  writeFileSync(join(root, MANIFEST), manifest.replace(/"tool": "[^"]*"/, '"tool": "0.0.1"'));
  assert.match(check(root).diagnostics[0].what, /It was made by version 0\.0\.1; this is \d/);
});

test('what is no file in place of the bundle is stale, never waited for', (t) => {
  const root = built(t);
  rmSync(join(root, BUNDLE));
  spawnSync('mkfifo', [join(root, BUNDLE)]);
  assert.match(check(root).diagnostics[0].what, /It is not a file\.$/);
  rmSync(join(root, BUNDLE));
  mkdirSync(join(root, BUNDLE));
  assert.match(check(root).diagnostics[0].what, /It is not a file\.$/);
  rmSync(join(root, BUNDLE), { recursive: true });
  symlinkSync('context.fgb', join(root, BUNDLE));
  assert.match(check(root).diagnostics[0].what, /It cannot be read \(ELOOP\)\.$/);
});

test('problems of the sources are reported as by a build: errors fail, warnings with --strict', (t) => {
  const root = built(t, { ...FILES, 'content/docs/b.md': '# B\n\n[gone](gone.md)\n' });
  const { code, check: state, warnings } = check(root);
  assert.deepEqual([code, state, warnings], [0, 'fresh', 1]);
  const strict = check(root, '--strict');
  assert.deepEqual([strict.code, strict.check], [1, 'fresh']);
  writeFileSync(join(root, 'project.yaml'), 'version: "1.0"\nprojct: { name: a }\n');
  const failed = check(root);
  assert.deepEqual([failed.code, failed.check, failed.bundle], [1, undefined, undefined]);
  assert.ok(failed.errors > 0);
});

test('--out says where the bundle is looked for', (t) => {
  const root = built(t);
  const out = temporaryFolder(t);
  const { check: state, diagnostics } = check(root, '--out', out);
  assert.equal(state, 'missing');
  assert.equal(diagnostics[0].file, 'project.yaml', 'what lies elsewhere is told at the project');
  assert.match(diagnostics[0].fix, new RegExp(`--out ${out}`));
  assert.equal(run(['build', '--root', root, '--out', out]).code, 0);
  assert.equal(check(root, '--out', out).check, 'fresh');
});

test('a folder that nobody may write to is checked', (t) => {
  const root = built(t);
  const folders = ['dist-index', 'content/docs', 'content', '.'];
  rmSync(join(root, '.fieldguide'), { recursive: true });
  for (const folder of folders) chmodSync(join(root, folder), 0o555);
  const { code, stdout } = run(['build', '--check', '--root', root]);
  for (const folder of folders) chmodSync(join(root, folder), 0o755);
  assert.equal(code, 0);
  assert.match(stdout, /fresh/);
  assert.ok(!readdirSync(root).includes('.fieldguide'));
});

test('every reporter tells of a stale bundle', (t) => {
  const root = built(t);
  writeFileSync(join(root, 'LICENSE'), 'Leave it.\n');
  for (const name of ['default', 'concise', 'json', 'github', 'gitlab', 'sarif', 'markdown']) {
    const { code, stdout, stderr } = run(['build', '--check', '--root', root, '--reporter', name]);
    assert.equal(code, 1);
    assert.match(stdout + stderr, /bundle-stale/, name);
    assert.match(stdout + stderr, /LICENSE has changed/, name);
  }
});
