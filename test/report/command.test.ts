// `build --reporter` as CI runs it: what goes to stdout, to stderr, to files, and with which exit code.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/clock.ts';
import { run, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const FILES = {
  'project.yaml': 'version: "1.0"\nproject: { name: a }\n',
  'content/docs/a.md': '# A\n\n[b](gone.md)\n',
};
const ERROR = { ...FILES, 'project.yaml': `${FILES['project.yaml']}tehc: {}\n` };

/** No CI but the one that a test names. */
const NO_CI = { GITHUB_ACTIONS: '', GITHUB_WORKSPACE: '', GITHUB_STEP_SUMMARY: '', CI_PROJECT_DIR: '' };

function build(root: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  return run(['build', ...args], { cwd: root, env: { ...NO_CI, ...env } });
}

const CONCISE = 'content/docs/a.md:3:5: warning link-broken: gone.md leads to no file.\n';

test('a reporter without a path has stdout to itself, and the default one keeps to stderr beside it', (t) => {
  const root = temporaryFolder(t, FILES);
  assert.deepEqual(build(root, ['--reporter', 'concise']), { code: 0, stdout: CONCISE, stderr: '' });
  const both = build(root, ['--reporter', 'default', '--reporter=concise']);
  assert.equal(both.stdout, CONCISE);
  assert.match(
    both.stderr,
    /\[b\]\(gone\.md\)\n +\^\n[\s\S]*1 warning in 1 document[\s\S]*project +a\n[\s\S]*--strict makes/,
  );
  const plain = build(root, ['--reporter', 'default']);
  assert.match(plain.stdout, /^1 warning in 1 document \([\d.]+ s\)\nproject +a\n/);
  assert.match(plain.stderr, /^content\/docs\/a\.md:3:5 warning link-broken/);
  assert.equal(
    build(root, ['--json']).stdout.replace(/"durationMs": \d+/, ''),
    build(root, ['--reporter', 'json', '--json']).stdout.replace(/"durationMs": \d+/, ''),
  );
});

test('reports go to files, each whole, beside what people see', (t) => {
  const root = temporaryFolder(t, FILES);
  const names = ['default', 'concise', 'json', 'github', 'gitlab', 'sarif', 'markdown'];
  const { code, stdout, stderr } = build(
    root,
    names.flatMap((name) => ['--reporter', `${name}=out/reports/${name}.txt`]),
  );
  assert.deepEqual([code, stdout], [0, ''], 'stdout is nobody’s');
  assert.match(stderr, /link-broken[\s\S]*1 warning in 1 document/);
  assert.deepEqual(readdirSync(join(root, 'out/reports')).sort(), names.map((name) => `${name}.txt`).sort());
  const text = (name: string): string => readFileSync(join(root, `out/reports/${name}.txt`), 'utf8');
  assert.equal(text('concise'), CONCISE);
  assert.equal(JSON.parse(text('json')).warnings, 1);
  assert.equal(JSON.parse(text('gitlab')).length, 1);
  assert.equal(JSON.parse(text('sarif')).runs[0].results.length, 1);
  assert.match(text('github'), /^::warning file=content\/docs\/a\.md,line=3,col=5,title=link-broken::gone\.md/);
  assert.match(text('markdown'), /^## Fieldguide: 1 warning in 1 document/);
  assert.match(text('default'), /\^\n[\s\S]*project +a\n[\s\S]*--strict makes warnings fail\.\n$/);
});

test('the exit code is the build’s, whatever reports it', (t) => {
  const root = temporaryFolder(t, ERROR);
  for (const name of ['default', 'concise', 'json', 'github', 'gitlab', 'sarif', 'markdown']) {
    const { code, stdout, stderr } = build(root, ['--reporter', name]);
    assert.equal(code, 1, name);
    assert.match(stdout + stderr, /key-unknown/);
    assert.equal(stdout === '', name === 'default');
    assert.equal(build(temporaryFolder(t, FILES), ['--reporter', name]).code, 0, name);
    assert.equal(build(temporaryFolder(t, FILES), ['--reporter', name, '--strict']).code, 1, name);
  }
});

test('a report that cannot be written is exit code 1, said plainly, and stops no other', (t) => {
  const root = temporaryFolder(t, { ...FILES, 'a-file': '', 'a-folder/x': '' });
  const { code, stderr } = build(root, [
    '--reporter',
    'json=a-file/x.json',
    '--reporter',
    'sarif=a-folder',
    '--reporter',
    'concise=done.txt',
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^fieldguide build: the report "a-file\/x\.json" cannot be written \((EEXIST|ENOTDIR)\)$/m);
  assert.match(stderr, /^fieldguide build: the report "a-folder" cannot be written \(EISDIR\)$/m);
  assert.equal(readFileSync(join(root, 'done.txt'), 'utf8'), CONCISE);
  assert.ok(existsSync(join(root, 'dist-index/context.fgb')));
});

test('what is no plain file is written through, never replaced', (t) => {
  const root = temporaryFolder(t, { ...FILES, 'real/report.txt': 'before' });
  symlinkSync('real/report.txt', join(root, 'link'));
  assert.equal(build(root, ['--reporter', 'concise=link']).code, 0);
  assert.equal(readFileSync(join(root, 'real/report.txt'), 'utf8'), CONCISE);
  assert.equal(build(root, ['--reporter', 'concise=/dev/null']).code, 0);
  assert.ok(statSync('/dev/null').isCharacterDevice());
  const shell = `"${process.execPath}" "${START_FILE}" build --reporter concise=/dev/stdout 2>/dev/null | cat`;
  assert.equal(spawnSync('bash', ['-c', shell], { cwd: root, encoding: 'utf8' }).stdout, CONCISE);
});

test('wrong reporters are wrong usage, before anything is built', (t) => {
  const root = temporaryFolder(t, FILES);
  const cases: [string[], RegExp][] = [
    [['--reporter', 'sarf'], /there is no reporter "sarf"; did you mean sarif\?/],
    [['--reporter', 'zzzzzzzz'], /one of default, concise, json, github, gitlab, sarif, markdown/],
    [['--reporter', 'json='], /--reporter json= needs a path/],
    [
      ['--reporter', 'json', '--reporter', 'sarif'],
      /json and sarif cannot share stdout; give one a path: --reporter sarif=<path>/,
    ],
    [['--json', '--reporter', 'concise'], /concise and json cannot share stdout/],
    [['--reporter', 'json=x', '--reporter', 'sarif=./x'], /two reporters would write/],
    [['--reporter', 'sarif', '--watch'], /--watch knows the reporters default, concise, json alone/],
    [['--reporter', 'json=x', '--watch'], /--watch writes no report files/],
    [['--check', '--watch'], /--check looks once; leave --watch out/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = build(root, args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
  assert.ok(!existsSync(join(root, 'dist-index')));
});

test('CI systems are told paths from the repository when the project is a folder of it', (t) => {
  const repository = temporaryFolder(t);
  const root = join(repository, 'apps/my shop');
  mkdirSync(join(root, 'content/docs'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
  const path = (args: string[], env: NodeJS.ProcessEnv): string => {
    const { stdout } = run(['build', '--root', root, ...args], { cwd: repository, env: { ...NO_CI, ...env } });
    return /apps[^,"`]*a\.md|content[^,"`]*a\.md/.exec(stdout)?.[0] ?? stdout;
  };
  const github = { GITHUB_WORKSPACE: repository };
  const gitlab = { CI_PROJECT_DIR: repository };
  assert.equal(path(['--reporter', 'github'], github), 'apps/my shop/content/docs/a.md');
  assert.equal(path(['--reporter', 'gitlab'], gitlab), 'apps/my shop/content/docs/a.md');
  assert.equal(path(['--reporter', 'sarif'], github), 'apps/my%20shop/content/docs/a.md');
  assert.equal(path(['--reporter', 'sarif'], gitlab), 'apps/my%20shop/content/docs/a.md');
  assert.match(path(['--reporter', 'markdown'], github), /^apps\/my shop\/content/);
  for (const name of ['concise', 'json']) assert.equal(path(['--reporter', name], github), 'content/docs/a.md');
  assert.equal(path(['--reporter', 'github'], {}), 'content/docs/a.md', 'a folder of no repository');
  assert.equal(path(['--reporter', 'github'], { GITHUB_WORKSPACE: '/elsewhere' }), 'content/docs/a.md');
  mkdirSync(join(repository, '.git'));
  assert.equal(path(['--reporter', 'github'], {}), 'apps/my shop/content/docs/a.md', 'git knows, too');
  symlinkSync(repository, `${repository}-link`);
  t.after(() => spawnSync('rm', [`${repository}-link`]));
  assert.equal(
    path(['--reporter', 'github'], { GITHUB_WORKSPACE: `${repository}-link` }),
    'apps/my shop/content/docs/a.md',
  );
});

test('github appends the markdown report to the job summary, within its limit', (t) => {
  const root = temporaryFolder(t, { ...FILES, 'summary.md': 'before\n' });
  const file = join(root, 'summary.md');
  const env = { GITHUB_STEP_SUMMARY: file, GITHUB_OUTPUT: join(root, 'output') };
  assert.equal(build(root, ['--reporter', 'github'], env).code, 0);
  assert.match(readFileSync(file, 'utf8'), /^before\n## Fieldguide: 1 warning[\s\S]*\| digest \| `sha256:/);
  assert.ok(!existsSync(env.GITHUB_OUTPUT), 'outputs are the step’s own');
  assert.equal(build(root, ['--reporter', 'concise'], env).code, 0);
  assert.equal(readFileSync(file, 'utf8').split('## Fieldguide').length, 2, 'no other reporter writes there');
  const full = 'x'.repeat(1024 * 1024 - 10);
  writeFileSync(file, full);
  const { code, stderr } = build(root, ['--reporter', 'github'], env);
  assert.equal(code, 0);
  assert.match(stderr, /the job summary is full/);
  assert.equal(readFileSync(file, 'utf8'), full);
  const bad = build(root, ['--reporter', 'github'], { GITHUB_STEP_SUMMARY: join(root, 'content') });
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /the job summary cannot be written \(EISDIR\)/);
});

test('nothing happens by itself in a workflow, but names of files stay words there', (t) => {
  const name = '::add-mask::x.md';
  const files = { ...FILES, [`content/docs/${name}`]: '# B\n\n::error::[b](gone.md)\n' };
  const root = temporaryFolder(t, files);
  const { stdout, stderr } = build(root, [], { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(root, 'summary') });
  assert.doesNotMatch(stdout + stderr, /^\s*::/m);
  assert.match(stderr, /^ {4}: :error::\[b\]\(gone\.md\)$/m);
  assert.ok(!existsSync(join(root, 'summary')));
  assert.match(build(root, []).stderr, /^ {4}::error::\[b\]\(gone\.md\)$/m);
});

test('--watch with concise shows a problem when it appears', async (t) => {
  const root = temporaryFolder(t, FILES);
  const child = spawn(process.execPath, [START_FILE, 'build', '--watch', '--reporter', 'concise', '--root', root]);
  t.after(() => child.kill('SIGKILL'));
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      seen[name] += chunk;
    });
  }
  await until(() => seen.stderr.includes('Watching for changes'));
  assert.equal(seen.stdout, CONCISE);
  writeFileSync(join(root, 'content/docs/b.md'), '# B\n\n[c](c.md)\n');
  await until(() => seen.stderr.split('Watching for changes').length === 3);
  assert.equal(seen.stdout, `${CONCISE}content/docs/b.md:3:5: warning link-broken: c.md leads to no file.\n`);
});

test('a report is replaced whole, and an old one keeps nothing', (t) => {
  const root = temporaryFolder(t, { ...FILES, 'report.txt': 'x'.repeat(10_000) });
  chmodSync(join(root, 'report.txt'), 0o444);
  assert.equal(build(root, ['--reporter', 'concise=report.txt']).code, 0);
  assert.equal(readFileSync(join(root, 'report.txt'), 'utf8'), CONCISE);
  assert.deepEqual(
    readdirSync(root).filter((name) => name.endsWith('.tmp')),
    [],
  );
});
