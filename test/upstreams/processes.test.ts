// Programs of groups: started late, once, and ended whatever happens.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Program } from '../../runtime/upstreams/program.ts';
import { Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { publish } from '../support/served.ts';
import { bundleBytes } from '../support/shop.ts';
import { bad, logged, projectWith } from '../support/upstreams/project.ts';

const A = 'upstream://bad/bad://a';

function started(log: string): number[] {
  return logged(log)
    .filter((line) => line.startsWith('start '))
    .map((line) => Number(line.slice(6)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

async function allEnded(pids: readonly number[]): Promise<void> {
  for (const endAt = Date.now() + 20_000; pids.some(isAlive); ) {
    if (Date.now() > endAt) throw new Error(`${pids.filter(isAlive)} are still there`);
    await sleep(20);
  }
}

test('one process for a group, however many ask at once', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('good', log) })]);
  const asked = Array.from({ length: 40 }, (_, n) =>
    served.request('resources/read', { uri: `upstream://bad/bad://${n}` }),
  );
  const texts = (await Promise.all(asked)).map(({ result }) => result.contents[0].text);
  assert.deepEqual(
    texts,
    texts.map((_, n) => `text of bad://${n}`),
    'each its own',
  );
  assert.equal(started(log).length, 1);
});

for (const mode of ['good', 'stubborn', 'flood']) {
  for (const how of ['the end of the input', 'SIGTERM', 'SIGINT']) {
    test(`a ${mode} program, and what it started, ends with us by ${how}`, async (t) => {
      const log = join(temporaryFolder(t), 'log');
      const served = new Served(t, ['--root', projectWith(t, { bad: bad(mode, log) })]);
      await served.request('resources/read', { uri: A });
      const pids = started(log);
      assert.equal(pids.length > 0 && pids.length === (mode === 'stubborn' ? 2 : pids.length), true);
      if (how === 'SIGTERM' || how === 'SIGINT') served.child.kill(how);
      else served.child.stdin.end();
      await served.ended;
      await allEnded(started(log));
    });
  }
}

test('a group that a new bundle no longer has is ended', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: bad('good', log) });
  const served = new Served(t, ['--root', root]);
  assert.ok((await served.request('resources/read', { uri: A })).result);
  publish(root, bundleBytes());
  for (const endAt = Date.now() + 20_000; ; await sleep(50)) {
    const { error } = await served.request('resources/read', { uri: A });
    if (error?.data.kind === 'unknown_group') break;
    if (Date.now() > endAt) throw new Error('the new bundle was not taken up');
  }
  await allEnded(started(log));
});

test('a thousand programs that crash leave no process and no handle behind', async (t) => {
  const script = join(temporaryFolder(t, { 'crash.sh': 'read line; exit 7\n' }), 'crash.sh');
  const handles = (): number => process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length;
  const before = handles();
  for (let n = 0; n < 1000; n += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const program = new Program({ command: '/bin/sh', args: [script], env: {}, cwd: '/', maxBytes: 1000 });
        const closed = new Promise<void>((resolve) => {
          program.onclose = resolve;
        });
        await program.start();
        await program.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
        await closed;
        assert.equal(program.ended, 'It ended with code 7.');
        await program.close();
      }),
    );
  }
  if (process.platform === 'linux') {
    const ours = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [readFileSync(`/proc/${pid}/stat`, 'utf8')];
        } catch {
          return [];
        }
      })
      .filter((stat) => stat.split(') ')[1]?.split(' ')[1] === String(process.pid) && stat.includes('(sh)'));
    assert.deepEqual(ours, []);
  }
  await sleep(100);
  assert.ok(handles() <= before + 2, `${handles()} handles, ${before} before`);
});
