// `fieldguide connect` as a person runs it: what is said, what is written, and what is left alone.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, START_FILE } from '../support/command.ts';
import { projectToConnect } from '../support/connected.ts';
import { temporaryFolder } from '../support/folder.ts';

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** Every file below a folder with what it holds. */
function everything(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    files.map((file) => [file, statSync(join(root, file)).isFile() ? read(root, file) : 'folder']),
  );
}

test('without a client, the clients are named, and those whose files are here; exit code 2', (t) => {
  const { connect } = projectToConnect(t, temporaryFolder(t, { '.vscode/mcp.json': '{}' }));
  const { code, stdout, stderr } = connect();
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /^fieldguide: connect needs <client…>:\n {2}claude +Claude Code: \.mcp\.json, \.claude\/settings\.json\n/,
  );
  assert.match(stderr, /\n {2}vscode +VS Code: \.vscode\/mcp\.json \(is here\), \.github\/hooks\/fieldguide\.json\n/);
  assert.match(stderr, /claude-desktop +Claude Desktop: \/.*claude_desktop_config\.json\n/);
  const unknown = connect('cluade');
  assert.deepEqual([unknown.code, unknown.stderr], [2, 'fieldguide: unknown client "cluade"; did you mean claude?\n']);
  assert.equal(connect('claude', '--root', '/nowhere/at/all').code, 1);
});

