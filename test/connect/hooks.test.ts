// The hooks of every client: what is written is what its documentation says, the command runs as its shell would
// run it, and the session is in the journal.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parse } from 'jsonc-parser/lib/esm/main.js';
import { hookCommand } from '../../bin/connect/hook-command.ts';
import { safeName } from '../../runtime/sessions/safe-name.ts';
import { START_FILE } from '../support/command.ts';
import { projectToConnect } from '../support/connected.ts';
import { temporaryFolder } from '../support/folder.ts';
import { fixture, fixtureText, sessionRecords } from '../support/hooks.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/client-hooks');
const HOOK_FILES: Readonly<Record<string, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
  copilot: '.github/hooks/fieldguide.json',
};
const PLUGIN = '.opencode/plugins/fieldguide.js';

/** The payload of each event that is written. */
const PAYLOADS: readonly [agent: string, client: string, event: string, payload: string][] = [
  ...['SessionStart', 'PostToolUse', 'SessionEnd'].flatMap((event): [string, string, string, string][] => [
    ['claude', 'claude', event, `claude/${event}`],
    ['codex', 'codex', event, `codex/${event}`],
    ['copilot', 'copilot', event, `copilot/${event}-snake`],
  ]),
  ...['SessionStart', 'AfterTool', 'SessionEnd'].map((event): [string, string, string, string] => [
    'gemini',
    'gemini',
    event,
    `gemini/${event}`,
  ]),
  ...['sessionStart', 'postToolUse', 'sessionEnd'].map((event): [string, string, string, string] => [
    'cursor',
    'cursor',
    event,
    `cursor/${event}`,
  ]),
  ...['SessionStart', 'PostToolUse'].map((event): [string, string, string, string] => [
    'vscode',
    'copilot',
    event,
    `vscode/${event}`,
  ]),
];

type Ways = 'installed' | 'a dependency' | 'somewhere else';

/** A project with a name that a shell would take apart, and fieldguide in one of three places. */
function connected(t: TestContext, way: Ways): { root: string; path: string; connect: (...args: string[]) => string } {
  const root = join(temporaryFolder(t), 'it\'s $HOME `x` "q"');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'project.yaml'), 'version: "1.0"\n');
  if (way === 'a dependency') {
    mkdirSync(join(root, 'node_modules/fieldguide'), { recursive: true });
    symlinkSync(dirname(START_FILE), join(root, 'node_modules/fieldguide/dist'));
  }
  const bin = temporaryFolder(t);
  if (way === 'installed') symlinkSync(START_FILE, join(bin, 'fieldguide'));
  const { connect } = projectToConnect(t, root, { onPath: way === 'installed' });
  return {
    root,
    path: [bin, process.env.PATH].join(delimiter),
    connect: (...args) => {
      const { code, stdout, stderr } = connect(...args);
      assert.equal(code, 0, stderr);
      return stdout;
    },
  };
}

/** As it stands inside a string. */
function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function commandOf(root: string, client: string, event: string): string {
  const [item] = parse(readFileSync(join(root, HOOK_FILES[client] as string), 'utf8')).hooks[event];
  return (item.hooks?.[0] ?? item).command;
}

function environment(path: string, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CLAUDE|GEMINI|COPILOT)/.test(name));
  return { ...Object.fromEntries(kept), PATH: path, ...more };
}

