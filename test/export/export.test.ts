// `fieldguide export`: what it writes, what it never overwrites, and how a copy that drifted is told.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const FILES = {
  'project.yaml': `version: "1.0"
project: { name: Shop, type: api, description: Sells things. }
tech: { stack: [TypeScript, React], runtime: Node.js 20, packageManager: pnpm }
architecture: { pattern: layered, description: Thin on top. }
modules:
  auth:
    description: Who you are
    keyFiles: [{ path: src/config.ts }, { path: src/auth (new).ts, role: entry, description: Starts here. }]
    patterns: [Tokens in cookies]
    businessRules: [Sessions end]
    commonIssues: [{ description: Tokens race, solution: Take the mutex. }]
    dependencies: [users]
  users: {}
guide:
  categories:
    docs: { patterns: ["*.md"], description: How it works }
    again: { dir: docs }
files: [AGENTS.md, README.md, llms.txt, llms-full.txt, logo.bin]
`,
  'README.md': '# Read me\n',
  'src/auth (new).ts': '',
  'src/config.ts': '',
  'logo.bin': 'x\0y',
  'content/docs/intro.md':
    '---\ntitle: "Intro [beta] \\\\"\ndescription: First steps\n---\n# Intro\n\nSee [deep](deep/more.md).\n',
  'content/docs/low.md': '---\npriority: 0.1\n---\n# Low\n\nSeldom needed.\n',
  'content/docs/deep/more.md': '# More\n\nNot by default.\n',
  'content/docs/with -- dashes.md': '# Dashes\n',
};

function project(t: TestContext, more: Record<string, string> = {}): string {
  return temporaryFolder(t, { ...FILES, ...more });
}

function exported(kind: string, root: string, ...more: string[]): void {
  const { code, stderr } = run(['export', kind, '--root', root, ...more]);
  assert.equal(code, 0, stderr);
}

function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** The paths that links of a text lead to, from the folder it is in. */
function linked(text: string): string[] {
  return [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, url]) => decodeURIComponent(url as string));
}

