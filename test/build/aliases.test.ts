// Aliases in project.yaml: what is refused, with its place, and what a bundle carries of them.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Diagnostic } from '../../build/diagnostics.ts';
import { targetOf } from '../../runtime/aliases.ts';
import { readSettings } from '../../runtime/settings.ts';
import { openBytes } from '../support/bytes.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { diagnose } from '../support/shop.ts';

const HEAD = 'version: "1.0"\nproject: { name: Shop }\nmodules: { auth: {} }\naliases:\n';

function problems(yaml: string): string[] {
  return diagnose(HEAD + yaml).diagnostics.map(({ line, column, code, what }) => `${line}:${column} ${code} ${what}`);
}

function build(t: TestContext, aliases: string): Diagnostic[] {
  const root = temporaryFolder(t, {
    'project.yaml': `version: "1.0"\nproject: { name: a }\nfiles: [README.md, "data/*"]\naliases:\n${aliases}`,
    'README.md': '# Read me\n',
    'data/a b.json': '{}',
    'content/docs/intro.md': '# Intro\n',
  });
  const { code, stdout } = run(['build', '--root', root, '--json']);
  assert.equal(code, 0);
  return JSON.parse(stdout).diagnostics;
}

test('aliases travel in the bundle, their schemes in small letters; without them it says nothing of any', () => {
  const { built, diagnostics } = diagnose(
    `${HEAD}  "Old://start": context://project/overview\n  "old://parts/{name}": "context://module/{name}"\n`,
  );
  assert.deepEqual(diagnostics, []);
  assert.ok(built);
  assert.deepEqual(readSettings(openBytes(built.bytes)).aliases, [
    ['old://start', 'context://project/overview'],
    ['old://parts/{name}', 'context://module/{name}'],
  ]);
  const none = diagnose('version: "1.0"\nproject: { name: Shop }\n').built;
  assert.ok(none);
  assert.ok(!('aliases' in readSettings(openBytes(none.bytes))));
});

test('schemes of ours and of the web cannot be aliases, nor what is no URI', () => {
  for (const scheme of ['context', 'guide', 'FILE', 'upstream', 'http', 'https']) {
    const [only, ...more] = problems(`  "${scheme}://x": context://project/overview\n`);
    assert.match(only ?? '', /^5:3 name-wrong The alias ".*" has the scheme [a-z]+, which is taken\.$/);
    assert.deepEqual(more, []);
  }
  for (const uri of ['old', 'old:x', 'old://{a}/{b}', 'old://{}', 'old://a b', 'old://a\\\\b', '{a}://b']) {
    assert.deepEqual(problems(`  "${uri}": context://project/overview\n`), [
      `5:3 name-wrong The alias ${JSON.stringify(uri.replace('\\\\', '\\'))} is no URI.`,
    ]);
  }
});

test('a target is a URI of this bundle, with the same name in braces or none', () => {
  assert.deepEqual(problems('  "old://a": https://example.org\n  "old://b": README.md\n'), [
    '5:14 value-wrong The alias "old://a" stands for "https://example.org", which is no URI of this bundle.',
    '6:14 value-wrong The alias "old://b" stands for "README.md", which is no URI of this bundle.',
  ]);
  assert.deepEqual(problems('  "old://{a}": "context://module/{b}"\n  "old://b": "context://module/{b}"\n'), [
    '5:16 value-wrong The alias "old://{a}" stands for "context://module/{b}", but has no {b} itself.',
    '6:14 value-wrong The alias "old://b" stands for "context://module/{b}", but has no {b} itself.',
  ]);
  assert.deepEqual(problems('  "old://{a}": context://module/auth\n'), [
    '5:16 value-wrong The alias "old://{a}" stands for "context://module/auth", which has no {a}.',
  ]);
  assert.deepEqual(problems('  "old://a":\n'), ['5:3 value-wrong The alias "old://a" stands for nothing.']);
});

test('two aliases for the same URIs are one too many', () => {
  assert.deepEqual(problems('  "old://a": context://module/auth\n  "OLD://a": context://project/overview\n'), [
    '6:3 value-wrong The alias "OLD://a" means the same URIs as "old://a".',
  ]);
  assert.deepEqual(problems('  "old://{a}": "context://module/{a}"\n  "old://{b}": "context://for/{b}"\n'), [
    '6:3 value-wrong The alias "old://{b}" means the same URIs as "old://{a}".',
  ]);
  assert.deepEqual(problems('  "old://a": context://module/auth\n  "old://a": context://module/auth\n'), [
    '6:3 yaml-duplicate-key The key "old://a" stands here twice.',
  ]);
  assert.deepEqual(problems('  "old://a": context://module/auth\n  "old://{a}": "context://module/{a}"\n'), []);
});

test('more aliases than can be looked through are refused', () => {
  const many = Array.from({ length: 1001 }, (_, n) => `  "old://${n}": context://module/auth\n`).join('');
  assert.deepEqual(problems(many), ['5:3 value-wrong There are 1001 aliases.']);
});

test('a target that is not there is reported at its place with what was meant, and left out', (t) => {
  const found = build(
    t,
    '  "a://1": guide://document/docs/itnro.md\n  "a://2": file://README.md\n  "a://3": file://other.md\n' +
      '  "a://4/{x}": "file://data/{x}.json"\n  "a://5/{x}": "file://dta/{x}.json"\n' +
      '  "a://6": guide://category/docs\n  "a://7": "context://sessions/recent?limit=5"\n  "a://8/{p}": "context://for/{p}"\n',
  );
  assert.deepEqual(
    found.map(({ code, severity, line, column, what, fix }) => [code, severity, `${line}:${column}`, what, fix]),
    [
      [
        'alias-broken',
        'warning',
        '5:12',
        'The alias "a://1" stands for "guide://document/docs/itnro.md", which is not there.',
        'Did you mean "guide://document/docs/intro.md"?',
      ],
      [
        'alias-broken',
        'warning',
        '7:12',
        'The alias "a://3" stands for "file://other.md", which is not there.',
        'Name a URI as `fieldguide list` shows it.',
      ],
      [
        'alias-broken',
        'warning',
        '9:16',
        'The alias "a://5/{x}" stands for "file://dta/{x}.json", which is not there.',
        'Name a URI as `fieldguide list` shows it.',
      ],
    ],
  );
});

test('what stands in braces is a value within one segment, taken as it is', () => {
  const aliases = [
    ['t://{id}/data', 'file://{id}.json'],
    ['t://all/data', 'file://everything.json'],
  ] as const;
  assert.equal(targetOf('t://12/data', aliases), 'file://12.json');
  assert.equal(targetOf('T://$&{id}/data', aliases), 'file://$&{id}.json');
  assert.equal(targetOf('t://all/data', aliases), 'file://everything.json', 'the exact one goes first');
  for (const uri of ['t:///data', 't://1/2/data', 't://1?x/data', 't://1#x/data', 't://1/dat', 'u://1/data', 't://']) {
    assert.equal(targetOf(uri, aliases), undefined, uri);
  }
});
