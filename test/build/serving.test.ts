// Agents, upstreams and doors in project.yaml: what is refused, with its place, and what a bundle carries of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { openBytes } from '../support/bytes.ts';
import { diagnose } from '../support/shop.ts';

const HEAD = 'version: "1.0"\nproject: { name: Shop }\n';

function settings(yaml: string): Settings {
  const { built, diagnostics } = diagnose(HEAD + yaml);
  assert.deepEqual(diagnostics, []);
  assert.ok(built);
  return readSettings(openBytes(built.bytes));
}

function problems(yaml: string): string[] {
  return diagnose(HEAD + yaml).diagnostics.map(({ line, column, code, what }) => `${line}:${column} ${code} ${what}`);
}

test('agents travel in the bundle, their tokens as names of variables', () => {
  const { agents } = settings(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
    'agents:\n  ci: { resources: "*", token: "${CI_TOKEN}" }\n  web: { resources: [guide://**, "!guide://document/secret/**"], tools: [search], prompts: [] }\n  nobody:\n',
  );
  assert.deepEqual(agents, [
    { name: 'ci', resources: ['**'], tokenName: 'CI_TOKEN' },
    { name: 'web', resources: ['guide://**', '!guide://document/secret/**'], tools: ['search'], prompts: [] },
    { name: 'nobody', resources: [] },
  ]);
});

test('a bundle says nothing of agents, upstreams and doors that project.yaml has not', () => {
  const { agents, upstreams, http, projectSha256 } = settings('');
  assert.deepEqual([agents, upstreams, http, projectSha256], [undefined, [], { hosts: [], origins: [] }, undefined]);
});

test('a token that is no variable is refused, and not repeated', () => {
  const found = problems('agents:\n  ci: { resources: "*", token: s3cr3t-t0ken }\n');
  assert.deepEqual(found, ['4:32 value-wrong The token of the agent "ci" is not the name of an environment variable.']);
});

test('an agent has a name of its own, and patterns that can be used', () => {
  const long = 'ö'.repeat(100);
  const found = problems(
    `agents:\n  local: { resources: "*" }\n  a: { resources: ["file://${long}"], tools: ["${long.repeat(3)}"], prompts: ["!${long.repeat(3)}"] }\n`,
  );
  assert.equal(found[0], '4:3 name-wrong The name of the agent "local" cannot be used.');
  assert.equal(found.length, 4);
  for (const one of found.slice(1))
    assert.match(one, /^5:\d+ value-wrong The pattern "!?(file|ö).* at most 256 characters\.$/);
});

test('rules are kept in the spelling of the URIs that they are held against', () => {
  const written = [
    'context://module/größe & co',
    'GUIDE://document/a b/{x,y z}/[ä-ü]*.md',
    'file://%61,b%c3%a4%2a.md',
    '!**/%C3%A4',
    'upstream://x/a b',
  ];
  const { agents } = settings(`agents: { a: { resources: ${JSON.stringify(written)} } }\n`);
  assert.deepEqual(agents?.[0]?.resources, [
    'context://module/gr%C3%B6%C3%9Fe%20%26%20co',
    'guide://document/a%20b/{x,y%20z}/[ä-ü]*.md',
    'file://a%2Cb%C3%A4\\*.md',
    '!**/%C3%A4',
    'upstream://x/a b',
  ]);
});

test('upstreams have their usual values filled in', () => {
  const { upstreams } = settings(
    'upstreams:\n  notes: { command: notes-server, args: [--stdio], env: { A: b }, timeout: 2s }\n' +
      '  wiki: { url: "https://wiki.example/mcp", headers: { X-Team: shop }, timeout: { tools: 500ms }, cacheTtl: 1m, maxSize: 2MB, features: { prompts: true }, resources: ["wiki://**"] }\n' +
      '  off: { command: x, enabled: false }\n',
  );
  assert.deepEqual(upstreams, [
    {
      group: 'notes',
      features: { resources: true, prompts: false, tools: false },
      resources: ['**'],
      timeoutMs: { resources: 2000, prompts: 2000, tools: 2000 },
      maxBytes: 1024 * 1024,
      command: 'notes-server',
      args: ['--stdio'],
      env: [['A', 'b']],
    },
    {
      group: 'wiki',
      features: { resources: true, prompts: true, tools: false },
      resources: ['wiki://**'],
      timeoutMs: { resources: 10_000, prompts: 10_000, tools: 500 },
      cacheTtlMs: 60_000,
      maxBytes: 2 * 1024 * 1024,
      url: 'https://wiki.example/mcp',
      headers: [['X-Team', 'shop']],
    },
  ]);
});

test('what an upstream cannot mean is refused at its place', () => {
  assert.deepEqual(
    problems(
      'upstreams:\n  a: {}\n  b: { command: x, url: "http://h" }\n  c: { url: "http://h", args: [x] }\n  d__e: { command: x }\n  f: { url: "ftp://h" }\n  g: { command: x, timeout: 0 }\n  h: { command: x, timeout: soon }\n  i: { command: x, enabled: maybe }\n  j: { commnad: x }\n',
    ),
    [
      '4:3 value-wrong The upstream "a" has neither command nor url.',
      '5:3 value-wrong The upstream "b" has both command and url.',
      '6:31 value-wrong "args" means nothing for the upstream "c", which has a url.',
      '7:3 name-wrong The name of the group "d__e" cannot be used.',
      '8:13 value-wrong "ftp://h" is not the address of a server.',
      '9:29 value-wrong A timeout is 0.',
      '10:29 value-wrong "upstreams.h.timeout" is "soon".',
      '11:29 value-wrong "upstreams.i.enabled" is "maybe".',
      '12:3 value-wrong The upstream "j" has neither command nor url.',
      '12:8 key-unknown The key "commnad" in "upstreams.j" is unknown.',
    ],
  );
});