test('AGENTS.md has project, modules with their rules, and ways to read more, every one of which works', (t) => {
  const root = project(t);
  exported('agents', root);
  const text = read(root, 'AGENTS.md');
  assert.match(
    text,
    /^<!-- Made by fieldguide export agents; edit project\.yaml and run it again\. -->\n\n# Shop\n\nSells things\.\n/,
  );
  for (const line of [
    '- **Stack:** TypeScript, React',
    '- **Package manager:** pnpm',
    '- **Pattern:** layered',
    '### auth',
    '- `src/auth (new).ts` (entry): Starts here.',
    '- Sessions end',
    '- Tokens in cookies',
    '- Tokens race — Take the mutex.',
    'Depends on: users',
    '### docs: How it works',
    '- [Intro (beta) \\\\](content/docs/intro.md): First steps',
  ]) {
    assert.ok(text.split('\n').includes(line), line);
  }
  for (const path of linked(text)) assert.ok(existsSync(join(root, path)), path);
  assert.equal(linked(text).length, 4 + 2, 'each document once, and the files that were not made by an export');
  assert.equal(run(['build', '--root', root]).code, 0);
  const uris = [...text.matchAll(/`((?:context|guide):\/\/[^`{]+)`/g)].map(([, uri]) => uri as string);
  assert.ok(uris.length >= 5);
  for (const uri of uris) assert.equal(run(['read', uri, '--root', root]).code, 0, uri);
});

test('llms.txt is as llmstxt.org has it: title, summary, lists of links, what may be left out last', (t) => {
  const root = project(t);
  exported('llms', root);
  const text = read(root, 'llms.txt');
  const [head = '', ...sections] = text.split(/^## /m);
  assert.match(
    head,
    /^# Shop\n\n> Sells things\.\n\n<!-- Made by fieldguide export llms; .* -->\n\n- Stack: TypeScript, React\n/,
  );
  assert.deepEqual(
    sections.map((section) => section.split('\n', 1)[0]),
    ['Modules', 'Guide: docs', 'Files', 'Optional'],
  );
  for (const section of sections) {
    const rows = section
      .split('\n')
      .slice(1)
      .filter((line) => line !== '');
    for (const row of rows) assert.match(row, /^- \[[^\]]+\]\([^)]+\)(?:: .+)?$/);
  }
  assert.match(sections[0] as string, /- \[auth\]\(src\/auth%20%28new%29\.ts\): Who you are/);
  assert.deepEqual(linked(sections[3] as string), [
    'content/docs/deep/more.md',
    'content/docs/low.md',
    'llms-full.txt',
  ]);
  for (const path of linked(text)) assert.ok(existsSync(join(root, path)), path);
});

test('llms-full.txt has every text once under its path, and nothing that is not text', (t) => {
  const root = project(t);
  exported('llms', root);
  const text = read(root, 'llms-full.txt');
  assert.match(text, /^# Shop\n/);
  for (const part of [
    '<!-- project.yaml context://module/auth -->\n\n# Module: auth\n',
    '<!-- content/docs/intro.md -->\n\n# Intro\n\nSee [deep](deep/more.md).\n',
    '<!-- content/docs/with%20-%2D%20dashes.md -->\n\n# Dashes\n',
    '<!-- README.md -->\n\n# Read me\n',
  ]) {
    assert.equal(text.split(part).length, 2, part);
  }
  assert.ok(!text.includes('logo.bin') && !text.includes('description: First steps'));
});

test('running again changes nothing: what an export made feeds no export', (t) => {
  const root = project(t);
  const names = ['AGENTS.md', 'llms.txt', 'llms-full.txt'];
  const all = (): string[] => names.map((name) => read(root, name));
  exported('agents', root);
  exported('llms', root);
  const first = all();
  exported('llms', root);
  exported('agents', root);
  assert.deepEqual(all(), first);
  for (const kind of ['agents', 'llms']) assert.equal(run(['export', kind, '--root', root, '--check']).code, 0, kind);
  const { stdout } = run(['export', 'agents', '--root', root]);
  assert.match(stdout, /AGENTS\.md {2}.*≈[\d,]+ tokens, unchanged\n$/);
  const elsewhere = project(t);
  exported('llms', elsewhere);
  exported('agents', elsewhere);
  assert.deepEqual(
    names.map((name) => read(elsewhere, name)),
    first,
    'in another folder, in another order',
  );
});

test('a file that was written by hand is never overwritten, and then none is', (t) => {
  const root = project(t, { 'AGENTS.md': '# By hand\n\nWe quote `fieldguide export`.\n', 'llms-full.txt': 'Ours.\n' });
  for (const [kind, name] of [
    ['agents', 'AGENTS.md'],
    ['llms', 'llms-full.txt'],
  ] as const) {
    const before = read(root, name);
    const { code, stdout, stderr } = run(['export', kind, '--root', root], { cwd: root });
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(
      stderr.endsWith(
        `fieldguide export: ${name} was not made by fieldguide export ${kind}; nothing was written. Move it away, or name another folder with --out.\n`,
      ),
      stderr,
    );
    assert.equal(read(root, name), before);
  }
  assert.ok(!existsSync(join(root, 'llms.txt')));
});

test('in another folder links lead from there, and what was written by hand is linked', (t) => {
  const root = project(t, { 'AGENTS.md': '# By hand\n' });
  for (const kind of ['agents', 'llms']) exported(kind, root, '--out', join(root, 'made/here'));
  for (const name of ['AGENTS.md', 'llms.txt']) {
    const text = read(root, `made/here/${name}`);
    assert.ok(linked(text).includes('../../AGENTS.md'), name);
    for (const path of linked(text)) assert.ok(existsSync(resolve(root, 'made/here', path)), path);
  }
});

test('--base-url stands before every path', (t) => {
  const root = project(t);
  exported('llms', root, '--base-url', 'https://example.org/shop');
  const text = read(root, 'llms.txt');
  assert.ok(linked(text).length > 5);
  for (const url of linked(text)) assert.ok(url.startsWith('https://example.org/shop/'), url);
  assert.ok(linked(text).includes('https://example.org/shop/llms-full.txt'));
});

test('--check writes nothing, and names the file and the first line that differs', (t) => {
  const root = project(t);
  const check = (kind: string) => run(['export', kind, '--root', root, '--check'], { cwd: root });
  const missing = check('agents');
  assert.deepEqual([missing.code, missing.stdout, existsSync(join(root, 'AGENTS.md'))], [1, '', false]);
  assert.match(missing.stderr, /^AGENTS\.md is missing\.$/m);
  exported('agents', root);
  const made = read(root, 'AGENTS.md');
  assert.deepEqual([check('agents').code, check('agents').stdout], [0, 'AGENTS.md  as the sources make it\n']);
  const drifted = made.replace('- Sessions end', '- Sessions never end');
  writeFileSync(join(root, 'AGENTS.md'), drifted);
  const { code, stderr } = check('agents');
  const line = drifted.split('\n').indexOf('- Sessions never end') + 1;
  assert.equal(code, 1);
  assert.ok(
    stderr.includes(
      `AGENTS.md:${line} is not what the sources make.\n  found:    "- Sessions never end"\n  expected: "- Sessions end"\n`,
    ),
    stderr,
  );
  assert.equal(read(root, 'AGENTS.md'), drifted);
  writeFileSync(join(root, 'AGENTS.md'), `${made}more\n`);
  assert.match(check('agents').stderr, new RegExp(`^AGENTS\\.md:${made.split('\n').length} is not`, 'm'));
  writeFileSync(join(root, 'AGENTS.md'), made);
  writeFileSync(join(root, 'project.yaml'), read(root, 'project.yaml').replace('Sells things', 'Sells more'));
  const data = JSON.parse(run(['export', 'agents', '--root', root, '--check', '--json']).stdout);
  assert.deepEqual([data.ok, data.files[0].ok, data.files[0].missing], [false, false, false]);
  assert.deepEqual(data.files[0].difference, { line: 5, found: 'Sells things.', expected: 'Sells more.' });
});

test('one of two files that differ is named, the other is not', (t) => {
  const root = project(t);
  exported('llms', root);
  writeFileSync(join(root, 'README.md'), '# Read this\n');
  const { code, stdout, stderr } = run(['export', 'llms', '--root', root, '--check'], { cwd: root });
  assert.deepEqual([code, stdout], [1, 'llms.txt  as the sources make it\n']);
  assert.match(stderr, /^llms-full\.txt:\d+ is not what the sources make\.\n.*"# Read me"\n.*"# Read this"$/m);
});

test('problems of the sources are told as by a build, and nothing is written', (t) => {
  const root = project(t, { 'project.yaml': 'version: "1.0"\nproject: { nam: Shop }\n' });
  const { code, stdout, stderr } = run(['export', 'agents', '--root', root]);
  assert.deepEqual([code, stdout, existsSync(join(root, 'AGENTS.md'))], [1, '', false]);
  assert.match(stderr, /project\.yaml:2:12 error key-unknown/);
  assert.match(stderr, /fieldguide export: 2 problems; nothing was written\.\n$/);
  const data = JSON.parse(run(['export', 'agents', '--root', root, '--json']).stdout);
  assert.deepEqual([data.ok, data.files, data.diagnostics.length], [false, [], 2]);
});

test('what is not a plain file is left alone: a link, a folder, a pipe', (t) => {
  const root = project(t);
  const outside = temporaryFolder(t, { 'precious.md': '<!-- Made by fieldguide export agents; x -->\n' });
  const place = join(root, 'AGENTS.md');
  const puts: (() => void)[] = [
    () => symlinkSync(join(outside, 'precious.md'), place),
    () => symlinkSync(join(outside, 'nothing.md'), place),
    () => mkdirSync(place),
    () => assert.equal(spawnSync('mkfifo', [place]).status, 0),
  ];
  for (const put of puts) {
    put();
    for (const more of [[], ['--check']]) {
      const { code, stdout, stderr } = run(['export', 'agents', '--root', root, ...more]);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /AGENTS\.md is not a plain file/);
    }
    rmSync(place, { recursive: true });
  }
  assert.deepEqual(readdirSync(outside), ['precious.md']);
});

test('of a large guide AGENTS.md links the fifty that rank highest', (t) => {
  const documents = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `content/docs/n${n}.md`,
      `---\npriority: ${n < 5 ? 1 : 0.5}\n---\n# Number ${59 - n}\n`,
    ]),
  );
  const root = temporaryFolder(t, { 'project.yaml': 'version: "1.0"\nproject: { name: Large }\n', ...documents });
  exported('agents', root);
  const text = read(root, 'AGENTS.md');
  assert.equal(linked(text).length, 50);
  for (let n = 0; n < 5; n++) assert.ok(linked(text).includes(`content/docs/n${n}.md`));
  assert.ok(text.includes('\n- and 10 more\n'));
});

