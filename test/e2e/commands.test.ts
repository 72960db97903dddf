// The commands as a person runs them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';
import { SHOP, SHOP_FILES } from '../support/shop.ts';

const COMMANDS = ['init', 'build', 'connect', 'export', 'diff', 'serve', 'read', 'list', 'verify', 'schema'];

test('build writes a bundle and a manifest, and says what it made', (t) => {
  const root = temporaryFolder(t, SHOP_FILES);
  const { code, stdout, stderr } = run(['build'], { cwd: root });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /project +My SaaS App\nmodules +3\ndocuments +0\nresources +7\nprompts +2\nbundle +dist-index\/context\.fgb, [\d.]+ KB\ndigest +sha256:[0-9a-f]{64}\n/,
  );
  const manifest = JSON.parse(readFileSync(join(root, 'dist-index/manifest.json'), 'utf8'));
  assert.equal(manifest.inputs[0].path, 'project.yaml');
  assert.match(stdout, new RegExp(manifest.digest));
  assert.match(run(['build'], { cwd: root }).stdout, /unchanged/);
});

test('build shows an error with its line, a caret and what to do, and writes nothing', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': `${SHOP}tehc: {}\n`,
    'dist-index/context.fgb': 'the last good one',
  });
  const { code, stdout, stderr } = run(['build', '--root', root]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^project\.yaml:34:1 error key-unknown: The key "tehc" is unknown\.\n {4}tehc: \{\}\n {4}\^\n/);
  assert.match(stderr, /help: Did you mean "tech"\?/);
  assert.match(stderr, /fieldguide build: 1 error \([\d.]+ s\); nothing was written/);
  assert.equal(readFileSync(join(root, 'dist-index/context.fgb'), 'utf8'), 'the last good one');
  assert.deepEqual(readdirSync(join(root, 'dist-index')), ['context.fgb']);
});

test('build --json says the same as data', (t) => {
  const root = temporaryFolder(t, { ...SHOP_FILES, 'project.yaml': `${SHOP}tehc: {}\n` });
  const failed = run(['build', '--root', root, '--json']);
  assert.equal(failed.code, 1);
  const { ok, diagnostics } = JSON.parse(failed.stdout);
  assert.equal(ok, false);
  assert.deepEqual(Object.keys(diagnostics[0]).sort(), [
    'code',
    'column',
    'file',
    'fix',
    'line',
    'severity',
    'what',
    'why',
  ]);
  writeFileSync(join(root, 'project.yaml'), SHOP);
  const done = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.deepEqual([done.ok, done.bundle.modules, done.diagnostics], [true, 3, []]);
});

test('build in a folder of the project builds it; of another repository, or with a file called .yml, it says what to do', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': SHOP,
    'src/auth/x.ts': '',
    'repo/.git/x': '',
    'repo/src/x.ts': '',
  });
  const said = (cwd: string): string => run(['build'], { cwd }).stderr;
  assert.equal(run(['build'], { cwd: join(root, 'src/auth') }).code, 0);
  assert.ok(existsSync(join(root, 'dist-index/context.fgb')));
  assert.match(said(join(root, 'repo/src')), /help: Run `fieldguide init`/, 'that of another repository is not meant');
  const misnamed = temporaryFolder(t, { 'project.yml': SHOP });
  assert.match(said(misnamed), /help: Rename project\.yml: it must be called project\.yaml\.$/m);
});

test('build without a project, or with one that cannot be read, is one clear error', (t) => {
  const empty = run(['build', '--root', temporaryFolder(t)]);
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /error project-missing: There is no project\.yaml in this folder\./);
  const folder = temporaryFolder(t, { 'project.yaml/x': '' });
  assert.match(
    run(['build', '--root', folder]).stderr,
    /error project-unreadable: project\.yaml cannot be read \(EISDIR\)/,
  );
  const binary = temporaryFolder(t);
  writeFileSync(join(binary, 'project.yaml'), Buffer.from([0x61, 0xff, 0xfe]));
  assert.match(run(['build', '--root', binary]).stderr, /error project-unreadable: project\.yaml is not UTF-8/);
  const huge = temporaryFolder(t);
  writeFileSync(join(huge, 'project.yaml'), Buffer.alloc(50 * 1024 * 1024, 'a'));
  assert.match(run(['build', '--root', huge]).stderr, /error project-too-large/);
});

