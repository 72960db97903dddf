// What git ignores: our reading of .gitignore against globby's, by which the compiler lists files.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { globbySync, isGitIgnoredSync } from 'globby';
import { Ignored } from '../../bin/init/ignored.ts';
import { temporaryFolder } from '../support/folder.ts';

const PATHS = [
  'a',
  'b.md',
  'a/b.md',
  'a/b/c.md',
  'x/a/b.md',
  'README.md',
  'docs/A.md',
  'docs/[x].md',
  'docs/{y}.md',
  'a b',
  '!n',
  '#h',
  'dist-index/context.fgb',
];

const RULES = [
  'a\n',
  'a/\n',
  '/a\n',
  'a/b\n',
  'a/*\n',
  'a/**\n',
  '**/b.md\n',
  'a/**/c.md\n',
  '*.md\n!README.md\n',
  'readme.MD\n',
  '*\n!docs/\n',
  '*\n!docs/\n!docs/A.md\n',
  'docs/*\n!docs/A.md\n',
  'docs/\\[x\\].md\n',
  'docs/{y}.md\n',
  'docs/[A-C].md\n',
  'docs/[!B].md\n',
  'a b  \n',
  'a\\ b\\ \n',
  '\\!n\n\\#h\n',
  '# a\n\n   \n',
  '\ufeffa\r\nb.md\r\n',
  '/dist-index/*\n!/dist-index/README.md\n',
  'dist*\n',
  `${'x'.repeat(5000)}\na\n`,
];

test('the same paths are ignored as the compiler leaves out', (t) => {
  for (const rules of RULES) {
    const root = temporaryFolder(t, { '.git/HEAD': '', '.gitignore': rules });
    const isIgnored = isGitIgnoredSync({ cwd: root });
    const ours = new Ignored(root);
    for (const path of PATHS)
      assert.equal(ours.has(path), isIgnored(join(root, path)), `${JSON.stringify(rules)} ${path}`);
  }
});

test('rules of folders above, up to the git repository, and of folders below count', (t) => {
  const paths = ['a.md', 'secret.txt', 'local', 'x/local', 'deep/a.md', 'deep/kept.md', 'deep/x/kept.md'];
  const root = temporaryFolder(t, {
    '.gitignore': '*.md\n',
    'repo/.git/HEAD': '',
    'repo/.gitignore': '/part/secret.txt\nlocal\n',
    'repo/part/deep/.gitignore': '*\n!kept.md\n',
    ...Object.fromEntries(paths.map((path) => [`repo/part/${path}`, ''])),
  });
  const part = join(root, 'repo/part');
  const listed = globbySync('**', { cwd: part, gitignore: true });
  const ours = new Ignored(part);
  assert.equal(ours.gitRoot, join(root, 'repo'));
  assert.deepEqual(paths.filter((path) => !ours.has(path)).sort(), listed.sort());
  assert.deepEqual(listed, ['a.md', 'deep/kept.md']);
});