test('names with markup and line breaks stay on their line', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': `version: "1.0"
project: { name: "A\\n## B", description: "One\\n# Two\\n- three" }
modules: { "m](x)": { description: "x\\n\\n## y", keyFiles: [{ path: "a\\nb\`.ts" }], businessRules: ["r\\n# s"] } }
`,
    'content/docs/a](b) c.md': '---\ntitle: "t](evil)\\n- u"\ndescription: "d\\n# e"\n---\n# x\n',
  });
  exported('agents', root);
  exported('llms', root);
  const headings = (name: string): string[] => read(root, name).match(/^#.*$/gm) ?? [];
  assert.deepEqual(headings('llms.txt'), ['# A ## B', '## Modules', '## Guide: docs', '## Optional']);
  assert.deepEqual(headings('AGENTS.md').slice(0, 3), ['# A ## B', '## Modules', '### m](x)']);
  assert.equal(headings('AGENTS.md').length, 6);
  for (const name of ['llms.txt', 'AGENTS.md']) {
    assert.ok(linked(read(root, name)).includes('content/docs/a](b) c.md'), name);
  }
});

test('another kind, or an address that is none, is wrong usage', (t) => {
  const root = project(t);
  const skills = run(['export', 'skills', '--root', root]);
  assert.deepEqual([skills.code, skills.stderr], [2, 'fieldguide: export makes agents or llms; not "skills"\n']);
  assert.match(run(['export', 'agent', '--root', root]).stderr, /did you mean agents\?/);
  assert.equal(run(['export']).code, 2);
  for (const url of ['example.org', 'javascript:x', 'https://a b/', 'https://', 'https://a/)']) {
    assert.equal(run(['export', 'llms', '--root', root, '--base-url', url]).code, 2, url);
  }
});
