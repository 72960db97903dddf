// A discovery from the moment it is recorded, while a server runs, to the build that takes it over; in both eras,
// by resources, tools and the terminal.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../support/clock.ts';
import { ENVELOPE, type Message, run, Served } from '../support/command.ts';
import { discovery, record } from '../support/discovered.ts';
import { temporaryFolder } from '../support/folder.ts';
import { OVERVIEW } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';

const AUTH = 'context://module/auth';
const FILE = 'context://for/src/auth/index.ts';
const ENTRY = '- Wrap the client in a breaker (Session: f00dcafe)';
const PROMOTED = SHOP.replace('    patterns:\n', '    patterns:\n      - wrap the client in a breaker.\n');

function served(t: TestContext, source = SHOP): { root: string; server: Served } {
  const root = temporaryFolder(t, { 'project.yaml': source, 'content/docs/a.md': '# A document\n' });
  assert.equal(run(['build', '--root', root]).code, 0);
  return { root, server: new Served(t, ['--root', root]) };
}

for (const [era, meta] of [
  ['legacy', {}],
  ['modern', { _meta: ENVELOPE }],
] as const) {
  test(`${era}: a discovery is there with the next read, and let go once a bundle holds it`, async (t) => {
    const { root, server } = served(t);
    const read = async (uri: string): Promise<Message> => {
      const { result, error } = await server.request('resources/read', { uri, ...meta });
      assert.equal(error, undefined, JSON.stringify(error));
      return { text: result.contents[0].text, uri: result.contents[0].uri, ttlMs: result.ttlMs };
    };
    const tool = async (name: string, given: object): Promise<string> => {
      const { result } = await server.request('tools/call', { name, arguments: given, ...meta });
      assert.notEqual(result.isError, true);
      return result.content[0].text;
    };
    const kept = era === 'modern' ? 60_000 : undefined;
    const before = await read(AUTH);
    assert.equal(before.ttlMs, kept);

    await record(root, discovery('pattern', 'Wrap the client in a breaker', 'auth'));
    const after = await read(AUTH);
    assert.ok(after.text.includes(`## Patterns (3)\n`) && after.text.includes(`\n${ENTRY}\n`));
    assert.deepEqual([after.uri, after.ttlMs], [AUTH, era === 'modern' ? 0 : undefined]);
    assert.match((await read(OVERVIEW)).text, /\*\*Patterns:\*\* 3 {2}\n/);
    assert.ok((await read(FILE)).text.includes(ENTRY));
    assert.equal((await read('context://module/users')).ttlMs, kept, 'nothing live is in it');
    assert.equal((await read('guide://document/docs/a.md')).ttlMs, kept);
    assert.equal(await tool('read_resource', { uri: AUTH }), after.text);
    assert.equal(await tool('context_for', { path: 'src/auth/index.ts' }), (await read(FILE)).text);
    assert.match(
      await tool('search', { query: 'breaker' }),
      /^1 found:\n1\. Module: auth › Pattern \(Session: f00dcafe\) — context:\/\/module\/auth .*\n {3}Wrap the client in a breaker$/,
    );

    await record(root, discovery('rule', 'Breakers open for a minute', 'auth'));
    assert.match(
      (await read(AUTH)).text,
      /Patterns \(3\)[\s\S]*Business Rules \(2\)[\s\S]*\n- Breakers open for a minute \(/,
    );

    writeFileSync(join(root, 'project.yaml'), PROMOTED);
    assert.equal(run(['build', '--root', root]).code, 0);
    await until(async () => (await read(AUTH)).text.includes('- wrap the client in a breaker.\n'));
    const taken = (await read(AUTH)).text;
    assert.ok(taken.includes('## Patterns (3)\n') && !taken.includes('- Wrap the client'));
    assert.ok(taken.includes('\n- Breakers open for a minute (Session: f00dcafe)\n'));
    assert.match(await tool('search', { query: 'wrap the client' }), /^1 found:\n1\. Module: auth — /);
    assert.match((await read('context://discoveries')).text, /^# Discoveries \(2\)\n/);
    assert.equal(server.stderr.replace(/.*went over to bundle.*\n/g, ''), '');
  });
}

test('the terminal shows the same', async (t) => {
  const { root, server } = served(t);
  await record(root, discovery('pattern', 'Wrap the client in a breaker', 'auth'));
  const page = run(['read', AUTH, '--root', root]);
  const { result } = await server.request('resources/read', { uri: AUTH });
  assert.equal(page.stdout, result.contents[0].text);
  const { results, total } = JSON.parse(run(['search', 'breaker', '--json', '--root', root]).stdout);
  assert.deepEqual([total, results[0].uri, results[0].snippet], [1, AUTH, 'Wrap the client in a breaker']);
});

test('many requests at once get whole answers, in whatever order they are recorded', async (t) => {
  const { root, server } = served(t);
  const reading = Array.from({ length: 200 }, async (_, n) => {
    if (n % 20 === 0) await record(root, discovery('rule', `Rule ${n}`, 'auth'));
    const { result } = await server.request('resources/read', { uri: AUTH });
    const [, count, list] =
      /## Business Rules \((\d+)\)\n\n([\s\S]*?)\n\n## Common/.exec(result.contents[0].text) ?? [];
    assert.equal(list?.split('\n').length, Number(count));
    return Number(count);
  });
  assert.equal(Math.max(...(await Promise.all(reading))), 11);
});
