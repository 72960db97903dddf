// A newcomer who copies the first block of a page needs the command first.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

test('README and the first page of the manual say how to install the command before they use it', () => {
  const { name, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const page of ['README.md', 'content/manual/start.md']) {
    const before = readFileSync(join(ROOT, page), 'utf8').split('\nfieldguide init')[0] as string;
    assert.ok(before.includes(`npm install --global ${name}`), page);
    assert.ok(before.includes(`npm install --save-dev ${name}`), page);
    assert.ok(before.includes(engines.node.replace('>=', '')), `${page}: which Node it needs`);
  }
});