test('several clients at once; two that share a file are one change, and all of it goes again', (t) => {
  const root = temporaryFolder(t, { 'home/x': '', '.vscode/settings.json': '{}' });
  const { connect } = projectToConnect(t, root, { onPath: true });
  const before = everything(root);
  const names = ['claude', 'copilot', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini', 'zed', 'opencode'];
  const { code, stdout, stderr } = connect(...names, 'claude');
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n').length;
  assert.equal(lines, names.length + 6, 'a line for each client and file; Gemini CLI has one file for both');
  assert.match(stdout, /^claude: \.mcp\.json has fieldguide now; start Claude Code in this folder and approve/m);
  assert.match(stdout, /^copilot: \.mcp\.json has fieldguide now; /m);
  const connected = everything(root);
  assert.equal(connect(...names).code, 0);
  assert.deepEqual(everything(root), connected, 'twice is once');
  assert.match(
    connect(...names, '--remove').stdout,
    /^cursor: \.cursor\/mcp\.json is deleted; it held nothing else\.$/m,
  );
  assert.deepEqual(everything(root), before);
  assert.match(connect('zed', '--remove').stdout, /^zed: \.zed\/settings\.json has no fieldguide, nothing to do\.$/m);
});

test('connecting where there is nothing to serve is said; in a folder of a project, the project is connected', (t) => {
  const root = temporaryFolder(t, { 'project.yaml': '', 'src/x.ts': '' });
  const said = (cwd: string): string => run(['connect', 'claude', '--dry-run'], { cwd }).stderr;
  assert.doesNotMatch(said(join(root, 'src')), /no project\.yaml/);
  assert.match(said(temporaryFolder(t)), /^Note: there is no project\.yaml in this folder\. Run `fieldguide init`/m);
  assert.doesNotMatch(said(root), /no project\.yaml/);
  assert.doesNotMatch(said(temporaryFolder(t, { 'dist-index/context.fgb': '' })), /no project\.yaml/);
});

test('who else reads a file is said when the entry is taken out', (t) => {
  const { connect } = projectToConnect(t, temporaryFolder(t), { onPath: true });
  connect('copilot');
  assert.match(connect('copilot', '--remove').stdout, /it held nothing else\. Claude Code reads that file, too\.\n/);
  connect('copilot');
  assert.match(connect('copilot', '--remove').stdout, /it held nothing else\. VS Code reads that file, too\.\n$/);
});

test('--dry-run shows a diff and writes nothing; --json says the same as data', (t) => {
  const root = temporaryFolder(t, { '.gemini/settings.json': '{\r\n  "ui": {}\r\n}\r\n' });
  const { connect } = projectToConnect(t, root, { onPath: true });
  const before = everything(root);
  const { code, stdout } = connect('gemini', 'codex', '--dry-run', '--no-hooks');
  assert.equal(code, 0);
  assert.equal(
    stdout,
    [
      '--- .gemini/settings.json\n+++ .gemini/settings.json\n@@ -1,3 +1,9 @@\n {\r\n',
      '+  "mcpServers": {\r\n+    "fieldguide": {\r\n+      "command": "fieldguide",\r\n+      "args": ["serve"]\r\n+    }\r\n+  },\r\n',
      '   "ui": {}\r\n }\r\n',
      '--- /dev/null\n+++ .codex/config.toml\n@@ -0,0 +1,3 @@\n+[mcp_servers.fieldguide]\n+command = "fieldguide"\n+args = ["serve"]\n',
    ].join(''),
  );
  const dry = JSON.parse(connect('gemini', 'codex', '--dry-run', '--json', '--no-hooks').stdout);
  assert.equal(dry.files.map(({ diff }: { diff: string }) => diff).join(''), stdout);
  assert.deepEqual(everything(root), before);
  const done = JSON.parse(connect('gemini', '--json', '--no-hooks').stdout);
  assert.deepEqual([done.ok, done.root, done.dryRun], [true, root, false]);
  const [file] = done.files;
  assert.deepEqual([file.file, file.clients, file.did], ['.gemini/settings.json', ['gemini'], 'added']);
  assert.equal(JSON.parse(connect('gemini', '--json', '--no-hooks').stdout).files[0].did, 'unchanged');
  const none = connect('gemini', '--dry-run', '--no-hooks');
  assert.deepEqual(
    [none.stdout, none.stderr],
    ['', '.gemini/settings.json would not change: fieldguide is there already.\n'],
  );
});

test('an entry that differs is brought up to date, and that is said', (t) => {
  const old = '{"mcpServers": {"fieldguide": {"command": "npx", "args": ["serve"], "env": {"A": "b"}}}}';
  const root = temporaryFolder(t, { '.mcp.json': old });
  const { connect } = projectToConnect(t, root, { onPath: true });
  assert.match(connect('claude').stdout, /^claude: \.mcp\.json had fieldguide already, brought up to date; /);
  assert.equal(read(root, '.mcp.json'), old.replace('npx', 'fieldguide'));
});

test('a file that does not parse is left alone, named with its place, and the snippet is printed', (t) => {
  const broken = '{\n  "mcpServers": {\n    "a" {}\n  }\n}\n';
  const root = temporaryFolder(t, { '.mcp.json': broken, '.codex/config.toml': 'a = \n', '.vscode/mcp.json': '[]' });
  const { connect } = projectToConnect(t, root, { onPath: true });
  const { code, stdout, stderr } = connect('claude', 'cursor', '--no-hooks');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^fieldguide connect: \.mcp\.json:3:9 does not parse: colon expected here; it is left as it is\.\n/,
  );
  assert.match(stderr, /This belongs into \.mcp\.json:\n/);
  const snippet = { mcpServers: { fieldguide: { command: 'fieldguide', args: ['serve'] } } };
  assert.deepEqual(JSON.parse(stdout.slice(0, stdout.indexOf('cursor:'))), snippet);
  assert.equal(read(root, '.mcp.json'), broken);
  assert.ok(existsSync(join(root, '.cursor/mcp.json')), 'the others are done');
  const codex = JSON.parse(connect('codex', '--json').stdout);
  assert.deepEqual([codex.ok, codex.files[0].did, codex.files[0].line], [false, 'refused', 1]);
  assert.match(codex.files[0].snippet, /^\[mcp_servers\.fieldguide\]\n/);
  assert.match(connect('vscode').stderr, /\.vscode\/mcp\.json:1:1 does not hold an object/);
  const removed = connect('claude', '--remove', '--no-hooks');
  assert.deepEqual([removed.code, removed.stdout], [1, '']);
  assert.match(removed.stderr, /Take the entry fieldguide out by hand\./);
  assert.equal(read(root, '.mcp.json'), broken);
});

test('a path of this machine in a file that is shared is said aloud, with the remedy', (t) => {
  const { root, connect } = projectToConnect(t, temporaryFolder(t));
  const { code, stderr } = connect('claude');
  assert.equal(code, 0);
  assert.ok(
    stderr.includes(`Note: .mcp.json, .claude/settings.json name a path of this machine, ${START_FILE}.\n`),
    stderr,
  );
  assert.match(stderr, /npm install --save-dev fieldguide/);
  assert.deepEqual(JSON.parse(read(root, '.mcp.json')).mcpServers.fieldguide, {
    command: 'node',
    args: [START_FILE, 'serve'],
  });
  assert.equal(connect('claude-desktop').stderr, '', 'a user’s own file may name it');
});

