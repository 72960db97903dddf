// The rules of the house that can be checked: who imports whom, what is shipped, how large it is.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CODES, problem } from '../../build/diagnostics.ts';
import { VERSION } from '../../runtime/version.ts';
import { withFile } from '../support/bytes.ts';
import { temporaryFolder } from '../support/folder.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Loaded by commands and servers that need neither the compiler nor anything third-party. */
const OURS_ALONE = [
  'main.cjs',
  'fieldguide.cjs',
  'read.cjs',
  'list.cjs',
  'cli.cjs',
  'prompts.cjs',
  'session.cjs',
  'journal.cjs',
  'live.cjs',
  'record-topic.cjs',
  'hook.cjs',
  'session-file.cjs',
  'discoveries.cjs',
  'answer.cjs',
  'audit.cjs',
  'audit-verify.cjs',
  'audit-show.cjs',
];
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const metafiles: Record<string, { inputs: Record<string, unknown> }> = JSON.parse(
  readFileSync(join(ROOT, 'dist/metafile.json'), 'utf8'),
);

function inputsOf(name: string): string[] {
  return Object.keys(metafiles[name]?.inputs ?? {});
}

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file));
}

test('the file that serve loads is our own code only, and at most 60 KB with what starts it', () => {
  const inputs = inputsOf('main.cjs');
  assert.ok(inputs.length > 10);
  assert.deepEqual(
    inputs.filter(
      (input) => !/^(bin|runtime)\//.test(input) || /runtime\/(prompts|complete|audit(\/.*)?)\.ts$/.test(input),
    ),
    [],
  );
  const bytes = ['main.cjs', 'fieldguide.cjs'].map((name) => statSync(join(ROOT, 'dist', name)).size);
  assert.ok(bytes.reduce((sum, size) => sum + size) <= 60 * 1024, String(bytes));
});

test('the file that a hook loads is our own code only, at most 16 KB, and brings nothing of Node that starts slowly', (t) => {
  const inputs = inputsOf('hook.cjs');
  assert.ok(inputs.includes('bin/hook.ts'));
  assert.deepEqual(
    inputs.filter((input) => !/^(bin\/(hook|input)\.ts|runtime\/sessions\/[a-z0-9-]+\.ts)$/.test(input)),
    [],
  );
  assert.ok(statSync(join(ROOT, 'dist/hook.cjs')).size <= 16 * 1024);
  const list = 'require("fs").writeFileSync(process.env.LOADED, process.moduleLoadList.join("\\n"))';
  const root = temporaryFolder(t, { 'project.yaml': '', 'list.cjs': `process.on("exit", () => ${list});` });
  const input = JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', cwd: root });
  const env = { ...process.env, LOADED: join(root, 'loaded'), NODE_OPTIONS: `--require ${join(root, 'list.cjs')}` };
  const { status } = spawnSync(process.execPath, [join(ROOT, 'dist/fieldguide.cjs'), 'session', 'hook'], {
    input,
    env,
  });
  assert.equal(status, 0);
  assert.ok(statSync(join(root, '.fieldguide/sessions/s.journal')).size > 0);
  const loaded = readFileSync(join(root, 'loaded'), 'utf8').split('\n');
  for (const name of ['net', 'stream', 'tty', 'zlib', 'crypto', 'vm', 'child_process', 'worker_threads']) {
    assert.ok(!loaded.includes(`NativeModule ${name}`), name);
  }
});

test('the packages inside each shipped file are the ones we chose', () => {
  const packages = (name: string): string[] => [
    ...new Set(inputsOf(name).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])),
  ];
  for (const name of OURS_ALONE) {
    assert.ok(inputsOf(name).length > 0, name);
    assert.deepEqual(packages(name), []);
    assert.deepEqual(
      inputsOf(name).filter((input) => input.startsWith('build/')),
      [],
    );
  }
  assert.deepEqual(packages('upstream.cjs'), ['cockatiel']);
  const client = packages('open-link.cjs');
  assert.ok(client.includes('@modelcontextprotocol/client'));
  assert.ok(!client.some((name) => /server|express|hono/.test(name)), client.join());
  assert.deepEqual(packages('init.cjs'), []);
  assert.deepEqual(packages('read-toml.cjs'), ['smol-toml']);
  for (const name of ['verify.cjs', 'greeting.cjs']) assert.deepEqual(packages(name), ['msgpackr']);
  assert.deepEqual(packages('promote.cjs'), ['yaml']);
  assert.deepEqual(packages('connect.cjs'), ['jsonc-parser']);
  assert.deepEqual(packages('toml-edit.cjs'), ['smol-toml']);
  assert.ok(packages('live-database.cjs').includes('pg'));
  for (const name of packages('live-database.cjs')) assert.match(name, /^(pg|pgpass|postgres|split2|xtend)/);
  assert.deepEqual(packages('hand-over.cjs'), []);
  const compiler = packages('compile-folder.cjs');
  for (const name of ['yaml', 'msgpackr', 'unified', 'remark-stringify', 'globby'])
    assert.ok(compiler.includes(name), name);
  for (const name of compiler) assert.doesNotMatch(name, /^(@modelcontextprotocol|zod|tsx|esbuild)/);
});

