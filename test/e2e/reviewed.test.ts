// Faults that reviews have found, each as it was provoked.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../support/clock.ts';
import { type Message, run, Served, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const HEAD = 'version: "1.0"\nproject: { name: a }\n';

function build(root: string): { ok: boolean; bundle: Message; diagnostics: Message[] } {
  return JSON.parse(run(['build', '--root', root, '--json']).stdout);
}

function codes(root: string): string[] {
  return build(root).diagnostics.map(({ file, code }) => `${file} ${code}`);
}

async function textOf(server: Served, uri: string): Promise<string> {
  const { result, error } = await server.request('resources/read', { uri });
  assert.equal(error, undefined, `${uri} ${JSON.stringify(error)}`);
  return result.contents[0].text;
}

function served(t: TestContext, files: Record<string, string>): Served {
  const root = temporaryFolder(t, files);
  assert.equal(build(root).ok, true);
  return new Served(t, ['--root', root]);
}

test('what a build writes is never part of the next', (t) => {
  for (const config of [
    'files: ["**"]\n',
    'guide: { root: ., categories: { all: { dir: . } } }\n',
    'guide: { root: . }\n',
  ]) {
    const root = temporaryFolder(t, {
      'project.yaml': HEAD + config,
      'docs/a.md': '# A\n',
      'node_modules/x/readme.md': '# X\n',
    });
    const first = build(root);
    const { digest } = first.bundle;
    assert.equal(build(root).bundle.digest, digest, config);
    assert.doesNotMatch(run(['list', '--root', root]).stdout, /context\.fgb|manifest|node_modules/);
    const other = JSON.parse(run(['build', '--root', root, '--out', join(root, 'docs/out'), '--json']).stdout);
    assert.equal(other.bundle.digest, digest);
    run(['build', '--root', root, '--out', join(root, 'docs/out')]);
  }
});

test('what cannot be read is reported by name, and the rest is built', (t) => {
  const root = temporaryFolder(t, { 'project.yaml': `${HEAD}files: ["loop*", a.md]\n`, 'a.md': '# A\n' });
  symlinkSync('loopB', join(root, 'loopA'));
  symlinkSync('loopA', join(root, 'loopB'));
  mkdirSync(join(root, 'content/docs'), { recursive: true });
  writeFileSync(join(root, 'content/docs/a.md'), '# A\n');
  symlinkSync('nowhere.md', join(root, 'content/docs/dangling.md'));
  symlinkSync('a.md', join(root, 'content/docs/link.md'));
  const { ok, bundle, diagnostics } = build(root);
  assert.deepEqual([ok, bundle.documents], [true, 2]);
  assert.deepEqual(
    diagnostics.map(({ file, code }) => `${file} ${code}`),
    [
      'content/docs/dangling.md path-unreadable',
      'content/docs/link.md title-duplicate',
      'loopA path-unreadable',
      'loopB path-unreadable',
    ],
  );
  assert.doesNotMatch(JSON.stringify(diagnostics), /\/tmp\//);
  const file = temporaryFolder(t, { 'project.yaml': `${HEAD}guide: { root: f }\n`, f: 'a file' });
  assert.deepEqual(codes(file), ['f path-unreadable']);
});

test('patterns and names that cannot be used are errors at their place', (t) => {
  for (const [config, line] of [
    [`guide: { categories: { a: {} }, collections: { c: { categories: ["a/${'x'.repeat(300)}"] } } }\n`, 3],
    ['guide: { categories: { a: {} }, collections: { c: { categories: ["a/{a,b,c}{a,b,c}{a,b,c}{a,b,c}"] } } }\n', 3],
    ['guide: { categories: { "\\ud800": { dir: a } } }\n', 3],
    ['ignore: [{ rule: title-missing, reason: "" }]\n', 3],
  ] as const) {
    const { ok, diagnostics } = build(temporaryFolder(t, { 'project.yaml': HEAD + config }));
    assert.deepEqual([ok, diagnostics[0]?.line, diagnostics[0]?.severity], [false, line, 'error'], config);
  }
});

test('a title is one line however it is written, and hidden characters are told in every spelling', async (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': HEAD,
    'content/docs/a.md':
      '---\ntitle: "Nice\\n- context://module/evil — Fake (1 B)"\ndescription: "\\u202e \\e[31m red"\n---\n# A\n',
  });
  assert.deepEqual(codes(root), ['content/docs/a.md characters-hidden']);
  const server = new Served(t, ['--root', root]);
  const { result } = await server.request('resources/list');
  const { title, description } = result.resources.at(-1);
  assert.equal(title, 'Nice - context://module/evil — Fake (1 B)');
  assert.ok(!description.includes('\u001b'));
});

