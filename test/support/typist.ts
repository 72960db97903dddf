// A person at a real terminal: a pseudo-terminal made by Python, and an answer for each question that is asked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { NO_SESSION, START_FILE } from './command.ts';

/** Sends the next keys whenever one more question was asked; prints the exit code last. */
const TYPIST = `
import json, os, pty, select, sys, time
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
    if answered < len(keys) and seen.count(b'[y/N] ') > answered:
        os.write(fd, keys[answered].encode())
        answered += 1
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(seen.decode('utf8', 'replace') + '\\nEXIT %d' % code)
`;

/** Undefined, and the test skipped, where there is no Python. */
export function typed(
  t: TestContext,
  args: readonly string[],
  keys: readonly string[],
): { shown: string; code: number } | undefined {
  if (spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status !== 0) {
    t.skip('no python3 with pseudo-terminals here: the questions are NOT tested');
    return undefined;
  }
  const { stdout, stderr } = spawnSync(
    'python3',
    ['-c', TYPIST, JSON.stringify(keys), process.execPath, START_FILE, ...args],
    { encoding: 'utf8', timeout: 60_000, env: { ...process.env, ...NO_SESSION, TERM: 'xterm' } },
  );
  const [, shown = '', code = ''] = /^([\s\S]*)\nEXIT (-?\d+)$/.exec(stdout) ?? [];
  assert.notEqual(code, '', stdout + stderr);
  return { shown, code: Number(code) };
}
