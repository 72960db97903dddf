// What project.yaml and front matter name is held against the files that are there, by real builds in real folders.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lookAt } from '../../build/disk.ts';
import { nearMisses, nearPattern } from '../../build/near-misses.ts';
import { type Message, run } from '../support/command.ts';
import { diskOf } from '../support/disk.ts';
import { temporaryFolder } from '../support/folder.ts';

const HEAD = 'version: "1.0"\nproject: { name: a }\n';

function said(t: TestContext, files: Record<string, string>): string[] {
  return saidIn(temporaryFolder(t, files));
}

function saidIn(root: string): string[] {
  const { ok, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(ok, true, 'these are warnings');
  return diagnostics.map(
    ({ file, line, column, code, what, fix }: Message) => `${file}:${line}:${column} ${code} ${what} ${fix}`,
  );
}

test('a key file that is not there is reported at its path, with the one that was meant', (t) => {
  const config = `${HEAD}modules:
  auth:
    keyFiles:
      - { role: entry, path: src/auth/indx.ts }
      - path: src/auth/Token.ts
      - { path: "src/auth/*.js" }
      - { path: ../other.ts }
      - { path: src/atuh/token.ts }
      - { path: lib/session.ts }
      - { path: nothing/like/it.ts }
`;
  const files = { 'project.yaml': config, 'src/auth/index.ts': '', 'src/auth/token.ts': '', 'src/core/session.ts': '' };
  assert.deepEqual(said(t, files), [
    'project.yaml:6:30 key-file-missing The key file "src/auth/indx.ts" of the module "auth" does not exist. Did you mean "src/auth/index.ts"?',
    'project.yaml:7:15 key-file-missing The key file "src/auth/Token.ts" of the module "auth" does not exist. Did you mean "src/auth/token.ts"?',
    'project.yaml:8:17 key-file-missing The key files "src/auth/*.js" of the module "auth" match no file. Mend the path, or remove it.',
    'project.yaml:9:17 key-file-missing The key file "../other.ts" of the module "auth" is not inside the repository. Mend the path, or remove it.',
    'project.yaml:10:17 key-file-missing The key file "src/atuh/token.ts" of the module "auth" does not exist. Did you mean "src/auth/token.ts"?',
    'project.yaml:11:17 key-file-missing The key file "lib/session.ts" of the module "auth" does not exist. Did you mean "src/core/session.ts"?',
    'project.yaml:12:17 key-file-missing The key file "nothing/like/it.ts" of the module "auth" does not exist. Mend the path, or remove it.',
  ]);
});

test('files, folders, globs, and names that look like globs are key files', (t) => {
  const paths = [
    'src/a.ts',
    './src/a.ts',
    'src',
    'src/',
    '.',
    'src/*.ts',
    'src/**',
    'app/[id]/page.ts',
    'app/{x}.ts',
    '.env',
  ];
  const config = `${HEAD}modules: { m: { keyFiles: [${paths.map((path) => `{ path: "${path}" }`).join(', ')}] } }\n`;
  const files = { 'src/a.ts': '', 'app/[id]/page.ts': '', 'app/{x}.ts': '', '.env': '', '.gitignore': '.env\n' };
  assert.deepEqual(said(t, { 'project.yaml': config, ...files }), []);
});

test('a pattern that matches nothing is reported once, where it stands', (t) => {
  const config = `${HEAD}guide:
  categories:
    docs: { patterns: ["**/*.md", "setpu/*.md", "no*"] }
    empty: { patterns: ["no*"] }
    manaul: {}
  collections:
    c: { categories: [docs, docs/instal.md, "docs/x*", empty/x.md] }
files: [READMEE.md, "dcos/**", "*.rs"]
`;
  const files = {
    'content/docs/setup/a.md': '# A\n',
    'content/docs/install.md': '# I\n',
    'content/manual/m.md': '# M\n',
    'README.md': '# R\n',
    'docs/a.txt': '',
  };
  assert.deepEqual(said(t, { 'project.yaml': config, ...files }), [
    'content/manual/m.md:1:1 document-unserved It is in no category. Give a category dir: manual, or list it under files:, or start its name with _.',
    'project.yaml:5:35 pattern-unmatched The pattern "setpu/*.md" matches no document. Did you mean "setup/*.md"?',
    'project.yaml:5:49 pattern-unmatched The pattern "no*" matches no document. Mend it, or remove it.',
    'project.yaml:6:5 category-missing The category "empty" has no document. Put documents into content/empty/, or remove it.',
    'project.yaml:7:5 category-missing The category "manaul" has no document. Did you mean "content/manual"?',
    'project.yaml:9:29 pattern-unmatched "docs/instal.md" matches no document. Did you mean "docs/install.md"?',
    'project.yaml:9:45 pattern-unmatched "docs/x*" matches no document. Mend the pattern, or remove it.',
    'project.yaml:10:9 pattern-unmatched The pattern "READMEE.md" matches no file. Did you mean "README.md"?',
    'project.yaml:10:21 pattern-unmatched The pattern "dcos/**" matches no file. Did you mean "docs/**"?',
    'project.yaml:10:32 pattern-unmatched The pattern "*.rs" matches no file. Mend it, or remove it. What git ignores is not matched.',
  ]);
});

test('appliesTo is held against the files of the repository; what git ignores is not known', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': HEAD,
    'content/docs/a.md': '---\ntitle: A\nappliesTo:\n  - src/**\n  - scr/auth/**\n  - "**/*.rs"\n  - lib/\n---\n# A\n',
    'content/docs/b.md': '---\nappliesTo: [./src/a.ts, "*.json", out/**, .github/**]\n---\n# B\n',
    'content/docs/c.md': '---\nappliesTo: lib/**\n---\n# C\n',
    'src/auth/a.ts': '',
    'src/a.ts': '',
    'package.json': '{}',
    'out/made.js': '',
    '.github/x.yml': '',
    '.gitignore': 'out\n',
  });
  execFileSync('git', ['init', '-q', root]);
  assert.deepEqual(saidIn(root), [
    'content/docs/a.md:5:5 pattern-unmatched appliesTo names "scr/auth/**", which matches no file. Did you mean "src/auth/**"?',
    'content/docs/a.md:6:6 pattern-unmatched appliesTo names "**/*.rs", which matches no file. Mend it, or remove it.',
    'content/docs/a.md:7:5 pattern-unmatched appliesTo names "lib/**", which matches no file. Mend it, or remove it.',
    'content/docs/c.md:2:12 pattern-unmatched appliesTo names "lib/**", which matches no file. Mend it, or remove it.',
  ]);
});

