// The wire on stdio as bytes: what is malformed, what is slow, how it ends. What it says is tested in test/wire.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, Served } from '../support/command.ts';
import { builtShop, OVERVIEW } from '../support/served.ts';

const MALFORMED: [string, number | undefined, unknown][] = [
  ['nonsense', -32700, null],
  ['{"jsonrpc":"2.0","id":1,"method":', -32700, null],
  ['\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700, null],
  ['{"a":\u0000}', -32700, null],
  ['[]', -32600, null],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
  ['null', -32600, null],
  ['"text"', -32600, null],
  ['17', -32600, null],
  ['{}', -32600, null],
  ['{"id":"x1","method":"ping"}', -32600, 'x1'],
  ['{"jsonrpc":"1.0","id":"x2","method":"ping"}', -32600, 'x2'],
  ['{"jsonrpc":"2.0","id":"x3"}', -32600, 'x3'],
  ['{"jsonrpc":"2.0","id":"x4","method":5}', -32600, 'x4'],
  ['{"jsonrpc":"2.0","id":"x5","method":"ping","params":[]}', -32600, 'x5'],
  ['{"jsonrpc":"2.0","id":"x6","method":"ping","params":null}', -32600, 'x6'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600, null],
  ['{"jsonrpc":"2.0","id":"x7","method":"__proto__"}', -32601, 'x7'],
  ['{"jsonrpc":"2.0","id":"x8","method":"constructor"}', -32601, 'x8'],
  ['', undefined, undefined],
  ['   \r', undefined, undefined],
  ['{"jsonrpc":"2.0","method":"notifications/whatever"}', undefined, undefined],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', undefined, undefined],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', undefined, undefined],
];

test('each malformed line is answered once, and never stops the others', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  for (const [n, [line, code, id]] of MALFORMED.entries()) {
    const before = served.messages.length;
    served.send(`${line}\n`);
    assert.deepEqual((await served.request('ping', {}, `ping ${n}`)).result, {});
    const answers = served.messages.slice(before, -1).map(({ id, error }) => [id, error.code]);
    assert.deepEqual(answers, code === undefined ? [] : [[id, code]], line.slice(0, 60));
  }
});

test('a line over 4 MiB is refused and the next one served', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  const long = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(5 * 1024 * 1024)}"}}\n`;
  served.send(long);
  const refused = await served.answer((message) => message.id === null);
  assert.equal(refused.error.code, -32600);
  assert.match(refused.error.data.reason, /longer than 4 MiB/);
  assert.deepEqual((await served.request('ping')).result, {});
  const fits = `{"jsonrpc":"2.0","id":"big","method":"ping","params":{"x":"${'x'.repeat(4 * 1024 * 1024 - 100)}"}}\n`;
  served.send(fits);
  assert.deepEqual((await served.answer((message) => message.id === 'big')).result, {});
});

test('a request without a handshake is served, and the end of input waits for its answer', (t) => {
  const root = builtShop(t);
  const read = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}`;
  for (const input of [`${read}\n`, read]) {
    const { code, stdout, stderr } = run(['serve', '--root', root], { input });
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(JSON.parse(stdout).result.contents[0].text, /^# Project: My SaaS App/);
  }
  const many = run(['serve', '--root', root], { input: `${read}\n`.repeat(20_000) });
  assert.equal(many.code, 0);
  assert.equal(many.stdout.split('\n').length, 20_001);
});

test('a reader that stalls costs no memory, and gets everything when it reads again', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  await served.request('ping', {}, 'ready');
  served.child.stdout.pause();
  const line = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}\n`;
  const count = 100_000;
  for (let n = 0; n < count / 1000; n++) served.send(line.repeat(1000));
  await sleep(700);
  const { readFileSync } = await import('node:fs');
  const anonymous = Number(
    /^Anonymous:\s+(\d+)/m.exec(readFileSync(`/proc/${served.child.pid}/smaps_rollup`, 'utf8'))?.[1],
  );
  assert.ok(anonymous < 100_000, `${anonymous} KB`);
  served.child.stdout.resume();
  served.child.stdin.end();
  const { code } = await served.ended;
  assert.equal(code, 0);
  assert.equal(served.messages.length, count + 1);
});

test('SIGTERM ends it at once with code 0, a stalled reader or not', async (t) => {
  for (const stalled of [false, true]) {
    const served = new Served(t, ['--root', builtShop(t)]);
    await served.request('ping', {}, 'ready');
    if (stalled) {
      served.child.stdout.pause();
      for (let n = 0; n < 100; n++) {
        served.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}\n`.repeat(100));
      }
      await sleep(300);
    }
    const exit = new Promise((resolve) => served.child.on('exit', (code, signal) => resolve([code, signal])));
    served.child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
  }
});

test('SIGTERM in the middle of a backlog: what was read is answered in whole lines', async (t) => {
  const rules = Array.from({ length: 150 }, (_, n) => `      - Rule ${n} ${'words '.repeat(15)}`).join('\n');
  const root = builtShop(t, `version: "1.0"\nproject: { name: a }\nmodules:\n  big:\n    businessRules:\n${rules}\n`);
  const served = new Served(t, ['--root', root]);
  await served.request('ping', {}, 'ready');
  served.child.stdout.pause();
  const line = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"context://module/big"}}\n';
  served.send(line.repeat(300));
  await sleep(300);
  served.child.kill('SIGTERM');
  served.child.stdout.resume();
  const { code, stdout } = await served.ended;
  assert.deepEqual([code, stdout], [0, '']);
  assert.equal(served.messages.length, 301);
});

test('a reader that goes away ends it with code 0', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  await served.request('ping', {}, 'ready');
  served.child.stdout.destroy();
  const line = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${OVERVIEW}"}}\n`;
  for (let n = 0; n < 100; n++) served.send(line);
  const exit = new Promise((resolve) => served.child.on('exit', (code, signal) => resolve([code, signal])));
  assert.deepEqual(await exit, [0, null]);
  assert.equal(served.stderr, '');
});

test('a client that closes stderr is served all the same', async (t) => {
  const served = new Served(t, ['--root', builtShop(t)]);
  await served.request('ping', {}, 'ready');
  served.child.stderr.destroy();
  for (let n = 0; n < 5; n++) {
    assert.equal((await served.request('resources/read', { uri: 'context://module/nothing' })).error.code, -32602);
  }
  assert.match((await served.request('resources/read', { uri: OVERVIEW })).result.contents[0].text, /^# Project/);
});
