// The official suite against the running server, both requirement sets. What it asks for by name comes from a project
// compiled by our own command; what does not apply stands in expected-failures.yml, with a reason for each.

import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ENVELOPE, run } from '../support/command.ts';
import { failuresOf, isAboutForm, type Judgement, passedOf, runSuite } from '../support/conformance-suite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HttpServed } from '../support/http-served.ts';

const PROJECT = join(import.meta.dirname, '../fixtures/conformance');
const EXPECTED = join(import.meta.dirname, 'expected-failures.yml');

const OF_BOTH = [
  'completion-complete',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
];

/** Everything about resources, prompts, completion, caching, headers, statelessness, foreign hosts and sessions. */
const MUST_PASS: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    ...OF_BOTH,
    'sep-2164-resource-not-found',
    'caching',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ],
  '2025-11-25': [
    ...OF_BOTH,
    'server-initialize',
    'ping',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-session-lifecycle',
  ],
};

/** Some of their checks cannot be made here; of the others so many pass. */
const MOST_PASS: Readonly<Record<string, readonly [scenario: string, atLeast: number][]>> = {
  '2026-07-28': [
    ['server-stateless', 22],
    ['http-header-validation', 12],
  ],
};

function served(t: TestContext): HttpServed {
  const root = temporaryFolder(t);
  cpSync(PROJECT, root, { recursive: true });
  const { code, stderr } = run(['build', '--strict', '--root', root]);
  assert.equal(code, 0, stderr);
  return new HttpServed(t, ['--root', root]);
}

/** The entries of the file and their reasons. */
function expected(): ReadonlyMap<string, string> {
  const lines = readFileSync(EXPECTED, 'utf8').split('\n');
  const entries = lines.filter((line) => line.startsWith('  - '));
  return new Map(
    entries.map((line) => {
      const [, entry = '', reason = ''] = /^ {2}- (\S+)(?: # (.+))?$/.exec(line) ?? [];
      return [entry, reason];
    }),
  );
}

/** As the file writes them: a whole scenario where it names that, else each check. */
function failing({ scenarios }: Judgement, known: ReadonlyMap<string, string>): string[] {
  return [...scenarios].flatMap(([scenario, checks]) => {
    const failed = failuresOf(checks).map(({ id }) => (known.has(scenario) ? scenario : `${scenario}:${id}`));
    return [...new Set(failed)];
  });
}

function row(scenario: string, checks: Judgement['scenarios'], known: ReadonlyMap<string, string>): string {
  const [passed, failed] = [passedOf(checks.get(scenario) ?? []), failuresOf(checks.get(scenario) ?? [])];
  const reasons = failed.map(({ id }) => known.get(scenario) ?? known.get(`${scenario}:${id}`) ?? 'NOT EXPECTED');
  const kept = passed.length === 0 ? 'does not apply' : 'passes, but for what does not apply';
  const clean = passed.length === 0 ? 'nothing was checked' : 'passes';
  const verdict = failed.length === 0 ? clean : `${kept}: ${[...new Set(reasons)].join('; ')}`;
  return `${scenario}: ${passed.length} passed, ${failed.length} failed; ${verdict}`;
}

test('the official suite, both requirement sets: what applies passes, what does not is named with its reason', async (t) => {
  const url = `${await served(t).origin()}/mcp`;
  const folder = temporaryFolder(t);
  const known = expected();
  for (const [entry, reason] of known) assert.notEqual(reason, '', `${entry} has no reason`);
  const failed = new Set<string>();
  for (const [requirements, scenarios] of Object.entries(MUST_PASS)) {
    const judged = await runSuite({ url, requirements, expectedFailures: EXPECTED, folder });
    for (const [scenario, checks] of judged.scenarios) {
      t.diagnostic(`${requirements} ${row(scenario, judged.scenarios, known)}`);
      assert.ok(!failuresOf(checks).some(isAboutForm), `${requirements} ${scenario}: an answer has another form`);
    }
    for (const scenario of scenarios) {
      const checks = judged.scenarios.get(scenario) ?? [];
      assert.deepEqual(failuresOf(checks), [], `${requirements} ${scenario}`);
      assert.ok(passedOf(checks).length > 0, `${requirements} ${scenario} had no check that passed`);
    }
    for (const [scenario, atLeast] of MOST_PASS[requirements] ?? []) {
      const passed = passedOf(judged.scenarios.get(scenario) ?? []).length;
      assert.ok(passed >= atLeast, `${requirements} ${scenario}: ${passed} checks passed`);
    }
    for (const one of failing(judged, known)) {
      assert.ok(known.has(one), `${requirements} ${one} failed, and no reason is given for it`);
      failed.add(one);
    }
    assert.equal(judged.code, 0, judged.said.slice(judged.said.indexOf('=== SUMMARY ===')));
    assert.match(judged.said, /Baseline check passed/);
  }
  assert.deepEqual(
    [...known.keys()].filter((entry) => !failed.has(entry)),
    [],
    'these pass, or were not run: they are no expected failures',
  );
});

test('spaces around the name in a header are no part of it, as the suite would see with the arguments that a tool needs', async (t) => {
  const url = `${await served(t).origin()}/mcp`;
  const params = { name: 'context_for', arguments: { path: 'README.md' }, _meta: ENVELOPE };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
  };
  for (const [name, status] of [
    ['  context_for  ', 200],
    ['  context  for  ', 400],
  ] as const) {
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(url, { method: 'POST', headers: { ...headers, 'Mcp-Name': name } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    });
    assert.equal(answered, status, name);
  }
});

test('a version in the header that is not that of the body is a mismatch, even where the body names an unknown one', async (t) => {
  const server = served(t);
  const ask = async (header: string, body: string): Promise<unknown> => {
    const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': body };
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
    const { status, text } = await server.post(line, {
      'MCP-Protocol-Version': header,
      'Mcp-Method': 'server/discover',
    });
    return [status, JSON.parse(text).error?.code];
  };
  assert.deepEqual(await ask('2026-07-28', '2099-01-01'), [400, -32020]);
  assert.deepEqual(await ask('2099-01-01', '2026-07-28'), [400, -32020]);
  assert.deepEqual(await ask('2099-01-01', '2099-01-01'), [400, -32022]);
  assert.deepEqual(await ask('2026-07-28', '2026-07-28'), [200, undefined]);
});