for (const name of Object.keys(HOOK_FILES)) {
  test(`${name}: a file with hooks of others gets ours, and comes back byte for byte`, (t) => {
    const root = temporaryFolder(t);
    const { connect } = projectToConnect(t, root, { onPath: true });
    const file = join(root, HOOK_FILES[name] as string);
    const [before, after] = ['before.json', 'after.json'].map((which) => join(FIXTURES, name, which)) as [
      string,
      string,
    ];
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(before, file);
    const { code, stdout, stderr } = connect(name);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^${name}: ${HOOK_FILES[name]} has (hooks of )?fieldguide now; `, 'm'));
    if (process.env.UPDATE) copyFileSync(file, after);
    assert.equal(readFileSync(file, 'utf8'), readFileSync(after, 'utf8'));
    assert.doesNotMatch(connect(name).stdout, /now|up to date/, 'twice is once');
    assert.equal(connect(name, '--dry-run').stdout, '');
    assert.equal(connect(name, '--remove').code, 0);
    assert.ok(readFileSync(file).equals(readFileSync(before)));
  });
}

for (const way of ['installed', 'a dependency', 'somewhere else'] as const) {
  test(`every hook that is written runs in a shell and leaves its session: fieldguide is ${way}`, (t) => {
    const { root, path, connect } = connected(t, way);
    connect(...Object.keys(HOOK_FILES), 'vscode');
    for (const [agent, client, event, payload] of PAYLOADS) {
      const command = commandOf(root, client, event);
      assert.match(command, / session hook$/);
      if (way === 'installed') assert.equal(command, 'fieldguide session hook');
      const isClaude = client === 'claude';
      const given = fixture(payload, inJson(root));
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: isClaude ? join(root, 'src') : root,
        env: environment(path, isClaude ? { CLAUDE_PROJECT_DIR: root } : {}),
        input: JSON.stringify(given),
        encoding: 'utf8',
      });
      assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' }, `${payload}: ${command}`);
      const records = sessionRecords(root, given.conversation_id ?? given.session_id ?? given.sessionId);
      const kind = /start$/i.test(event) ? 'start' : /end$/i.test(event) ? 'end' : 'touch';
      const record = records.find(({ k }) => k === kind);
      assert.ok(record !== undefined, `${payload}: ${JSON.stringify(records)}`);
      if (kind === 'start') assert.equal(record.client, agent);
    }
  });
}

test('paths that a shell would take apart are quoted, and paths that it would not are left as they are', (t) => {
  const folder = temporaryFolder(t, { 'project.yaml': 'version: "1.0"\n' });
  const names = ["it's", 'a b', '$(touch x)', '`x`', '"q"', 'a;b', '~', 'a\nb', '*', 'ü'];
  for (const [n, name] of names.entries()) {
    const file = join(folder, name, 'fieldguide.cjs');
    mkdirSync(dirname(file));
    symlinkSync(START_FILE, file);
    const payload = { session_id: `s${n}`, cwd: folder, hook_event_name: 'SessionStart' };
    for (const way of ['inside', 'outside'] as const) {
      const command = hookCommand({ file, way }, folder);
      const { stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        input: JSON.stringify({ ...payload, session_id: `${way}${n}` }),
        encoding: 'utf8',
      });
      assert.equal(stdout + stderr, '', command);
      assert.equal(sessionRecords(folder, `${way}${n}`).length, 1, command);
    }
  }
  assert.ok(!existsSync(join(folder, 'x')));
  const plain = join(folder, 'node_modules/fieldguide/dist/fieldguide.cjs');
  const inProject = 'node node_modules/fieldguide/dist/fieldguide.cjs session hook';
  assert.equal(hookCommand({ file: plain, way: 'inside' }, folder), inProject);
  assert.equal(hookCommand({ file: plain, way: 'outside' }, folder), `node ${plain} session hook`);
});

test('who reads the file of Claude Code without its variable runs the hook at the root', (t) => {
  const { root, path, connect } = connected(t, 'a dependency');
  connect('claude');
  const command = commandOf(root, 'claude', 'SessionStart');
  const input = fixtureText('claude/SessionStart', inJson(root));
  assert.equal(spawnSync('sh', ['-c', command], { cwd: root, env: environment(path, {}), input }).status, 0);
  assert.equal(sessionRecords(root, JSON.parse(input).session_id).length, 1);
});

test('the plugin of opencode tells of sessions and files, and of nothing that is in them', async (t) => {
  const { root, path, connect } = connected(t, 'a dependency');
  assert.match(connect('opencode'), /^opencode: \.opencode\/plugins\/fieldguide\.js has hooks of fieldguide now; /m);
  writeFileSync(join(root, '.opencode/package.json'), '{"type": "module"}');
  const said = [
    { event: { type: 'session.created', properties: { info: { id: 'ses_1' } } } },
    { event: { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } } },
    { event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } },
  ];
  const uses = [
    {
      tool: 'edit',
      sessionID: 'ses_1',
      callID: 'c1',
      args: { filePath: join(root, 'src/a.ts'), newString: 'PLANTED' },
    },
    {
      tool: 'apply_patch',
      sessionID: 'ses_2',
      callID: 'c2',
      args: { patchText: '*** Begin Patch\n*** Add File: b.ts\n+x' },
    },
    { tool: 'bash', sessionID: 'ses_1', callID: 'c3' },
  ];
  const script = `const { Fieldguide } = await import(${JSON.stringify(pathToFileURL(join(root, PLUGIN)).href)});
    const plugin = await Fieldguide({ directory: ${JSON.stringify(root)} });
    for (const one of ${JSON.stringify(said)}) await plugin.event(one);
    for (const use of ${JSON.stringify(uses)}) await plugin['tool.execute.after'](use, {});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(root, 'src'),
    env: environment(path, {}),
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  const records = sessionRecords(root, safeName('ses_1'));
  assert.ok(records.some(({ k, client }) => k === 'start' && client === 'opencode'));
  const paths = records.flatMap((record) => record.paths ?? []);
  assert.deepEqual(paths.sort(), ['b.ts', 'src/a.ts']);
  assert.deepEqual(sessionRecords(root, safeName('ses_2')), [], 'a subagent works in the session of its parent');
  assert.doesNotMatch(JSON.stringify(records), /PLANTED/);
});

test('a plugin of somebody else is left alone; ours is brought up to date and goes with its folders', (t) => {
  const root = temporaryFolder(t, { [PLUGIN]: '// Written by `fieldguide` fans\n' });
  const { connect } = projectToConnect(t, root, { onPath: true });
  const refused = connect('opencode');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /fieldguide\.js is a plugin of somebody else; it is left as it is\.\nThis belongs into/);
  assert.match(refused.stdout, /export const Fieldguide/);
  connect('opencode', '--remove');
  assert.equal(readFileSync(join(root, PLUGIN), 'utf8'), '// Written by `fieldguide` fans\n');
  writeFileSync(join(root, PLUGIN), readFileSync(join(root, PLUGIN), 'utf8').slice(0, 0));
  const other = temporaryFolder(t);
  projectToConnect(t, other).connect('opencode');
  const installed = projectToConnect(t, other, { onPath: true });
  assert.match(
    installed.connect('opencode').stdout,
    /fieldguide\.js had hooks of fieldguide already, brought up to date; /,
  );
  assert.match(readFileSync(join(other, PLUGIN), 'utf8'), /= \["fieldguide","session","hook"/);
  installed.connect('opencode', '--remove');
  assert.ok(!existsSync(join(other, '.opencode')));
});

test('--no-hooks writes the server alone; server and hooks of one file are one change', (t) => {
  const before = '{\n  "ui": {} // ours\n}\n';
  const root = temporaryFolder(t, { '.gemini/settings.json': before });
  const { connect } = projectToConnect(t, root, { onPath: true });
  const read = (): string => readFileSync(join(root, '.gemini/settings.json'), 'utf8');
  connect('gemini', 'claude', '--no-hooks');
  assert.deepEqual(Object.keys(parse(read())), ['mcpServers', 'ui']);
  assert.ok(!existsSync(join(root, '.claude')));
  assert.match(
    connect('gemini').stdout,
    /^gemini: \.gemini\/settings\.json had fieldguide already, brought up to date; /,
  );
  assert.deepEqual(Object.keys(parse(read())), ['hooks', 'mcpServers', 'ui']);
  assert.equal(JSON.parse(connect('gemini', '--json').stdout).files.length, 1);
  connect('gemini', '--remove');
  assert.equal(read(), before);
});

test('a file of hooks that does not parse is left alone, and the snippet has all events', (t) => {
  const root = temporaryFolder(t, { '.cursor/hooks.json': '{"version": 1,}' });
  const { connect } = projectToConnect(t, root, { onPath: true });
  const { code, stdout, stderr } = connect('cursor');
  assert.equal(code, 1);
  assert.match(stderr, /\.cursor\/hooks\.json:1:15 does not parse: .* it is left as it is\.\nThis belongs into/);
  const snippet = JSON.parse(stdout.slice(stdout.indexOf('{')));
  assert.deepEqual(Object.keys(snippet.hooks), ['sessionStart', 'postToolUse', 'sessionEnd']);
  assert.equal(readFileSync(join(root, '.cursor/hooks.json'), 'utf8'), '{"version": 1,}');
  assert.ok(existsSync(join(root, '.cursor/mcp.json')), 'the server is connected');
  assert.match(connect('cursor', '--remove').stderr, /Take what runs “session hook” out by hand\./);
});

test('the manual shows the hooks that are written, file by file', (t) => {
  const manual = readFileSync(join(import.meta.dirname, '../../content/manual/hooks.md'), 'utf8');
  const root = temporaryFolder(t);
  projectToConnect(t, root, { onPath: true }).connect(...Object.keys(HOOK_FILES));
  for (const [name, path] of Object.entries(HOOK_FILES)) {
    const { mcpServers: _, ...value } = parse(readFileSync(join(root, path), 'utf8'));
    const blocks = [...manual.matchAll(/```json\n(.*?)```/gs)].map(([, block]) => parse(block as string));
    assert.ok(manual.includes(`\`${path}\``), path);
    assert.ok(
      blocks.some((block) => JSON.stringify(block) === JSON.stringify(value)),
      name,
    );
  }
});
