// The CI step, run: every step of action.yml in a scratch repository, with the runner's files and variables; the
// GitLab template's own script; the commands of the pre-commit hooks.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { run, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Ran, readAction, runAction } from '../support/runner.ts';

const ROOT = join(import.meta.dirname, '../..');
const ACTION = readAction(join(ROOT, 'action.yml'));

const GOOD = {
  'project.yaml': 'version: "1.0"\nproject: { name: Shop }\nmodules:\n  auth: { patterns: [Use JWT] }\n',
  'content/docs/start.md': '# Start\n\nRead this.\n',
};
const BROKEN_LINK = '# More\n\nSee [that](gone.md).\n';

/** A checkout of a pull request, with its base at `origin`. */
function checkout(t: TestContext, base: Record<string, string>, change: Record<string, string>): string {
  const folder = temporaryFolder(t);
  const git = (cwd: string, ...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid', ...args], { cwd, stdio: 'pipe' });
  const origin = join(folder, 'origin');
  mkdirSync(origin);
  git(origin, 'init', '-q', '-b', 'main');
  writeAll(origin, { '.gitignore': 'dist-index/\n.fieldguide/\nnode_modules/\n', ...base });
  git(origin, 'add', '-A');
  git(origin, 'commit', '-qm', 'base');
  git(folder, 'clone', '-q', origin, 'work');
  writeAll(join(folder, 'work'), change);
  return join(folder, 'work');
}

function writeAll(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The project has fieldguide installed, as most will. */
function withCommand(workspace: string): string {
  const file = join(workspace, 'node_modules/.bin/fieldguide');
  writeAll(workspace, {
    'node_modules/.bin/fieldguide': `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(START_FILE)} "$@"\n`,
  });
  execFileSync('chmod', ['+x', file]);
  return workspace;
}

function act(t: TestContext, workspace: string, inputs: Record<string, string> = {}, github = {}): Ran {
  return runAction(ACTION, { workspace, temp: join(temporaryFolder(t), 'temp'), inputs, github });
}

test('a good guide: outputs, a summary, the bundle kept', (t) => {
  const workspace = withCommand(checkout(t, GOOD, {}));
  const ran = act(t, workspace);
  assert.equal(ran.outcome, 'success', ran.log);
  const file = join(workspace, 'dist-index/context.fgb');
  const { digest } = JSON.parse(run(['verify', file, '--json']).stdout);
  assert.deepEqual(ran.outputs, {
    bundle: 'dist-index/context.fgb',
    digest,
    size: String(readFileSync(file).length),
    documents: '1',
    errors: '0',
    warnings: '0',
    exit_code: '0',
  });
  assert.match(ran.summary, /Shop/);
  assert.deepEqual(ran.used, [
    {
      uses: 'actions/upload-artifact@v4',
      with: { name: 'fieldguide', path: 'dist-index/context.fgb', 'if-no-files-found': 'error' },
    },
  ]);
});

test('a warning is an annotation at its line, and fails the step only when strict', (t) => {
  const workspace = withCommand(checkout(t, GOOD, { 'content/docs/more.md': BROKEN_LINK }));
  const lenient = act(t, workspace);
  assert.equal(lenient.outcome, 'success', lenient.log);
  assert.match(lenient.log, /^::warning file=content\/docs\/more\.md,line=3,[^:]*title=link-broken::/m);
  assert.match(lenient.summary, /link-broken/);
  assert.deepEqual([lenient.outputs.errors, lenient.outputs.warnings], ['0', '1']);
  const strict = act(t, workspace, { strict: 'true' });
  assert.equal(strict.outcome, 'failure');
  assert.deepEqual([strict.outputs.digest, strict.outputs.warnings, strict.outputs.exit_code], ['', '1', '1']);
  assert.deepEqual(strict.used, []);
});

test('an error fails the step, with its annotation and outputs', (t) => {
  const workspace = withCommand(checkout(t, GOOD, { 'project.yaml': 'version: "1.0"\nproject: { nmae: Shop }\n' }));
  const ran = act(t, workspace);
  assert.equal(ran.outcome, 'failure');
  assert.match(ran.log, /^::error file=project\.yaml,line=2,/m);
  assert.equal(ran.outputs.exit_code, '1');
  assert.ok(!existsSync(join(workspace, 'dist-index/context.fgb')));
});

test('a project in a folder is annotated by its path in the repository', (t) => {
  const inFolder = Object.fromEntries(Object.entries(GOOD).map(([name, text]) => [`apps/shop/${name}`, text]));
  const workspace = withCommand(checkout(t, inFolder, { 'apps/shop/content/docs/more.md': BROKEN_LINK }));
  const ran = act(t, workspace, { path: 'apps/shop' });
  assert.match(ran.log, /^::warning file=apps\/shop\/content\/docs\/more\.md,line=3,/m);
  assert.equal(ran.outputs.bundle, 'apps/shop/dist-index/context.fgb');
});

test('on a pull request the summary says what an agent would notice', (t) => {
  const change = { 'content/docs/more.md': '# More\n\nNew words.\n' };
  const workspace = withCommand(checkout(t, GOOD, change));
  const ran = act(t, workspace, {}, { base_ref: 'main' });
  assert.equal(ran.outcome, 'success', ran.log);
  assert.match(ran.summary, /guide:\/\/document\/docs\/more\.md/);
  const first = act(t, withCommand(checkout(t, {}, GOOD)), {}, { base_ref: 'main' });
  assert.equal(first.outcome, 'success', first.log);
  assert.match(first.summary, /nothing to compare with/);
});

test('comparing with the base branch leaves a full clone with its history', (t) => {
  const workspace = withCommand(checkout(t, GOOD, {}));
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' }).trim();
  const commit = (message: string): void =>
    void git('-c', 'user.name=t', '-c', 'user.email=t@t.invalid', 'commit', '-q', '--allow-empty', '-m', message);
  commit('second');
  git('push', '-q', 'origin', 'HEAD:refs/heads/next');
  commit('third');
  // A clone by path shares its objects, and git fetches from it as from a server only under this address.
  git('remote', 'set-url', 'origin', `file://${join(workspace, '../origin')}`);
  const ran = act(t, workspace, {}, { base_ref: 'next' });
  assert.equal(ran.outcome, 'success', ran.log);
  assert.equal(git('rev-parse', '--is-shallow-repository'), 'false');
  assert.equal(git('rev-list', '--count', 'HEAD'), '3');
  assert.equal(git('worktree', 'list').split('\n').length, 1);
});

test('a base branch that cannot be fetched is said, and fails nothing', (t) => {
  const workspace = withCommand(checkout(t, GOOD, {}));
  execFileSync('git', ['remote', 'remove', 'origin'], { cwd: workspace });
  const ran = act(t, workspace, {}, { base_ref: 'main' });
  assert.equal(ran.outcome, 'success', ran.log);
  assert.match(ran.summary, /could not be fetched/);
  assert.equal(ran.used.length, 1, 'the bundle is kept all the same');
});

test('a repository that was checked out into a folder of the workspace is compared with its base, too', (t) => {
  const inFolder = Object.fromEntries(Object.entries(GOOD).map(([name, text]) => [`apps/shop/${name}`, text]));
  const change = { 'apps/shop/content/docs/more.md': '# More\n\nNew words.\n' };
  const work = withCommand(checkout(t, inFolder, change));
  const ran = act(t, join(work, '..'), { path: 'work/apps/shop', version: `file:${ROOT}` }, { base_ref: 'main' });
  assert.equal(ran.outcome, 'success', ran.log);
  assert.match(ran.summary, /guide:\/\/document\/docs\/more\.md/);
});

test('further reporters go to their files; a wrong one ends the step with its usage error', (t) => {
  const workspace = withCommand(checkout(t, GOOD, {}));
  const reporters = 'sarif=fieldguide.sarif\ngitlab=quality.json\n';
  assert.equal(act(t, workspace, { reporters }).outcome, 'success');
  assert.equal(JSON.parse(readFileSync(join(workspace, 'fieldguide.sarif'), 'utf8')).version, '2.1.0');
  assert.deepEqual(JSON.parse(readFileSync(join(workspace, 'quality.json'), 'utf8')), []);
  const wrong = act(t, workspace, { reporters: 'sarfi=x' });
  assert.equal(wrong.outcome, 'failure');
  assert.match(wrong.log, /sarif/);
});

test('a stale bundle fails the check, and nothing is written', (t) => {
  const workspace = withCommand(checkout(t, GOOD, {}));
  assert.equal(act(t, workspace).outcome, 'success');
  assert.equal(act(t, workspace, { check: 'true', upload: '' }).outcome, 'success');
  writeAll(workspace, { 'content/docs/start.md': '# Start\n\nOther words.\n' });
  const before = readFileSync(join(workspace, 'dist-index/context.fgb'));
  const ran = act(t, workspace, { check: 'true' });
  assert.equal(ran.outcome, 'failure');
  assert.match(ran.log, /::error .*title=bundle-stale::/);
  assert.ok(before.equals(readFileSync(join(workspace, 'dist-index/context.fgb'))));
});

test('without fieldguide in the project, the package is installed', (t) => {
  const folder = temporaryFolder(t);
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ran = act(t, checkout(t, GOOD, {}), { version: `file:${join(folder, JSON.parse(packed)[0].filename)}` });
  assert.equal(ran.outcome, 'success', ran.log);
  assert.match(ran.outputs.digest ?? '', /^sha256:[0-9a-f]{64}$/);
});

test('the GitLab template’s own script builds, reports and keeps', (t) => {
  const [spec, jobs] = parseAllDocuments(readFileSync(join(ROOT, 'templates/fieldguide.gitlab-ci.yml'), 'utf8')).map(
    (document) => document.toJS(),
  );
  const { fieldguide } = jobs;
  const workspace = checkout(t, GOOD, { 'content/docs/more.md': BROKEN_LINK });
  withCommand(join(workspace, '.fieldguide-ci'));
  const filled = (text: string): string =>
    text.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name) => String(spec.spec.inputs[name].default));
  for (const value of Object.values<string>(fieldguide.variables)) {
    const [, alone] = /^\$\[\[ inputs\.(\w+) \]\]$/.exec(value) ?? [];
    assert.notEqual(spec.spec.inputs[alone ?? '']?.type, 'boolean', 'GitLab keeps its type, and variables are strings');
  }
  const variables = Object.entries(fieldguide.variables).map(([name, value]) => [name, filled(String(value))]);
  const script = fieldguide.script.map(filled).filter((line: string) => !line.startsWith('npm install'));
  assert.equal(fieldguide.script.length, script.length + 1);
  const env = { PATH: process.env.PATH, CI_PROJECT_DIR: workspace, ...Object.fromEntries(variables) };
  const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script.join('\n')], {
    cwd: workspace,
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const [found] = JSON.parse(readFileSync(join(workspace, fieldguide.artifacts.reports.codequality), 'utf8'));
  assert.equal(found.check_name, 'link-broken');
  const [kept] = fieldguide.artifacts.paths.map((path: string) => path.replace('$FIELDGUIDE_ROOT', '.'));
  assert.ok(existsSync(join(workspace, kept)));
});

test('the pre-commit hooks name commands that there are', (t) => {
  const hooks = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'));
  const root = temporaryFolder(t, GOOD);
  for (const { entry } of hooks) {
    const [command, ...args] = entry.split(' ');
    assert.equal(command, 'fieldguide');
    const { code, stderr } = run(args, { cwd: root });
    assert.equal(code, 0, stderr);
  }
});