test('documents in no category are one problem for each folder', (t) => {
  const config = `${HEAD}guide:
  categories: { docs: {}, deep: { dir: part/deep } }
  help: help.md
files: [content/listed.md]
prompts: content/prompts
`;
  const files: Record<string, string> = { 'project.yaml': config };
  for (const path of [
    'docs/a.md',
    'part/deep/a.md',
    'part/b.md',
    'part/other/c.md',
    'loose.md',
    'old/a.md',
    'old/more/b.md',
    'old/more/c.txt',
    'help.md',
    'listed.md',
    'prompts/p.md',
    '_drafts/x.md',
    'old2/_x.md',
    '.hidden/x.md',
    'data/x.json',
  ])
    files[`content/${path}`] = `# ${path}\n`;
  assert.deepEqual(
    said(t, files).map((line) => line.replace(/ Give.*dir: ([^,]*),.*/, ' $1')),
    [
      'content/loose.md:1:1 document-unserved It is in no category. .',
      'content/old/a.md:1:1 document-unserved It and 2 others in content/old/ are in no category. old',
      'content/part/b.md:1:1 document-unserved It is in no category. part',
      'content/part/other/c.md:1:1 document-unserved It is in no category. part/other',
    ],
  );
  assert.deepEqual(said(t, { 'project.yaml': HEAD, 'content/loose.md': '# L\n', 'content/a/b.md': '# B\n' }), []);
  const whole = `${HEAD}guide: { root: ., categories: { docs: {} } }\n`;
  assert.deepEqual(said(t, { 'project.yaml': whole, 'README.md': '# R\n', 'docs/a.md': '# A\n' }), []);
});