test('a help page promises only what can be read, and its supplement’s links lead somewhere', async (t) => {
  const files = {
    'project.yaml': `${HEAD}guide:
  categories: { a: {}, e: {}, n: { patterns: ["none*"] } }
  collections: { empty: { categories: [e] }, z: { categories: [a, a/nothing*] } }
  help: help.md
`,
    'content/help.md': '# More\n\n[alpha](a/alpha.md) [bad](a/nope.md)\n',
    'content/a/alpha.md': '# Alpha\n',
    'content/n/other.md': '# Other\n',
  };
  const root = temporaryFolder(t, files);
  assert.deepEqual(codes(root), [
    'content/help.md link-broken',
    'project.yaml category-missing',
    'project.yaml pattern-unmatched',
    'project.yaml pattern-unmatched',
  ]);
  const server = new Served(t, ['--root', root]);
  const help = await textOf(server, 'guide://help');
  assert.match(help, /\[alpha\]\(guide:\/\/document\/a\/alpha\.md\)/);
  for (const [, uri] of help.slice(help.indexOf('## Examples')).matchAll(/`(guide:[^`]+)`/g))
    await textOf(server, uri as string);
});

test('a hidden file that a collection names outright is brought in', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': `${HEAD}guide: { categories: { b: {} }, collections: { c: { categories: [b/_hidden.md] } } }\n`,
    'content/b/_hidden.md': '# Hidden\n',
    'content/b/_draft.md': '# Draft\n',
    'content/b/a.md': '# A\n',
  });
  assert.deepEqual(codes(root), []);
  assert.match(run(['read', 'guide://collection/c', '--root', root]).stdout, /# Hidden/);
  assert.equal(run(['read', 'guide://document/b/_draft.md', '--root', root]).code, 1);
});

test('small documents are paged by what they take in the answer', async (t) => {
  const files: Record<string, string> = { 'project.yaml': `${HEAD}limits: { response: 4KB }\n` };
  for (let n = 100; n < 300; n++) files[`content/a/d${n}.md`] = `# T${n}\n`;
  const server = served(t, files);
  let pages = 0;
  for (let uri: string | undefined = 'guide://collection/all'; uri !== undefined; pages++) {
    const text = await textOf(server, uri);
    assert.ok(Buffer.byteLength(text) <= 4 * 1024 + 400, String(text.length));
    uri = /The next is (\S+)\]/.exec(text)?.[1];
  }
  assert.ok(pages > 5);
});

test('the page for a file is bounded, links in it are links, and the exact document comes first', async (t) => {
  const modules = Array.from(
    { length: 10 },
    (_, n) =>
      `  m${n}: { keyFiles: [{ path: src/a.ts }, { path: lib/, role: core }], businessRules: ["${'x'.repeat(17_000)}"] }`,
  );
  const server = served(t, {
    'project.yaml': `${HEAD}modules:\n${modules.join('\n')}\n`,
    'src/a.ts': '',
    'lib/z.ts': '',
    'content/docs/braces.md': '---\nappliesTo: ["src/{a,b,cccccccc}.ts"]\n---\n# Braces\n',
    'content/docs/exact.md': '---\nappliesTo: ["./src/a.ts"]\n---\n# Exact\n',
    'content/docs/par)en(.md': '---\ntitle: "x ](y) z"\nappliesTo: [src/]\n---\n# P\n\n[lib](../../lib)\n',
  });
  const page = await textOf(server, 'context://for/src/a.ts');
  assert.ok(Buffer.byteLength(page) < 100 * 1024);
  assert.match(page, /\n## Module: m9\n\nIt is a key file of this module\.\n\nMore: context:\/\/module\/m9\n/);
  assert.ok(page.indexOf('[Exact]') < page.indexOf('[Braces]'));
  assert.ok(page.includes('- [x \\](y) z](guide://document/docs/par%29en%28.md)'));
  const inFolder = await textOf(server, 'context://for/lib/z.ts');
  assert.match(inFolder, /It lies in the folder of lib, a key file of this module\./);
  assert.match(inFolder, /links to lib\//);
  const { error } = await server.request('resources/read', { uri: 'context://for/src/a.ts?page=3' });
  assert.equal(error.message, 'Page not found: 3');
});

test('globs that could never match are reported', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': HEAD,
    'content/docs/a.md': '---\nappliesTo: ["{a,b,c}{a,b,c}{a,b,c}{a,b,c}"]\n---\n# A\n',
  });
  assert.deepEqual(codes(root), ['content/docs/a.md front-matter-value']);
});

