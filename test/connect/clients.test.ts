// Every client's own file: what is written is what its documentation says, and a server starts from it.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CLIENTS } from '../../bin/connect/clients.ts';
import { START_FILE } from '../support/command.ts';
import { CLIENT_FILES, projectToConnect, startedBy } from '../support/connected.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/clients');
const NAMES = CLIENTS.map(({ name }) => name);

test('there is a fixture for each client', () => {
  assert.deepEqual(readdirSync(FIXTURES).sort(), NAMES.toSorted());
  assert.deepEqual(Object.keys(CLIENT_FILES).sort(), NAMES.toSorted());
});

for (const name of NAMES) {
  test(`${name}: the file of its documentation gets the entry, and comes back byte for byte`, (t) => {
    const root = temporaryFolder(t);
    const { connect } = projectToConnect(t, root, { onPath: true });
    const fixture = readdirSync(join(FIXTURES, name)).find((file) => file.startsWith('before.')) as string;
    const isJsonc = name === 'opencode';
    const file = join(root, isJsonc ? 'opencode.jsonc' : (CLIENT_FILES[name] as string));
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(FIXTURES, name, fixture), file);
    const { code, stdout, stderr } = connect(name, '--no-hooks');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^${name}: .* has fieldguide now; [^\\n]+\\.\\n$`));
    const after = join(FIXTURES, name, fixture.replace('before', 'after'));
    const here: [string, string][] = [
      ['@NODE@', process.execPath],
      ['@PROGRAM@', START_FILE],
      ['@ROOT@', root],
    ];
    const written = here.reduce((text, [sign, value]) => text.replaceAll(value, sign), readFileSync(file, 'utf8'));
    if (process.env.UPDATE) writeFileSync(after, written);
    assert.equal(written, readFileSync(after, 'utf8'));
    assert.match(connect(name, '--no-hooks').stdout, /has fieldguide already, nothing to do/);
    assert.equal(connect(name, '--remove').code, 0);
    assert.ok(readFileSync(file).equals(readFileSync(join(FIXTURES, name, fixture))));
    assert.ok(!existsSync(join(root, 'opencode.json')));
  });
}

async function overviewFrom({ command, args }: { command: string; args: string[] }, cwd: string, bin: string) {
  const client = new Client({ name: 'test', version: '0' });
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command, args, cwd, env }));
  try {
    const { contents } = await client.readResource({ uri: OVERVIEW });
    return (contents[0] as { text: string }).text;
  } finally {
    await client.close();
  }
}

for (const way of ['installed', 'a dependency', 'somewhere else'] as const) {
  test(`a server starts from every file that was written: fieldguide is ${way}`, async (t) => {
    const root = builtShop(t);
    const bin = temporaryFolder(t);
    if (way === 'installed') symlinkSync(START_FILE, join(bin, 'fieldguide'));
    if (way === 'a dependency') {
      mkdirSync(join(root, 'node_modules/fieldguide'), { recursive: true });
      symlinkSync(dirname(START_FILE), join(root, 'node_modules/fieldguide/dist'));
    }
    const { connect } = projectToConnect(t, root, { onPath: way === 'installed' });
    const { code, stderr } = connect(...NAMES);
    assert.equal(code, 0);
    assert.equal(/a path of this machine/.test(stderr), way === 'somewhere else');
    for (const name of NAMES) {
      const started = startedBy(name, root);
      const cwd = name === 'claude-desktop' || name === 'cursor' || name === 'vscode' ? temporaryFolder(t) : root;
      assert.match(await overviewFrom(started, cwd, bin), /^# Project: My SaaS App/, name);
      const text = readFileSync(join(root, CLIENT_FILES[name] as string), 'utf8');
      assert.doesNotMatch(text, /npx/);
      if (name !== 'claude-desktop') assert.equal(text.includes(dirname(START_FILE)), way === 'somewhere else', text);
      if (/mcp\.json|claude_desktop/.test(CLIENT_FILES[name] as string)) JSON.parse(text);
    }
  });
}

test('the manual shows what is written, file by file', (t) => {
  const manual = readFileSync(join(import.meta.dirname, '../../content/manual/clients.md'), 'utf8');
  const root = temporaryFolder(t);
  projectToConnect(t, root, { onPath: true }).connect(...NAMES, '--no-hooks');
  for (const name of NAMES) {
    const text = readFileSync(join(root, CLIENT_FILES[name] as string), 'utf8')
      .replaceAll(process.execPath, '/usr/bin/node')
      .replaceAll(START_FILE, '/usr/lib/node_modules/fieldguide/dist/fieldguide.cjs')
      .replaceAll(root, '/home/ana/shop');
    assert.ok(manual.includes(`\n${text}\`\`\`\n`), `${name}: ${text}`);
    assert.match(manual, new RegExp(`\\| \`${name}\` \\|`));
  }
});
