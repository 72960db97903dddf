// The questions, on a real terminal: a pseudo-terminal made by Python, to which a person's keys are sent.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { run, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Sends the next keys whenever a question stands at the end of what was printed; prints the exit code last. */
const TYPIST = `
import json, os, pty, re, select, sys, time
keys = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen, answered, end = b'', 0, time.time() + 30
while time.time() < end:
    if select.select([fd], [], [], 0.1)[0]:
        try: chunk = os.read(fd, 65536)
        except OSError: break
        if not chunk: break
        seen += chunk
    plain = re.sub(rb'\\x1b\\[[0-9;?]*[A-Za-z]', b'', seen)
    if answered < len(keys) and len(re.findall(rb'(?:^|\\n)[A-Z][^\\n]*: (?=\\r?$|[^\\n]*\\n)', plain)) > answered and plain.endswith(b': '):
        os.write(fd, keys[answered].encode())
        answered += 1
        time.sleep(0.05)
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(seen.decode('utf8', 'replace') + '\\nEXIT %d' % code)
`;

function typed(
  t: TestContext,
  root: string,
  keys: readonly string[],
  flags: string[] = [],
): { shown: string; code: number } | undefined {
  const python = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']);
  if (python.status !== 0) {
    t.skip('no python3 with pseudo-terminals here: the questions of init are NOT tested');
    return undefined;
  }
  const script = join(temporaryFolder(t), 'typist.py');
  writeFileSync(script, TYPIST);
  const args = [script, JSON.stringify(keys), process.execPath, START_FILE, 'init', '--root', root, ...flags];
  const { stdout, stderr } = spawnSync('python3', args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, TERM: 'xterm' },
  });
  const [, shown = '', code = ''] = /^([\s\S]*)\nEXIT (-?\d+)$/.exec(stdout) ?? [];
  assert.notEqual(code, '', stdout + stderr);
  return { shown, code: Number(code) };
}

const FILES = { 'package.json': '{"name":"found","scripts":{"test":"x"},"main":"index.js"}', 'index.js': '' };

test('answers are taken, Enter accepts what was found, and the page follows the answers', (t) => {
  const root = temporaryFolder(t, FILES);
  const ended = typed(t, root, ['\r', 'cli\r', 'What: it # is\r', 'pnpm\r', '\r']);
  if (ended === undefined) return;
  assert.equal(ended.code, 0, ended.shown);
  assert.match(ended.shown, /Name.*\(found\)/);
  assert.match(ended.shown, /Type, of web-app, api, cli, library, fullstack.*\(library\)/);
  const { project, tech } = parse(readFileSync(join(root, 'project.yaml'), 'utf8'));
  assert.deepEqual(project, { name: 'found', type: 'cli', description: 'What: it # is' });
  assert.equal(tech.packageManager, 'pnpm');
  assert.match(readFileSync(join(root, 'content/guide/start.md'), 'utf8'), /```sh\npnpm install\npnpm test\n```/);
});

test('the page may be declined, and a folder of somebody else is still not taken for the guide', (t) => {
  const root = temporaryFolder(t, { ...FILES, 'content/posts/a.md': '[gone](gone.md)\n' });
  const ended = typed(t, root, ['other\r', '\r', '\r', '\r', 'no\r']);
  if (ended === undefined) return;
  assert.equal(ended.code, 0, ended.shown);
  assert.ok(!existsSync(join(root, 'fieldguide')));
  assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  assert.equal(parse(readFileSync(join(root, 'project.yaml'), 'utf8')).project.name, 'other');
});

test('Ctrl-C writes nothing and ends with 130; Ctrl-D writes nothing and ends with 1', (t) => {
  for (const [key, code] of [
    ['\u0003', 130],
    ['\u0004', 1],
  ] as const) {
    const root = temporaryFolder(t, FILES);
    const ended = typed(t, root, ['\r', 'cli\r', key]);
    if (ended === undefined) return;
    assert.equal(ended.code, code, ended.shown);
    assert.match(ended.shown, /nothing was written/);
    assert.ok(!existsSync(join(root, 'project.yaml')) && !existsSync(join(root, 'content')));
  }
});

test('--yes and --json ask nothing on a terminal', (t) => {
  for (const flag of ['--yes', '--json']) {
    const root = temporaryFolder(t, FILES);
    const ended = typed(t, root, [], [flag]);
    if (ended === undefined) return;
    assert.equal(ended.code, 0, ended.shown);
    assert.doesNotMatch(ended.shown, /Enter accepts/);
    assert.ok(existsSync(join(root, 'project.yaml')));
  }
});