test('runtime imports nothing outside itself; build only the contract', () => {
  const allowed = [
    'format.ts',
    'rows.ts',
    'bundle.ts',
    'map.ts',
    'uri.ts',
    'aliases.ts',
    'ways-in.ts',
    'pages.ts',
    'paginate.ts',
    'secrets.ts',
    'settings.ts',
    'nearest.ts',
    'tokens.ts',
    'verify.ts',
    'version.ts',
    'glob.ts',
    'sessions/held.ts',
    'search/postings-format.ts',
    'search/sealed.ts',
    'search/words.ts',
  ];
  for (const file of [...sources('runtime'), ...sources('build')]) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/from '(\.[^']*)'/g)) {
      const target = join(file, '..', path);
      if (file.startsWith('runtime/')) assert.match(target, /^runtime\//, `${file} imports ${target}`);
      else if (target.startsWith('runtime/')) assert.ok(allowed.includes(target.slice(8)), `${file} imports ${target}`);
      else assert.match(target, /^build\//, `${file} imports ${target}`);
    }
  }
});

test('nothing that is shipped has a dependency or an install script', () => {
  assert.equal(manifest.dependencies, undefined);
  for (const hook of ['preinstall', 'install', 'postinstall']) assert.equal(manifest.scripts[hook], undefined);
  assert.equal(manifest.version, VERSION);
  assert.equal(manifest.engines.node, '>=20.15');
});

test('files are small: one idea each', () => {
  const lengths = ['bin', 'build', 'runtime'].flatMap(sources).map((file) => ({
    file,
    lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length,
  }));
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  assert.ok((sorted[Math.floor(sorted.length / 2)] as number) < 100);
  assert.deepEqual(
    lengths.filter(({ lines }) => lines > 300),
    [],
  );
});

test('every problem code is provoked by some test', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('house'))
    .map((file) => readFileSync(join(ROOT, 'test', file), 'utf8'))
    .join('\n');
  assert.deepEqual(
    CODES.filter((code) => !tests.includes(code)),
    [],
  );
});

test('every problem code stands in the manual, with its severity and reason', () => {
  const rows = CODES.map((code) => {
    const { severity, why } = problem(code, { file: '', line: 1, column: 1 }, '', '');
    return `| \`${code}\` | ${severity} | ${why} |`;
  });
  const page = readFileSync(join(ROOT, 'content/manual/problems.md'), 'utf8');
  assert.deepEqual(page.match(/^\| `.*$/gm), rows);
});

test('every file says first why it exists', () => {
  for (const file of ['bin', 'build', 'runtime'].flatMap(sources)) {
    const [first, second] = readFileSync(join(ROOT, file), 'utf8').split('\n');
    assert.match((first?.startsWith('#!') ? second : first) ?? '', /^\/\/ [A-Za-z`]/, file);
  }
});

test('the lock file names no registry, and the texts no machine', () => {
  assert.doesNotMatch(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), /"resolved": "https?:/);
});

test('the native part can be rebuilt: the same bytes by the compiler that made it, a working one by any', (t) => {
  const folder = temporaryFolder(t);
  const clang = spawnSync('clang', ['--version'], { encoding: 'utf8' });
  if (clang.status === 0 && / version 14\./.test(clang.stdout)) {
    execFileSync(join(ROOT, 'runtime/native/build.sh'), [folder]);
    for (const name of ['linux-x64.node', 'linux-arm64.node']) {
      assert.ok(readFileSync(join(folder, name)).equals(readFileSync(join(ROOT, 'runtime/native', name))), name);
    }
    return;
  }
  if (spawnSync('cc', ['--version']).status !== 0) return t.skip('no C compiler here');
  const made = join(folder, 'map.node');
  execFileSync('cc', [
    '-O2',
    '-fPIC',
    '-shared',
    '-nostdlib',
    '-fno-stack-protector',
    '-o',
    made,
    join(ROOT, 'runtime/native/map.c'),
  ]);
  const loaded = { exports: {} as { map(fd: number, offset: number, length: number): ArrayBuffer } };
  process.dlopen(loaded, made);
  assert.equal(typeof loaded.exports.map, 'function');
  return undefined;
});

test('kept code that is damaged or of another V8 is passed over', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldguide-kept-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'dist'), folder, { recursive: true });
  const version8 = readdirSync(join(folder, 'kept'))[0] as string;
  assert.ok(version8.startsWith(process.versions.v8));
  assert.deepEqual(readdirSync(join(folder, 'kept', version8)), [
    'call.cjs',
    'definitions.cjs',
    'described.cjs',
    'for.cjs',
    'guide.cjs',
    'main.cjs',
  ]);
  const kept = join(version8, 'main.cjs');
  const file = join(folder, 'kept', kept);
  const version = (): string =>
    execFileSync(process.execPath, [join(folder, 'fieldguide.cjs'), '--version'], { encoding: 'utf8' });
  const whole = readFileSync(file);
  for (const at of [0, 5, 40, whole.length >> 1, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 0xff;
    rmSync(file);
    cpSync(join(ROOT, 'dist/kept', kept), file);
    withFile(damaged, 'pread', (_, path) => cpSync(path, file));
    assert.equal(version(), `${VERSION}\n`);
  }
  rmSync(join(folder, 'kept'), { recursive: true });
  assert.equal(version(), `${VERSION}\n`);
});
