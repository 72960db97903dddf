import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../runtime/failure.ts';
import { moduleUri, parseUri } from '../../runtime/uri.ts';
import { random } from '../support/random.ts';

function kindOf(raw: string): string {
  try {
    const address = parseUri(raw);
    if (address.space === 'guide') return `${address.kind} ${address.name} ${address.docId ?? '-'} ${address.page}`;
    if (address.space === 'upstream') return `upstream ${address.group} ${address.original ?? '-'}`;
    if (address.space === 'file')
      return `${address.bare ? 'bare' : 'file'} ${address.absolute ? 'absolute ' : ''}${address.path} ${address.page}`;
    return address.kind === 'module' ? `module ${address.name} ${address.page}` : `${address.kind} ${address.page}`;
  } catch (error) {
    assert.ok(error instanceof Failure, `${raw}: ${error}`);
    return error.kind;
  }
}

const CASES: [string, string][] = [
  ['context://project/overview', 'overview 1'],
  ['CONTEXT://project/overview', 'overview 1'],
  ['context://project/overview?page=2', 'overview 2'],
  ['context://project/overview#section', 'overview 1'],
  ['context://project/overview?other=%zz', 'overview 1'],
  ['context://project/overview?page=2&other=1', 'overview 2'],
  ['context://module/auth', 'module auth 1'],
  ['context://module/%61uth', 'module auth 1'],
  ['context://module/a%2Fb', 'module a/b 1'],
  ['context://module/größe', 'module größe 1'],
  ['context://module/a b?page=12', 'module a b 12'],
  ['context://module/%E2%82%AC', 'module € 1'],
  ['context://module', 'unknown_resource'],
  ['context://module/', 'unknown_resource'],
  ['context://module/a/b', 'unknown_resource'],
  ['context://nothing', 'unknown_resource'],
  ['context://', 'unknown_resource'],
  ['context:///project/overview', 'unknown_resource'],
  ['context://project/overview/', 'unknown_resource'],
  ['context://Project/overview', 'unknown_resource'],
  ['guide://help', 'help  - 1'],
  ['guide://collection/all?page=2', 'collection all - 2'],
  ['guide://category/docs', 'category docs - 1'],
  ['guide://category/docs/a/b%2Fc*', 'category docs a/b/c* 1'],
  ['guide://category/docs/in%3Fro', 'category docs in?ro 1'],
  ['guide://document/docs/a.md#part', 'document docs a.md 1'],
  ['guide://category/docs/../x', 'invalid_uri'],
  ['guide://category/docs/..%2Fx', 'invalid_uri'],
  ['guide://document/docs', 'not_found'],
  ['guide://nothing/x', 'not_found'],
  ['other://x', 'invalid_scheme'],
  ['http://localhost/', 'invalid_scheme'],
  ['', 'invalid_uri'],
  ['overview', 'bare overview 1'],
  ['AGENTS.md', 'bare AGENTS.md 1'],
  ['docs/a%20b.md?page=2', 'bare docs/a b.md 2'],
  ['../AGENTS.md', 'invalid_uri'],
  ['a\\b', 'invalid_uri'],
  ['file://AGENTS.md', 'file AGENTS.md 1'],
  ['file://agents.md/', 'file agents.md 1'],
  ['file://docs/a%2Fb.md', 'file docs/a/b.md 1'],
  ['file:///home/me/AGENTS.md', 'file absolute /home/me/AGENTS.md 1'],
  ['file://localhost/home/AGENTS.md', 'file absolute /home/AGENTS.md 1'],
  ['file:///home/../etc/passwd', 'invalid_uri'],
  ['file:///home/%2e%2e/etc/passwd', 'invalid_uri'],
  ['file://', 'file  1'],
  ['context:project/overview', 'invalid_uri'],
  ['context://module/..', 'invalid_uri'],
  ['context://module/.', 'invalid_uri'],
  ['context://module/../project/overview', 'invalid_uri'],
  ['context://module/%2e%2e', 'invalid_uri'],
  ['context://module/%252e%252E', 'invalid_uri'],
  ['context://module/..%2Fproject', 'invalid_uri'],
  ['context://module/a%2F..%2Fb', 'invalid_uri'],
  ['context://module/a\\b', 'invalid_uri'],
  ['context://module/a%5Cb', 'invalid_uri'],
  ['context://module/a\u0000', 'invalid_uri'],
  ['context://module/a%00', 'invalid_uri'],
  ['context://module/a\nb', 'invalid_uri'],
  ['context://module/%0A', 'invalid_uri'],
  ['context://module/%', 'invalid_uri'],
  ['context://module/%E0%A4%A', 'invalid_uri'],
  ['context://module/\ud800', 'invalid_uri'],
  [`context://module/${'x'.repeat(2048)}`, 'invalid_uri'],
  ...['0', '-1', '1e3', '5x', '', '01', '1.0', '99999999999', '+1', ' 1', '%31%32x'].map((page): [string, string] => [
    `context://project/overview?page=${page}`,
    'invalid_uri',
  ]),
  ['context://project/overview?page=1&page=1', 'invalid_uri'],
  ['context://project/overview?page', 'invalid_uri'],
  ['context://project/overview?page=%32', 'overview 2'],
];

test('each spelling leads where it should, or nowhere', () => {
  for (const [raw, expected] of CASES) assert.equal(kindOf(raw), expected, JSON.stringify(raw));
});

test('a module is found under its canonical URI whatever its name', () => {
  for (const name of ['auth', 'a/b', 'größe & co', '€', "it's (1)!", '100%', 'a?b#c', 'e\u0301']) {
    const address = parseUri(moduleUri(name));
    assert.equal(address.space === 'context' && address.kind === 'module' && address.name, name);
    assert.equal(address.uri, moduleUri(name));
    assert.match(moduleUri(name), /^[\u0021-\u007e]+$/);
  }
});

test('a hundred thousand crafted URIs are addresses or failures, never anything else', () => {
  const pieces = [
    'context://',
    'module/',
    'project/',
    'overview',
    '..',
    '.',
    '/',
    '%2e',
    '%2F',
    '%5c',
    '%',
    '%00',
    '\\',
    '?page=',
    '#',
    '&',
    'é',
    '\ud83d',
    ' ',
    'a',
    '%25',
    '://',
    'file:',
  ];
  const next = random(5);
  for (let n = 0; n < 100_000; n++) {
    const raw = Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]).join('');
    const kind = kindOf(raw);
    if (!kind.startsWith('module ')) continue;
    const { uri } = parseUri(raw);
    assert.ok(!/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(uri.slice('context://module/'.length)), raw);
  }
});
