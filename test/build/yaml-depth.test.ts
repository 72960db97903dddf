// Depth that would end the process is told before anything is parsed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examine } from '../../build/examine.ts';
import { nestsTooDeeply } from '../../build/yaml-depth.ts';

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