test('the user’s folder is where the environment says', (t) => {
  const config = temporaryFolder(t);
  const env = { XDG_CONFIG_HOME: config, APPDATA: config, HOME: config };
  const { connect } = projectToConnect(t, temporaryFolder(t), { onPath: true, env });
  assert.match(
    connect('claude-desktop').stdout,
    new RegExp(`^claude-desktop: ${config}/.*claude_desktop_config\\.json`),
  );
  connect('claude-desktop', '--remove');
  assert.deepEqual(readdirSync(config), []);
});

test('mode, byte order mark and links are kept', (t) => {
  const before = '\ufeff{\n  "x": 1\n}';
  const root = temporaryFolder(t, { 'shared/real.json': before });
  chmodSync(join(root, 'shared/real.json'), 0o640);
  symlinkSync('shared/real.json', join(root, '.mcp.json'));
  const { connect } = projectToConnect(t, root, { onPath: true });
  assert.equal(connect('claude').code, 0);
  assert.equal(readlinkSync(join(root, '.mcp.json')), 'shared/real.json');
  assert.match(read(root, 'shared/real.json'), /^\ufeff\{\n {2}"mcpServers"/);
  assert.equal(statSync(join(root, 'shared/real.json')).mode & 0o777, 0o640);
  assert.equal(connect('claude', '--remove').code, 0);
  assert.equal(read(root, 'shared/real.json'), before);
  assert.ok(lstatSync(join(root, '.mcp.json')).isSymbolicLink());
  assert.deepEqual(readdirSync(join(root, 'shared')), ['real.json'], 'nothing is left over');
});

test('links out of the project, links to nothing, and what is no file are refused', (t) => {
  const outside = temporaryFolder(t, { 'config.toml': 'a = 1\n', 'mcp.json': '{}' });
  const root = temporaryFolder(t, { '.cursor/mcp.json/x': '', '.vscode': 'a file' });
  symlinkSync(outside, join(root, '.codex'));
  symlinkSync(join(outside, 'mcp.json'), join(root, '.mcp.json'));
  symlinkSync('nothing', join(root, 'opencode.json'));
  mkdirSync(join(root, '.gemini'));
  spawnSync('mkfifo', [join(root, '.gemini/settings.json')]);
  mkdirSync(join(root, '.zed'));
  writeFileSync(join(root, '.zed/settings.json'), `{"a": "${'b'.repeat(1024 * 1024)}"}`);
  const { connect } = projectToConnect(t, root, { onPath: true });
  const cases: [client: string, what: RegExp][] = [
    ['codex', /\.codex\/config\.toml is a link out of the project, to \/.*config\.toml; it is left as it is/],
    ['claude', /\.mcp\.json is a link out of the project, to \/.*mcp\.json; /],
    ['opencode', /opencode\.json is a link to nothing/],
    ['cursor', /\.cursor\/mcp\.json is not a file/],
    ['gemini', /\.gemini\/settings\.json is not a file/],
    ['zed', /\.zed\/settings\.json is over 1 MB, too large for a configuration/],
    ['vscode', /\.vscode\/mcp\.json cannot be read or written \(ENOTDIR\); a file stands where a folder should be/],
  ];
  for (const [client, what] of cases) {
    const { code, stderr } = connect(client);
    assert.equal(code, 1, client);
    assert.match(stderr, what);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
  assert.deepEqual(everything(outside), { 'config.toml': 'a = 1\n', 'mcp.json': '{}' });
});

test('a file that is not UTF-8 is left alone', (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, '.mcp.json'), Buffer.from('{"a": "\xe4"}', 'latin1'));
  assert.match(projectToConnect(t, root).connect('claude').stderr, /\.mcp\.json is not UTF-8; it is left as it is/);
});

test('a folder that cannot be written to is one clear line', (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write anywhere');
  const root = temporaryFolder(t, { '.mcp.json': '{}', 'home/x': '' });
  const { connect } = projectToConnect(t, root);
  chmodSync(root, 0o555);
  const { code, stderr } = connect('claude');
  chmodSync(root, 0o755);
  assert.equal(code, 1);
  assert.match(stderr, /\.mcp\.json cannot be read or written \(EACCES\); you may not write there/);
  return undefined;
});

test('names that would steer a terminal are shown, not obeyed', (t) => {
  const outside = temporaryFolder(t, { 'a\u001b[31m.json': '{}' });
  const root = temporaryFolder(t);
  symlinkSync(join(outside, 'a\u001b[31m.json'), join(root, '.mcp.json'));
  const { stderr } = projectToConnect(t, root, { onPath: true }).connect('claude');
  assert.ok(stderr.includes('a\ufffd[31m.json'));
  assert.ok(!stderr.includes('\u001b'));
});