test('an output folder that cannot be written is one line, no stack', (t) => {
  const root = temporaryFolder(t, { 'project.yaml': SHOP, blocked: '' });
  const { code, stderr } = run(['build', '--root', root, '--out', join(root, 'blocked/here')]);
  assert.equal(code, 1);
  assert.match(stderr, /^fieldguide build: [^\n]*ENOTDIR[^\n]*\n$/);
  assert.match(run(['build', '--root', root, '--out', join(root, 'blocked/here'), '--debug']).stderr, /\n {4}at /);
});

test('read prints what an agent gets; --json the protocol’s answer', (t) => {
  const root = builtShop(t);
  const { code, stdout } = run(['read', OVERVIEW, '--root', root]);
  assert.equal(code, 0);
  assert.match(stdout, /^# Project: My SaaS App\n/);
  const result = JSON.parse(run(['read', OVERVIEW, '--root', root, '--json']).stdout);
  assert.equal(result.contents[0].text, stdout);
  const missing = run(['read', 'context://module/auht', '--root', root]);
  assert.deepEqual([missing.code, missing.stdout], [1, '']);
  assert.match(missing.stderr, /^fieldguide read: Module not found: auht\. .* Did you mean "auth"\?/);
});

test('without a bundle every command says what a person has to run', (t) => {
  const root = temporaryFolder(t, {});
  for (const command of [['read', OVERVIEW], ['list'], ['search', 'x']]) {
    const { code, stderr } = run([...command, '--root', root]);
    assert.equal(code, 1);
    assert.match(stderr, /No bundle to serve\. .*Run `fieldguide build` where project\.yaml is\.\n$/, stderr);
  }
});

test('list prints every resource as a tree with sizes; --json the data', (t) => {
  const modules = Array.from({ length: 500 }, (_, n) => `  m${n}: {}`).join('\n');
  const root = builtShop(t, `version: "1.0"\nproject: { name: a }\nmodules:\n${modules}\n`);
  const { code, stdout } = run(['list', '--root', root]);
  assert.equal(code, 0);
  assert.equal(stdout.split('\n').length, 504 + 2 + 1, 'the resources, two folders, and the last line break');
  assert.match(
    stdout,
    /^context:\/\/ +[\d.]+ KB {2}504 resources\n {2}project\/overview +[\d.]+ KB {2}Project Overview\n {2}module\/ +[\d.]+ KB {2}500 resources\n {4}m0 +\d+ B {2}Module: m0\n/,
  );
  const { resources, resourceTemplates } = JSON.parse(run(['list', '--root', root, '--json']).stdout);
  assert.deepEqual([resources.length, resourceTemplates.length], [504, 8]);
});

test('verify prints the digest of a whole bundle and names what is damaged in another', (t) => {
  const root = builtShop(t);
  const file = join(root, 'dist-index/context.fgb');
  const whole = run(['verify', file]);
  assert.deepEqual([whole.code, whole.stderr], [0, '']);
  assert.match(whole.stdout, /^whole: 7 resources, \d+ records\nsha256:[0-9a-f]{64}\n$/);
  assert.equal(run(['verify', '--root', root]).stdout, whole.stdout);
  const bytes = readFileSync(file);
  bytes.write('X', bytes.indexOf('# Module: auth'));
  const copy = join(root, 'copy.fgb');
  writeFileSync(copy, bytes);
  const damaged = run(['verify', copy]);
  assert.equal(damaged.code, 1);
  assert.match(damaged.stderr, /damaged: context:\/\/module\/auth: /);
  const { ok, damage } = JSON.parse(run(['verify', copy, '--json']).stdout);
  assert.deepEqual([ok, damage.length], [false, 1]);
  writeFileSync(copy, bytes.subarray(0, 9000));
  assert.match(run(['verify', copy]).stderr, /shorter or longer than its header says/);
  assert.match(
    run(['verify', join(root, 'nothing.fgb')]).stderr,
    /there is no bundle at .*; run `fieldguide build` first/,
  );
});

test('a bundle is served from a folder nobody may write to', (t) => {
  const root = builtShop(t);
  chmodSync(join(root, 'dist-index/context.fgb'), 0o444);
  chmodSync(join(root, 'dist-index'), 0o555);
  const { code } = run(['read', OVERVIEW, '--root', root]);
  chmodSync(join(root, 'dist-index'), 0o755);
  assert.equal(code, 0);
});

test('every command has help with examples first', () => {
  const main = run(['--help']);
  assert.equal(main.code, 0);
  for (const name of COMMANDS) {
    assert.match(main.stdout, new RegExp(`^  ${name} `, 'm'));
    const { code, stdout } = run([name, '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^[^\n]+\n\nExamples:\n {2}fieldguide /);
    assert.match(stdout, /\nUsage: fieldguide /);
    assert.equal(run(['help', name]).stdout, stdout);
  }
  assert.match(run([]).stdout, /Commands:/);
  assert.match(run(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('wrong usage is exit code 2, one line, and the nearest right word', () => {
  const cases: [string[], RegExp][] = [
    [['biuld'], /unknown command "biuld"; did you mean fieldguide build\?/],
    [['build', '--rot', 'x'], /unknown option --rot; did you mean --root\?/],
    [['build', '--root'], /--root needs a value/],
    [['build', '--strict=yes'], /--strict takes no value/],
    [['build', 'extra'], /one argument too many: "extra"/],
    [['serve', '--map', 'magic'], /--map is one of auto, mmap, pread; not "magic"/],
    [['read'], /read needs <uri>/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = run(args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  }
});

test('colours appear on no pipe, and a closed pipe is no error', (t) => {
  const root = temporaryFolder(t, { 'project.yaml': 'nonsense: 1\n' });
  assert.ok(!run(['build', '--root', root]).stderr.includes('\u001b'));
  assert.ok(!existsSync(join(root, 'dist-index')));
});

test('the schema for editors is made from the definition that checks', () => {
  const { $schema, properties, required } = JSON.parse(run(['schema']).stdout);
  assert.match($schema, /2020-12/);
  assert.deepEqual(required, ['version', 'project']);
  assert.ok(properties.modules.additionalProperties.properties.keyFiles);
});

test('an output that cannot be written is an error; a reader that has gone changes no exit code', (t) => {
  const root = builtShop(t);
  const bad = temporaryFolder(t, { 'project.yaml': 'nonsense: 1\n' });
  const shell = (line: string) => spawnSync('bash', ['-c', `set -o pipefail; ${line}`], { encoding: 'utf8' });
  const command = `"${process.execPath}" "${START_FILE}"`;
  const full = shell(`${command} read ${OVERVIEW} --root ${root} > /dev/full`);
  assert.equal(full.status, 1);
  assert.match(full.stderr, /cannot be written \(ENOSPC\)/);
  assert.equal(shell(`${command} build --json --root ${bad} | true`).status, 1);
  assert.equal(shell(`${command} list --root ${root} | head -1`).status, 0);
});

test('what is no file in place of project.yaml or of the bundle is refused, never waited for', (t) => {
  const root = temporaryFolder(t, { 'dist-index/.keep': '' });
  spawnSync('mkfifo', [join(root, 'project.yaml'), join(root, 'dist-index/context.fgb')]);
  assert.match(run(['build', '--root', root]).stderr, /project\.yaml is not a file/);
  assert.equal(run(['read', OVERVIEW, '--root', root]).code, 1);
  rmSync(join(root, 'project.yaml'));
  writeFileSync(join(root, 'project.yaml'), SHOP);
  assert.equal(run(['build', '--root', root]).code, 0);
  rmSync(join(root, 'dist-index/context.fgb'));
  symlinkSync('context.fgb', join(root, 'dist-index/context.fgb'));
  const { code, stderr } = run(['read', OVERVIEW, '--root', root]);
  assert.equal(code, 1);
  assert.match(stderr, /Bundle cannot be read\. It cannot be opened \(ELOOP\)/);
});
