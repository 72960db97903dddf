// `init` takes nothing away: what is there stays, and a failure leaves the folder as it was.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFiles } from '../../bin/init/write-files.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const NPM = { 'package.json': '{"name":"kept"}', '.git/HEAD': 'ref: x\n' };

function everything(root: string): [string, string][] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => [path, lstatSync(join(root, path)).isFile() ? readFileSync(join(root, path), 'utf8') : '']);
}

test('a second time is refused, says what to do, and changes nothing', (t) => {
  const root = temporaryFolder(t, NPM);
  assert.equal(run(['init', '--yes'], { cwd: root }).code, 0);
  const before = everything(root);
  for (const flags of [['--yes'], ['--json'], ['--dry-run'], []]) {
    const { code, stdout, stderr } = run(['init', ...flags], { cwd: root });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^fieldguide init: there is a project\.yaml already, .* Edit it, then run `fieldguide build`\.\n$/,
    );
  }
  assert.deepEqual(everything(root), before);
});

test('whatever is called project.yaml is in the way: a folder, a link that leads nowhere', (t) => {
  const folder = temporaryFolder(t, { 'project.yaml/x': '' });
  assert.equal(run(['init', '--yes', '--root', folder]).code, 1);
  const linked = temporaryFolder(t);
  symlinkSync(join(linked, 'elsewhere'), join(linked, 'project.yaml'));
  assert.equal(run(['init', '--yes', '--root', linked]).code, 1);
  assert.deepEqual(readdirSync(linked), ['project.yaml']);
});

test('a page that is there is left, and named', (t) => {
  const root = temporaryFolder(t, { 'content/guide/start.md': '# Mine\n', 'content/guide/more.md': '# More\n' });
  const { code, stderr } = run(['init', '--yes', '--root', root]);
  assert.equal(code, 0);
  assert.match(stderr, /^left content\/guide\/start\.md as it is$/m);
  assert.equal(readFileSync(join(root, 'content/guide/start.md'), 'utf8'), '# Mine\n');
  assert.equal(run(['build', '--strict', '--root', root]).code, 0);
});

test('a content folder of somebody else, or a link in its place, is left alone', (t) => {
  const elsewhere = temporaryFolder(t);
  const foreign = temporaryFolder(t, { 'content/posts/a.md': '[gone](gone.md)\n', 'fieldguide/x': '' });
  const linked = temporaryFolder(t);
  symlinkSync(elsewhere, join(linked, 'content'));
  for (const [root, place] of [
    [foreign, 'agent-guide'],
    [linked, 'fieldguide'],
  ] as const) {
    const { code, stderr } = run(['init', '--yes', '--root', root]);
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(join(root, place, 'guide/start.md')));
    assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  }
  assert.deepEqual(readdirSync(elsewhere), []);
  assert.deepEqual(readdirSync(join(foreign, 'content')), ['posts']);
});

test('.gitignore grows by what it lacks, in its own line endings', (t) => {
  const cases: [string | undefined, string][] = [
    [undefined, '# Fieldguide: the bundle, and what builds keep for the next one\n/dist-index/\n/.fieldguide/\n'],
    ['', '# Fieldguide: the bundle, and what builds keep for the next one\n/dist-index/\n/.fieldguide/\n'],
    [
      'a\r\nb\r\n',
      'a\r\nb\r\n\r\n# Fieldguide: the bundle, and what builds keep for the next one\r\n/dist-index/\r\n/.fieldguide/\r\n',
    ],
    [
      '.fieldguide\nx',
      '.fieldguide\nx\n\n# Fieldguide: the bundle, and what builds keep for the next one\n/dist-index/\n',
    ],
    ['dist*\n.*\n', 'dist*\n.*\n'],
  ];
  for (const [before, after] of cases) {
    const root = temporaryFolder(t, { ...NPM, ...(before === undefined ? {} : { '.gitignore': before }) });
    assert.equal(run(['init', '--yes', '--root', root]).code, 0);
    assert.equal(readFileSync(join(root, '.gitignore'), 'utf8'), after);
  }
});

test('a .gitignore that leads elsewhere is not written to', (t) => {
  const root = temporaryFolder(t, { ...NPM, 'real-ignore': 'x\n' });
  symlinkSync('real-ignore', join(root, '.gitignore'));
  const { code, stderr } = run(['init', '--yes', '--root', root]);
  assert.equal(code, 0);
  assert.match(
    stderr,
    /\.gitignore is passed over: it is no plain file; see that git ignores \/dist-index\/ and \/\.fieldguide\//,
  );
  assert.equal(readFileSync(join(root, 'real-ignore'), 'utf8'), 'x\n');
});

test('a dry run writes nothing and prints what it would write', (t) => {
  const root = temporaryFolder(t, NPM);
  const before = everything(root);
  const { code, stdout, stderr } = run(['init', '--dry-run', '--root', root]);
  assert.equal(code, 0);
  assert.match(stdout, /^# yaml-language-server[\s\S]*\nversion: "1\.0"\n[\s\S]* {2}name: kept\n/);
  assert.match(
    stderr,
    /^would write content\/guide\/start\.md.*\nwould write \.gitignore.*\nwould write project\.yaml.*\n$/,
  );
  const data = JSON.parse(run(['init', '--dry-run', '--json', '--root', root]).stdout);
  assert.deepEqual(
    data.files.map((file: { path: string }) => file.path),
    ['content/guide/start.md', '.gitignore', 'project.yaml'],
  );
  assert.equal(data.files[2].text, stdout);
  assert.deepEqual(everything(root), before);
  const written = JSON.parse(run(['init', '--json', '--root', root]).stdout);
  assert.deepEqual(
    [written.ok, written.dryRun, written.project.name, written.files[2]],
    [true, false, 'kept', { path: 'project.yaml', how: 'create' }],
  );
  assert.equal(readFileSync(join(root, 'project.yaml'), 'utf8'), stdout);
});

test('what was written before a failure is taken back', (t) => {
  const root = temporaryFolder(t, { '.gitignore': 'x\n', 'project.yaml': 'mine\n' });
  const before = everything(root);
  const planned = [
    { path: 'content/guide/start.md', text: 'page', how: 'create' },
    { path: '.gitignore', text: 'more\n', how: 'append' },
    { path: 'project.yaml', text: 'ours\n', how: 'create' },
  ] as const;
  assert.throws(() => writeFiles(root, planned), /project\.yaml has appeared in the meantime; nothing was written\./);
  assert.deepEqual(everything(root), before);
});

test('a folder that cannot be written to is one clear line', (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write anywhere');
  const root = temporaryFolder(t);
  chmodSync(root, 0o555);
  const { code, stderr } = run(['init', '--yes', '--root', root]);
  chmodSync(root, 0o755);
  assert.equal(code, 1);
  assert.match(stderr, /cannot be written \(EACCES\); nothing was written/);
  return undefined;
});

test('a folder that is not there is one clear line', (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, 'a'));
  writeFileSync(join(root, 'file'), '');
  for (const path of ['none', 'file']) {
    const { code, stderr } = run(['init', '--yes', '--root', join(root, path)]);
    assert.equal(code, 1);
    assert.match(stderr, /^fieldguide init: there is no folder .*\n$/);
  }
});
