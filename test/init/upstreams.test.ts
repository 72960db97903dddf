// `init --upstreams`: the servers of .mcp.json as upstreams, without their secrets, and only when that is asked for.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bad } from '../support/upstreams/project.ts';

const SECRET = 'hunter2-and-more';
const SERVERS = {
  fieldguide: { command: 'fieldguide', args: ['serve'] },
  local: { command: 'node', args: ['tools/fieldguide.cjs', 'serve'] },
  'My Notes!': {
    ...bad('good'),
    env: { LEVEL: 'debug', NOTES_TOKEN: SECRET, OTHER: `\${env:OTHER}`, HOME_OF: `\${A:-b}` },
  },
  wiki: {
    type: 'http',
    url: 'https://wiki.example/mcp',
    headers: { Authorization: `Bearer ${SECRET}`, 'X-Team': 'shop' },
  },
  nothing: {},
  leak: { url: `https://user:${SECRET}@wiki.example/mcp` },
  wrong: 5,
};

test('servers are copied over once, without what may be a secret', (t) => {
  const root = temporaryFolder(t, { '.mcp.json': JSON.stringify({ mcpServers: SERVERS }) });
  const { code, stderr } = run(['init', '--yes', '--upstreams', '--root', root]);
  assert.equal(code, 0, stderr);
  const text = readFileSync(join(root, 'project.yaml'), 'utf8');
  assert.doesNotMatch(text + stderr, new RegExp(SECRET));
  assert.deepEqual(parse(text).upstreams, {
    'My-Notes': {
      ...bad('good'),
      env: { LEVEL: 'debug', NOTES_TOKEN: `\${NOTES_TOKEN}`, OTHER: `\${OTHER}`, HOME_OF: `\${A}` },
    },
    wiki: { url: 'https://wiki.example/mcp', headers: { Authorization: `\${AUTHORIZATION}`, 'X-Team': 'shop' } },
  });
  assert.match(stderr, /set the variable NOTES_TOKEN/);
  assert.match(stderr, /the server "leak" of \.mcp\.json is passed over/);
  const built = run(['build', '--strict', '--json', '--root', root]);
  assert.deepEqual(JSON.parse(built.stdout).diagnostics, []);
});

test('without the option none is, and the section is shown as a comment', (t) => {
  const root = temporaryFolder(t, { '.mcp.json': JSON.stringify({ mcpServers: SERVERS }) });
  assert.equal(run(['init', '--yes', '--root', root]).code, 0);
  const text = readFileSync(join(root, 'project.yaml'), 'utf8');
  assert.equal(parse(text).upstreams, undefined);
  assert.match(text, /^# upstreams:$/m);
});

test('what is no list of servers is passed over', (t) => {
  for (const json of [
    '',
    '[]',
    '{"mcpServers":5}',
    '{"mcpServers":{"a":null,"__proto__":{"command":"x"}}}',
    'x'.repeat(100),
  ]) {
    const root = temporaryFolder(t, { '.mcp.json': json });
    const { code, stderr } = run(['init', '--yes', '--upstreams', '--root', root]);
    assert.equal(code, 0, stderr);
    assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  }
});
