import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Code } from '../../build/diagnostics.ts';
import { diagnose, SHOP } from '../support/shop.ts';

const HEAD = 'version: "1.0"\nproject: { name: a }\n';

function codes(source: string): Code[] {
  return diagnose(source).diagnostics.map(({ code }) => code);
}

test('a project of a version and a name is enough', () => {
  assert.deepEqual(diagnose(HEAD).diagnostics, []);
  assert.equal(diagnose(HEAD).built?.resources, 4, 'the overview, and three live pages');
});

test('a full project is accepted without a word', () => {
  assert.deepEqual(diagnose(SHOP).diagnostics, []);
  assert.equal(diagnose(SHOP).built?.modules, 3);
});

test('a misspelt key is reported at its place with the nearest known one', () => {
  const [found, ...others] = diagnose(`${HEAD}tehc:\n  stack: []\n`).diagnostics;
  assert.deepEqual(others, []);
  assert.equal(found?.code, 'key-unknown');
  assert.deepEqual([found?.file, found?.line, found?.column], ['project.yaml', 3, 1]);
  assert.match(found?.fix ?? '', /Did you mean "tech"\?/);
});

test('a key inside a module is checked too, and x- keys are free', () => {
  const source = `${HEAD}x-notes: anything\nmodules:\n  a:\n    x-owner: me\n    buisnessRules: [b]\n`;
  const [found, ...others] = diagnose(source).diagnostics;
  assert.deepEqual(others, []);
  assert.deepEqual([found?.line, found?.column], [7, 5]);
  assert.match(found?.fix ?? '', /"businessRules"/);
});

test('every problem of a file is reported in one run, in the order of the file', () => {
  const source = 'version: "2"\nproject: { nam: a }\ntech: []\nmodules:\n  a: { dependencies: [b], keyFiles: [{}] }\n';
  const found = diagnose(source).diagnostics.map(({ line, code }) => `${line} ${code}`);
  assert.deepEqual(found, [
    '1 value-wrong',
    '2 key-missing',
    '2 key-unknown',
    '3 value-wrong',
    '5 module-unknown',
    '5 key-missing',
  ]);
});

test('a dependency that is no module is reported with the nearest one', () => {
  const source = `${HEAD}modules:\n  auth: {}\n  shop:\n    dependencies: [auht]\n`;
  const [found] = diagnose(source).diagnostics;
  assert.equal(found?.code, 'module-unknown');
  assert.deepEqual([found?.line, found?.column], [6, 20]);
  assert.match(found?.fix ?? '', /Did you mean "auth"\?/);
});

test('names that cannot stand in a URI are refused', () => {
  for (const name of [
    '""',
    '"<<"',
    '".."',
    '"a\\\\b"',
    '"a\\u0001b"',
    '"a/../b"',
    '"%2e%2e"',
    `"${'ä'.repeat(300)}"`,
  ]) {
    assert.deepEqual(codes(`${HEAD}modules:\n  ${name}: {}\n`), ['name-wrong'], name);
  }
});

test('sizes are written as people write them, and nothing else', () => {
  for (const good of ['50KB', '50 kb', '1MB', '1.5k', '2048'])
    assert.deepEqual(codes(`${HEAD}limits: { module: ${good} }`), []);
  for (const bad of ['50', '-1', '5x', '1TB', '[]', '99999999KB']) {
    assert.deepEqual(codes(`${HEAD}limits: { module: ${bad} }`), ['value-wrong'], bad);
  }
});

test('numbers and booleans stand for the text that was written', () => {
  const { built } = diagnose('version: 1.0\nproject: { name: 007, type: yes }\n');
  assert.equal(built?.name, '007');
});

