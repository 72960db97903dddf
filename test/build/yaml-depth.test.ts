// Depth that would end the process is told before anything is parsed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../../build/diagnostics.ts';
import { examine } from '../../build/examine.ts';
import { project } from '../../build/project.ts';
import { nestsTooDeeply } from '../../build/yaml-depth.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

test('YAML that nests too deeply for the parser is told before it is parsed', () => {
  assert.equal(nestsTooDeeply(`a: ${'["]", '.repeat(201)}`), true);
  assert.equal(nestsTooDeeply(`a: ${'{b: '.repeat(201)}`), true);
  assert.equal(nestsTooDeeply(`${'? '.repeat(201)}a`), true);
  assert.equal(nestsTooDeeply('- { name: a }\n'.repeat(1000)), false);
  assert.equal(nestsTooDeeply(`a: "${'['.repeat(1000)}"`), false);
});

test('front matter that nests too deeply is reported and passed over', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
  ] as const) {
    const yaml = `tags:\n  ${open.repeat(8000)}a${close.repeat(8000)}`;
    const { front, problems } = examine(`---\n${yaml}\n---\n# A\n`, true);
    assert.deepEqual(front, {});
    assert.deepEqual(
      problems.map(({ code, line }) => `${code} ${line}`),
      ['front-matter-syntax 2'],
    );
  }
});

test('many deep files do not end the build', (t) => {
  const deep = (n: number): string => `---\ntags: ${'['.repeat(n)}${']'.repeat(n)}\n---\n# A\n`;
  const files: Record<string, string> = { 'project.yaml': 'version: "1.0"\nproject: { name: a }\n' };
  for (let n = 0; n < 8; n++) {
    files[`content/docs/d${n}.md`] = deep(8000 + n);
    files[`prompts/p${n}.md`] = deep(3000 + n);
  }
  const { code, stdout } = run(['build', '--root', temporaryFolder(t, files), '--json']);
  assert.equal(code, 0);
  const codes = JSON.parse(stdout).diagnostics.map((problem: { code: string }) => problem.code);
  assert.equal(codes.filter((found: string) => found === 'front-matter-syntax').length, 16);
});

test('a project.yaml that nests too deeply is refused at its place, however often it is read', () => {
  const source = `version: "1.0"\nx-deep: ${'['.repeat(3000)}`;
  for (let n = 0; n < 5; n++) {
    const found: Diagnostic[] = [];
    project(source, (diagnostic) => found.push(diagnostic));
    assert.deepEqual(
      found.map(({ code, line, column }) => [code, line, column]),
      [['yaml-too-deep', 2, 209]],
    );
  }
});
