// Manifests that lie, break, never end or lead elsewhere: each is passed over in one line, and the rest is written.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

function initialised(root: string): { stderr: string; project: Record<string, Record<string, unknown>> } {
  const { code, stderr } = run(['init', '--yes', '--root', root]);
  assert.equal(code, 0, stderr);
  const built = run(['build', '--strict', '--json', '--root', root]);
  assert.deepEqual(JSON.parse(built.stdout).diagnostics, []);
  return { stderr, project: parse(readFileSync(join(root, 'project.yaml'), 'utf8')) };
}

test('manifests that do not parse are passed over, in a line each', (t) => {
  const root = temporaryFolder(t, {
    'package.json': '{ "name": ',
    'pyproject.toml': '[project\nname = ',
    'Cargo.toml': `a = ${'['.repeat(50_000)}`,
    'composer.json': '['.repeat(100_000),
    'go.mod': '\u0000\u0001(((',
    'pnpm-workspace.yaml': 'packages: {a: [\n',
    'README.md': '# Still here\n',
  });
  const { stderr, project } = initialised(root);
  for (const line of [
    'package.json is passed over: it is not valid JSON.',
    'pyproject.toml is passed over: it is not valid TOML.',
    'Cargo.toml is passed over: it is not valid TOML.',
    'composer.json is passed over: it is not valid JSON.',
  ]) {
    assert.equal(stderr.split(`fieldguide init: ${line}\n`).length, 2, line);
  }
  assert.equal(project.project?.name, 'Still here');
});

test('manifests of a wrong shape say nothing', (t) => {
  const shapes = [
    'null',
    '[]',
    '"text"',
    '7',
    '{"name":7,"description":{},"scripts":[1],"workspaces":{"packages":"x"},"bin":false,"engines":"old","dependencies":["react"],"packageManager":{}}',
    '{"__proto__":{"name":"p"},"constructor":1,"workspaces":[null,1,"","/","..","../*","/etc/*","**","{a,b}","[","!"]}',
  ];
  for (const text of shapes) {
    const root = temporaryFolder(t, {
      'package.json': text,
      'pyproject.toml': 'project = 3\ntool = []\n',
      'Cargo.toml': 'package = "x"\nworkspace = 1\n',
    });
    assert.ok(!('description' in (initialised(root).project.project ?? {})));
  }
});

test('pipes, devices, links out and huge files are not read', (t) => {
  const secret = temporaryFolder(t, {
    'package.json': '{"name":"outside"}',
    'README.md': '# outside\n',
    'src/index.ts': '',
  });
  const root = temporaryFolder(t, { 'CONTRIBUTING.md': '# C\n' });
  if (spawnSync('mkfifo', [join(root, 'package.json'), join(root, 'AGENTS.md'), join(root, '.nvmrc')]).status !== 0)
    return t.skip('no mkfifo here');
  symlinkSync(join(secret, 'README.md'), join(root, 'README.md'));
  symlinkSync(join(secret, 'src'), join(root, 'src'));
  symlinkSync('/dev/zero', join(root, 'go.mod'));
  symlinkSync('pyproject.toml', join(root, 'pyproject.toml'));
  writeFileSync(join(root, 'Cargo.toml'), Buffer.alloc(40 * 1024 * 1024, 'a'));
  const { stderr, project } = initialised(root);
  assert.match(stderr, /package\.json is passed over: it is not a file\./);
  assert.match(stderr, /go\.mod is passed over: it leads out of the repository, or nowhere\./);
  assert.match(stderr, /Cargo\.toml is passed over: it is larger than 1024 KB\./);
  assert.ok(!JSON.stringify(project).includes('outside'));
  assert.deepEqual([project.files, project.modules], [['CONTRIBUTING.md'], undefined]);
  return undefined;
});

test('what would steer a terminal or hide from a reviewer is not taken over, nor what looks like a secret', (t) => {
  const token = `ghp_${'a1B2'.repeat(10)}`;
  const root = temporaryFolder(t, {
    'package.json': JSON.stringify({
      name: 'a\u001b[31mb\u202e\u{e0041}c',
      description: `Use ${token}`,
      engines: { node: '\u0007>=1' },
    }),
    'src/a\u001b]0;x\u0007/index.ts': '',
    'src/b\nc: d/index.ts': '',
    'src/good/index.ts': '',
  });
  const { stderr, project } = initialised(root);
  assert.equal(project.project?.name, 'a[31mbc');
  assert.equal(project.project?.description, undefined);
  assert.deepEqual(Object.keys(project.modules ?? {}), ['good']);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  assert.doesNotMatch(stderr, /\u001b|\u0007|ghp_/);
});

test('very long names and very many folders stay within bounds', (t) => {
  const root = temporaryFolder(t, {
    'package.json': JSON.stringify({
      name: 'n'.repeat(300_000),
      description: 'ü '.repeat(100_000),
      workspaces: ['**'],
    }),
  });
  const long = 'f'.repeat(200);
  for (let n = 0; n < 3000; n++) mkdirSync(join(root, `folder${n}`));
  mkdirSync(join(root, long, long, long, long), { recursive: true });
  writeFileSync(join(root, long, long, long, long, 'package.json'), '{}');
  mkdirSync(join(root, 'one'), { recursive: true });
  writeFileSync(join(root, 'one/package.json'), '{}');
  const { project } = initialised(root);
  assert.ok(Buffer.byteLength(String(project.project?.name)) <= 120);
  assert.ok(Buffer.byteLength(String(project.project?.description)) <= 400);
});

test('a README of nothing but openings is read in no time, and lines that look like rules stay text', (t) => {
  const root = temporaryFolder(t, {
    'README.md': `# ${'['.repeat(400)}\n\n${'[a]('.repeat(3000)}${'<'.repeat(3000)}\n`,
    'setup.cfg': `[metadata]\n${'\n'.repeat(200_000)}name${' '.repeat(50_000)}= x\n`,
    Gemfile: `${'\n'.repeat(300_000)}${' '.repeat(300_000)}gem\n`,
    Makefile: `${'a'.repeat(500_000)}\n`,
  });
  initialised(root);
});

test('a .gitignore of nothing but spaces and backslashes holds nobody up', (t) => {
  const root = temporaryFolder(t, { '.gitignore': `${' '.repeat(200_000)}x\n${'\\'.repeat(30_001)}\n` });
  const { code, stderr } = run(['init', '--yes', '--root', root]);
  assert.equal(code, 0, stderr);
  assert.match(
    readFileSync(join(root, '.gitignore'), 'utf8'),
    /\\\n\n# Fieldguide.*\n\/dist-index\/\n\/\.fieldguide\/\n$/,
  );
});