const HOSTILE: Record<string, [string, Code[]]> = {
  'an empty file': ['', ['key-missing']],
  'a null': ['~\n', ['key-missing']],
  'a lone document start': ['---\n', ['key-missing']],
  'a list': ['- a\n', ['value-wrong']],
  'an empty item of a list': [`${HEAD}tech: { stack: [a, ~] }`, ['value-wrong']],
  'a tab as indentation': [`${HEAD}tech:\n\tstack: []\n`, ['yaml-syntax']],
  'an unclosed bracket': ['version: [', ['yaml-syntax']],
  'a duplicate key': [`${HEAD}tech: {}\ntech: {}\n`, ['yaml-duplicate-key']],
  'a duplicate key deep inside': [
    `${HEAD}modules: { a: { description: x, description: y } }\n`,
    ['yaml-duplicate-key'],
  ],
  'an alias without an anchor': [`${HEAD}tech: *nothing\n`, ['yaml-syntax']],
  'two documents': [`${HEAD}---\na: b\n`, ['yaml-syntax']],
  'a key __proto__': [`${HEAD}__proto__: { polluted: yes }\n`, ['key-unknown']],
  'a key __proto__ in a module': [`${HEAD}modules: { a: { __proto__: { description: x } } }\n`, ['key-unknown']],
  'a module called constructor': [`${HEAD}modules: { constructor: {}, __proto__: {} }\n`, []],
  'a byte order mark': [`\ufeff${HEAD}`, []],
  'Windows line ends': [HEAD.replaceAll('\n', '\r\n'), []],
  'a file over its limit': [`${HEAD}x-big: "${'x'.repeat(2 ** 20)}"`, ['project-too-large']],
  '3,000 levels of flow maps': [`${HEAD}x-deep: ${'{a: '.repeat(3000)}b${'}'.repeat(3000)}\n`, ['yaml-too-deep']],
  '100,000 open brackets': [`${HEAD}x-deep: ${'['.repeat(100_000)}`, ['yaml-too-deep']],
  '2,000 aliases': [`${HEAD}x-a: &a b\nx-list: [${'*a,'.repeat(2000)}]\n`, ['yaml-too-many-aliases']],
};

for (const [name, [source, expected]] of Object.entries(HOSTILE)) {
  test(`${name} is read or refused, never a stack`, () => {
    assert.deepEqual(codes(source), expected);
  });
}

test('an alias bomb is refused', () => {
  let bomb = `${HEAD}x-0: &a0 [lol, lol]\n`;
  for (let n = 1; n < 200; n++) bomb += `x-${n}: &a${n} [${`*a${n - 1}, `.repeat(9)}]\n`;
  assert.deepEqual(codes(bomb), ['yaml-too-many-aliases']);
});

test('modules that multiply by aliases are refused', () => {
  const rules = `[${'r, '.repeat(1000)}]`;
  const modules = Array.from({ length: 900 }, (_, n) => `  m${n}: *m`).join('\n');
  const source = `${HEAD}modules:\n  first: &m { patterns: ${rules} }\n${modules}\n`;
  assert.ok(codes(source).includes('yaml-too-many-aliases'));
});

test('20,000 unknown keys are one short report', () => {
  const keys = Array.from({ length: 20_000 }, (_, n) => `unknown${n}: 1`).join('\n');
  const found = codes(`${HEAD}${keys}\n`);
  assert.equal(found.length, 51);
  assert.ok(found.includes('more-problems'));
});

test('20,000 modules are built', () => {
  const modules = Array.from({ length: 20_000 }, (_, n) => `  module${n}: { description: d }`).join('\n');
  assert.equal(diagnose(`${HEAD}modules:\n${modules}\n`).built?.modules, 20_000);
});

test('a dependency keeps its place after an item that is wrong', () => {
  const found = diagnose(`${HEAD}modules:\n  a:\n    dependencies:\n      - ~\n      - [x]\n      - bb\n`).diagnostics;
  assert.deepEqual(
    found.map(({ line, code }) => `${line} ${code}`),
    ['6 value-wrong', '7 value-wrong', '8 module-unknown'],
  );
});

test('thousands of unknown dependencies are a short report', () => {
  const modules = Array.from({ length: 5000 }, (_, n) => `  module-${n}: { dependencies: [modul-${n}x] }`).join('\n');
  assert.equal(diagnose(`${HEAD}modules:\n${modules}\n`).diagnostics.length, 51);
});
