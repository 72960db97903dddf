// The archive that npm would publish, installed as a stranger does: scripts off, no network, an empty folder.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { VERSION } from '../../runtime/version.ts';
import { temporaryFolder } from '../support/folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOST_INSTALLED_BYTES = 5 * 1024 * 1024;

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function readJson(...path: string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

test('the package that npm would publish', async (t) => {
  const folder = temporaryFolder(t, { 'package.json': '{"private":true}' });
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT));
  npm(['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)], folder);
  const installed = join(folder, 'node_modules/fieldguide');

  await t.test('is called fieldguide and installs alone, under 5 MB, with no unmet peer', () => {
    assert.equal(packed.name, 'fieldguide');
    const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names, ['fieldguide']);
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((file) => join(installed, file));
    const bytes = files.map((file) => statSync(file)).reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
    assert.ok(bytes < MOST_INSTALLED_BYTES, `${bytes} bytes`);
    assert.equal(spawnSync('npm', ['ls', '--all'], { cwd: folder }).status, 0);
  });

  await t.test('builds and serves with nothing else', async () => {
    const shop = temporaryFolder(t, {
      'project.yaml': 'version: "1.0"\nproject: { name: packed }\n',
      'content/docs/start.md': '# Start\n\nWords.\n',
    });
    const command = join(folder, 'node_modules/.bin/fieldguide');
    const env = { PATH: process.env.PATH ?? '' };
    assert.match(execFileSync(command, ['build', '--root', shop], { encoding: 'utf8', env }), /packed/);
    assert.match(execFileSync(command, ['verify', '--root', shop], { encoding: 'utf8', env }), /whole/);
    const client = new Client({ name: 'stranger', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: ['serve', '--root', shop], env }));
    const { contents } = await client.readResource({ uri: 'context://project/overview' });
    assert.match(String((contents[0] as { text?: string }).text), /# Project: packed/);
    await client.close();
  });

  await t.test('has the licence of every package that is compiled in', () => {
    const licences = readFileSync(join(installed, 'dist/third-party-licences.txt'), 'utf8');
    const metafiles: Record<string, { inputs: object }> = readJson(ROOT, 'dist/metafile.json');
    const inputs = Object.values(metafiles).flatMap((metafile) => Object.keys(metafile.inputs));
    const folders = new Set(inputs.flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
    assert.ok(folders.size > 20);
    for (const one of folders) {
      const { name, version } = readJson(ROOT, one, 'package.json');
      assert.ok(licences.includes(`\n${name} ${version} (`), name);
    }
    assert.match(readFileSync(join(installed, 'LICENSE'), 'utf8'), /^MIT License/);
  });

  await t.test('has a JSON Schema that accepts our own project.yaml and refuses a slip in it', () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
      readJson(installed, 'dist/project.schema.json'),
    );
    const own: Record<string, unknown> = parse(readFileSync(join(ROOT, 'project.yaml'), 'utf8'));
    assert.ok(validate(own), JSON.stringify(validate.errors));
    assert.equal(validate({ ...own, modulse: {} }), false);
    assert.equal(validate({ version: '1.0' }), false);
  });

  await t.test('is described for the MCP registry, by the same name and version', () => {
    const server = readJson(installed, 'server.json');
    const { mcpName, version } = readJson(installed, 'package.json');
    assert.equal(server.name, mcpName);
    assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.ok(server.description.length <= 100);
    assert.deepEqual([version, server.version, server.packages[0].version], [VERSION, VERSION, VERSION]);
    assert.deepEqual(server.packages[0].transport, { type: 'stdio' });
    assert.equal(server.packages[0].identifier, packed.name);
  });
});