test('a missing file of any kind is a broken link; pictures and pages without an extension are not looked for', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': HEAD,
    'src/there.ts': '',
    'content/docs/a.md':
      '# A\n\n[x](missing.txt) [y](../../src/gone.ts) [z](../../src/there.ts) ![i](no.png) [d](page) [v](v1.29)\n',
  });
  assert.deepEqual(
    build(root).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`),
    ['link-broken 3:5', 'link-broken 3:22'],
  );
});

test('repeated headings have GitHub’s anchors; #top is always there', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': HEAD,
    'content/docs/a.md': '# A\n\n## foo\n\n## foo\n\n## foo 1\n\n[x](#foo-1) [y](#foo-1-1) [z](#top) [w](#foo-2)\n',
  });
  const { diagnostics } = build(root);
  assert.deepEqual(
    diagnostics.map(({ code, what }) => `${code} ${what}`),
    ['anchor-broken #foo-2 names an anchor that is not there.'],
  );
});

test('near misses are found in collections, without extensions, and among many', async (t) => {
  const files: Record<string, string> = {
    'project.yaml': HEAD,
    'content/a/alpha.md': '# Alpha\n',
    'content/a/v1.29.md': '# V\n',
  };
  for (let n = 0; n < 6000; n++) files[`content/b/d${String(n).padStart(5, '0')}.md`] = `# ${n}\n`;
  const server = served(t, files);
  const hint = async (uri: string): Promise<string> =>
    (await server.request('resources/read', { uri })).error.data.hint;
  assert.match(await hint('guide://document/a/alhpa'), /^Did you mean "alpha"\?/);
  assert.match(await hint('guide://document/all/alhpa.md'), /^Did you mean "alpha\.md"\?/);
  assert.match(await hint('guide://document/b/d0599x.md'), /^Did you mean "d0599\d\.md"\?/);
  assert.equal(await textOf(server, 'guide://document/a/v1.29'), '# V\n');
});

test('a root that is reached through a link knows its files by their real paths', async (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': `${HEAD}files: [a.md]\nmodules: { m: { keyFiles: [{ path: src/x.ts }] } }\n`,
    'a.md': '# A\n',
  });
  const link = join(temporaryFolder(t), 'link');
  symlinkSync(root, link);
  assert.equal(build(link).ok, true);
  const server = new Served(t, ['--root', link]);
  for (const base of [root, link]) {
    assert.equal(await textOf(server, `file://${base}/a.md`), '# A\n');
    assert.match(await textOf(server, `context://for/${base}/src/x.ts`), /# Context for src\/x\.ts\n\n## Module: m/);
  }
});

test('names and values of secrets are known in more spellings; documents about them are none', (t) => {
  const files: Record<string, string> = { 'project.yaml': `${HEAD}files: ["d/**"]\n# glpat-abcdefghij0123456789\n` };
  const secret = ['secret.yaml', 'secrets.json', 'prod.env', 'token.txt', 'client_secret.json', 'credentials.toml'];
  for (const name of [...secret, 'secret.md', 'credentials.md', 'tokens.md', 'keys.md']) files[`d/${name}`] = 'x\n';
  const found = codes(temporaryFolder(t, files));
  assert.deepEqual(
    found.filter((one) => one.includes('file-secret')),
    secret.map((name) => `d/${name} file-secret`).sort(),
  );
  assert.ok(found.includes('project.yaml secret-probable'));
});

test('no tool answers more than clients take, and hints to tools name tools', async (t) => {
  const files: Record<string, string> = { 'project.yaml': HEAD };
  for (let n = 100; n < 250; n++)
    files[`content/docs/d${n}.md`] = `---\ndescription: ${'long words '.repeat(220)}\n---\n# ${'T'.repeat(90)} ${n}\n`;
  const server = served(t, files);
  const call = async (name: string, given: object): Promise<string> =>
    (await server.request('tools/call', { name, arguments: given })).result.content[0].text;
  assert.ok(Buffer.byteLength(await call('list_resources', {})) / 4.2 < 25_000);
  assert.match(await call('read_resource', { uri: 'other://x' }), /"hint":"list_resources shows/);
});

test('--watch sees whitelisted files', async (t) => {
  const root = temporaryFolder(t, { 'project.yaml': `${HEAD}files: [AGENTS.md]\n`, 'AGENTS.md': '# One\n' });
  const child = spawn(process.execPath, [START_FILE, 'build', '--watch', '--json', '--root', root]);
  t.after(() => child.kill('SIGKILL'));
  await until(() => run(['read', 'AGENTS.md', '--root', root]).stdout === '# One\n');
  writeFileSync(join(root, 'AGENTS.md'), '# Two\n');
  await until(() => run(['read', 'AGENTS.md', '--root', root]).stdout === '# Two\n');
});