test('broken links and anchors name what was probably meant', (t) => {
  const config = `${HEAD}guide: { categories: { docs: {} }, help: hlep.md }\n`;
  const found = said(t, {
    'project.yaml': config,
    'content/help.md': '# Help\n',
    'content/docs/a.md':
      '# A\n\n[a](instal.md) [b](../../src/mian.ts) [c](b.md#setup-it) [d](gone.md) [e](b.md#nothing) [f](deep/moved.md)\n',
    'content/docs/b.md': '# B\n\n## Set up it\n',
    'content/docs/install.md': '# Install\n',
    'content/docs/other/moved.md': '# Moved\n',
    'src/main.ts': '',
  });
  assert.deepEqual(
    found.map((line) => line.replace(/^content\/docs\/a\.md:3:/, '')),
    [
      '5 link-broken instal.md leads to no file. Did you mean "install.md"?',
      '20 link-broken ../../src/mian.ts leads to no file. Did you mean "../../src/main.ts"?',
      '43 anchor-broken b.md#setup-it names an anchor that is not there. Did you mean "#set-up-it"?',
      '62 link-broken gone.md leads to no file. Mend the path, or remove the link.',
      '75 anchor-broken b.md#nothing names an anchor that is not there. Name a heading of that document.',
      '93 link-broken deep/moved.md leads to no file. Did you mean "other/moved.md"?',
      'content/help.md:1:1 document-unserved It is in no category. Give a category dir: ., or list it under files:, or start its name with _.',
      'project.yaml:3:42 link-broken guide.help names "hlep.md", which is not in the guide. Did you mean "help.md"?',
    ],
  );
});

test('the disk is asked by exact names, and what is strange on it is not read', (t) => {
  const apart = 'Ümläut.ts'.normalize('NFD');
  const root = temporaryFolder(t, { [`Src/${apart}`]: 'x', Makefile: 'all:\n', 'big.json': 'x'.repeat(2 ** 20 + 1) });
  symlinkSync('/etc/hostname', join(root, 'package.json'));
  symlinkSync('nowhere', join(root, 'broken'));
  symlinkSync('.', join(root, 'loop'));
  execFileSync('mkfifo', [join(root, 'justfile')]);
  const disk = lookAt({ root, outputs: [] });
  assert.deepEqual(
    ['Src', 'src', 'Src/', './Src', 'broken', '..', '/etc', 'loop/loop/Makefile', 'Makefile/x', '.', ''].filter(
      (path) => disk.exists(path),
    ),
    ['Src', 'Src/', './Src', 'loop/loop/Makefile', '.', ''],
  );
  assert.equal(disk.exists(`Src/${apart}`), true);
  assert.deepEqual(
    ['Makefile', 'package.json', 'justfile', 'big.json', 'Src', 'nope', 'makefile'].map((path) => disk.textOf(path)),
    ['all:\n', undefined, undefined, undefined, undefined, undefined, undefined],
  );
  assert.deepEqual([...disk.namesIn('../')], []);
  assert.deepEqual([...disk.namesIn('Makefile')], []);
});

test('near misses are looked for a bounded number of times, and only where a path is wrong', () => {
  const disk = diskOf({ 'docs/guide/setup.md': '', 'a/index.md': '', 'src/index.ts': '' });
  const near = nearMisses(disk);
  assert.equal(near.path('docs/gudie/setup.md'), 'docs/guide/setup.md');
  assert.equal(near.path('elsewhere/setup.md'), 'docs/guide/setup.md');
  assert.equal(near.path('elsewhere/index.md'), undefined, 'a name that many files have');
  assert.equal(near.path('../setup.md'), undefined);
  assert.equal(nearPattern('docs/', 'guide/*.txt', disk, near), undefined);
  for (let n = 0; n < 50; n++) near.path('docs/gudie/setup.md');
  assert.equal(near.path('docs/gudie/setup.md'), undefined);
});
