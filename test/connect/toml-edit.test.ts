// A table in a file of TOML: appended as text, taken out as text, and never without a second look.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { withoutTable, withTable } from '../../bin/connect/toml-edit.ts';
import { isUnfit } from '../../bin/connect/unfit.ts';
import { random } from '../support/random.ts';

const SPOT = { container: 'mcp_servers', key: 'fieldguide' };
const ENTRY = { command: 'node', args: ['a "b"\\c\u007f', 'serve'] };
const TEXT = '[mcp_servers.fieldguide]\ncommand = "node"\nargs = ["a \\"b\\"\\\\c\\u007f", "serve"]';

function thereAndBack(before: string | undefined): string {
  const after = withTable(before, SPOT, ENTRY);
  assert.equal(withoutTable(after, SPOT), before, JSON.stringify(before));
  assert.equal(withTable(after, SPOT, ENTRY), after);
  assert.ok(after.startsWith(before ?? ''));
  const { command, args } = (parse(after).mcp_servers as Record<string, Record<string, unknown>>).fieldguide ?? {};
  assert.deepEqual({ command, args }, ENTRY);
  return after;
}

test('a table is appended after an empty line, and a file that was not there goes again', () => {
  assert.equal(thereAndBack(undefined), `${TEXT}\n`);
  assert.equal(thereAndBack('model = "x"\n'), `model = "x"\n\n${TEXT}\n`);
  assert.equal(thereAndBack('model = "x"'), `model = "x"\n\n${TEXT}`);
  assert.equal(thereAndBack('a = 1\r\n'), `a = 1\r\n\r\n${TEXT.replaceAll('\n', '\r\n')}\r\n`);
});

test('whatever a file looked like, appending and taking out again is identity', () => {
  const next = random(3);
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  const parts = [
    'a = 1',
    '',
    '# [mcp_servers.fieldguide]',
    '[mcp_servers.other]\ncommand = "x"',
    '[mcp_servers]',
    '[x]\ny = """\n[mcp_servers.fieldguide]\ncommand = "no"\n"""',
    '[[list]]\nn = 9007199254740993',
    '[t] # c\nd = 1979-05-27\narr = [\n  [1],\n]',
    'mcp_servers.more.command = "y"',
    '\t',
  ];
  let done = 0;
  for (let n = 0; n < 1500; n++) {
    const newline = pick(['\n', '\r\n']);
    const text = Array.from({ length: next(5) }, () => pick(parts)).join('\n') + pick(['', '\n', '\n\n']);
    const before = text.replaceAll('\n', newline);
    try {
      parse(before);
    } catch {
      continue;
    }
    try {
      thereAndBack(before);
      done++;
    } catch (error) {
      assert.ok(isUnfit(error), `${JSON.stringify(before)}: ${error}`);
      assert.match(error.message, /does not take a table at its end/);
    }
  }
  assert.ok(done > 700, String(done));
});

test('what a person added around it and to it stays, or goes with it', () => {
  const ours = `${TEXT}\nstartup_timeout_sec = 5 # slow disk\n\n[mcp_servers.fieldguide.env]\nA = "b"\n`;
  const file = (table: string): string => `model = "x"\n\n${table}\n# about b\n[b]\nc = 1\n`;
  assert.equal(withTable(file(ours), SPOT, ENTRY), file(ours));
  assert.equal(withoutTable(file(ours), SPOT), 'model = "x"\n\n# about b\n[b]\nc = 1\n');
  assert.equal(withoutTable(`[a]\n${TEXT}\n[b]\n`, SPOT), '[a]\n[b]\n');
  assert.equal(withoutTable('model = "x"\n', SPOT), 'model = "x"\n');
});

test('values that differ are replaced in their own range', () => {
  const before =
    'a = 1\n[ mcp_servers . "fieldguide" ] # ours\n"command" = "npx" # slow\nenv = { A = "b" }\nargs = [ # c\n  "-y", # d\n  "x"\n] # e\n\n[b]\n';
  assert.equal(
    withTable(before, SPOT, { command: 'node', args: ['x', 'serve'] }),
    'a = 1\n[ mcp_servers . "fieldguide" ] # ours\n"command" = "node" # slow\nenv = { A = "b" }\nargs = ["x", "serve"] # e\n\n[b]\n',
  );
  assert.equal(
    withTable('[mcp_servers.fieldguide]\ncommand = "x"', SPOT, { command: 'node', args: ['serve'] }),
    '[mcp_servers.fieldguide]\nargs = ["serve"]\ncommand = "node"',
  );
  assert.equal(
    withTable('[mcp_servers.fieldguide]\nurl = "https://x"\n[b]\n', SPOT, { command: 'fieldguide', args: ['serve'] }),
    '[mcp_servers.fieldguide]\ncommand = "fieldguide"\nargs = ["serve"]\n[b]\n',
  );
});

test('a file that does not parse, or has the table in another form, is left alone', () => {
  const cases: [text: string, what: RegExp, at: string][] = [
    ['a = \n', /does not parse: /, '1:5'],
    ['a = 1\n[b\n', /does not parse: /, '2:3'],
    ['mcp_servers = { other = {} }\n', /does not take a table at its end/, ''],
    ['mcp_servers = 1\n', /has no table under mcp_servers/, ''],
    ['mcp_servers = [1]\n', /has no table under mcp_servers/, ''],
    ['mcp_servers.fieldguide.command = "x"\n', /not written as a table of its own/, ''],
    ['mcp_servers = { fieldguide = { command = "x" } }\n', /not written as a table of its own/, ''],
    ['[mcp_servers]\nfieldguide = 1\n', /not written as a table of its own/, ''],
    [`a = ${'['.repeat(100_000)}`, /does not parse: /, '1:1005'],
  ];
  for (const [text, what, at] of cases) {
    assert.throws(
      () => withTable(text, SPOT, ENTRY),
      (error) => {
        assert.ok(isUnfit(error), String(error));
        assert.match(error.message, what);
        if (at !== '') assert.equal(`${error.at?.line}:${error.at?.column}`, at);
        return true;
      },
    );
  }
});
