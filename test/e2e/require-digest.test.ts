// `serve --require-digest`: one bundle and no other, at the start and under a running server, however the other
// came to be there.

import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { countedDigest } from '../../runtime/digest.ts';
import { openBytes } from '../support/bytes.ts';
import { until } from '../support/clock.ts';
import { type Message, run, Served } from '../support/command.ts';
import { builtShop, OVERVIEW, publish } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';

const OURS = bundleBytes();
const THEIRS = bundleBytes(SHOP.replace('My SaaS App', 'Their App'));

function digestOf(bytes: Buffer): string {
  return `sha256:${countedDigest(openBytes(bytes))}`;
}

/** Their bundle, right by every checksum of the format, with our digest stated at its end. */
function forged(): Buffer {
  const bytes = Buffer.from(THEIRS);
  OURS.copy(bytes, bytes.length - 32, OURS.length - 32);
  return bytes;
}

async function title(served: Served): Promise<string> {
  const answer: Message = await served.request('resources/read', { uri: OVERVIEW });
  return answer.error?.data.kind ?? /# Project: (.*)/.exec(answer.result.contents[0].text)?.[1];
}

for (const map of ['mmap', 'pread']) {
  const serve = (t: Parameters<typeof builtShop>[0], root: string, digest = digestOf(OURS)): Served =>
    new Served(t, ['--root', root, '--map', map, '--require-digest', digest]);

  test(`${map}: the bundle with the digest is served, in either case of letters`, async (t) => {
    const root = builtShop(t);
    assert.equal(await title(serve(t, root)), 'My SaaS App');
    const shouted = digestOf(OURS).replace(/[a-f]/g, (letter) => letter.toUpperCase());
    assert.equal(await title(serve(t, root, shouted)), 'My SaaS App');
  });

  test(`${map}: of another bundle nothing is answered, not even its instructions`, async (t) => {
    const root = builtShop(t);
    publish(root, THEIRS);
    const served = serve(t, root);
    const hello = await served.request('initialize', { protocolVersion: '2025-11-25' });
    assert.equal(hello.result.instructions, undefined);
    assert.equal((await served.modern('server/discover')).result.instructions, undefined);
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/read', { uri: OVERVIEW }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'getting-started' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'module', value: '' } }],
    ] as const) {
      const { error } = await served.request(method, params);
      assert.deepEqual([error.code, error.data.kind], [-32603, 'no_bundle'], method);
      assert.equal(error.message, 'Bundle is not the required one');
      assert.ok(error.data.reason.includes(digestOf(OURS)) && error.data.reason.includes(digestOf(THEIRS)));
    }
    for (const [name, args] of [
      ['search', { query: 'auth' }],
      ['list_resources', {}],
      ['context_for', { path: 'src/auth/index.ts' }],
    ] as const) {
      const { result } = await served.request('tools/call', { name, arguments: args });
      assert.equal(JSON.parse(result.content[0].text).error, 'no_bundle', name);
    }
    publish(root, OURS);
    await until(async () => (await title(served)) === 'My SaaS App');
  });

  test(`${map}: a bundle that only states the digest is refused`, async (t) => {
    const root = builtShop(t);
    publish(root, forged());
    const served = serve(t, root);
    const { error } = await served.request('resources/read', { uri: OVERVIEW });
    assert.equal(error.message, 'Bundle is not the required one');
    assert.match(error.data.reason, /^It was changed: its bytes have the digest sha256:[0-9a-f]{64}; required is /);
  });

  test(`${map}: a bundle whose bytes are right and whose own statement is not is refused`, async (t) => {
    const root = builtShop(t);
    const bytes = Buffer.from(OURS);
    bytes.writeUInt8((bytes.at(-1) as number) ^ 1, bytes.length - 1);
    publish(root, bytes);
    assert.equal(await title(serve(t, root)), 'no_bundle');
  });

  test(`${map}: the last good bundle stays when another, a forged or a damaged one takes its place`, async (t) => {
    const root = builtShop(t);
    const served = serve(t, root);
    assert.equal(await title(served), 'My SaaS App');
    for (const [n, bytes] of [THEIRS, forged(), OURS.subarray(0, 5000)].entries()) {
      publish(root, bytes);
      await until(async () => {
        assert.equal(await title(served), 'My SaaS App');
        return served.stderr.split('The last good bundle stays').length - 1 > n;
      });
    }
    rmSync(join(root, 'dist-index/context.fgb'));
    await sleep(600);
    assert.equal(await title(served), 'My SaaS App');
    publish(root, OURS);
    await until(async () => (await title(served)) === 'My SaaS App' && served.stderr.includes('went over to bundle'));
  });

  test(`${map}: a bundle that is written over in place is no longer served`, async (t) => {
    const root = builtShop(t);
    const served = serve(t, root);
    assert.equal(await title(served), 'My SaaS App');
    const file = join(root, 'dist-index/context.fgb');
    const at = readFileSync(file).lastIndexOf('httpOnly');
    const fd = openSync(file, 'r+');
    writeSync(fd, 'httpEvil', at);
    closeSync(fd);
    await until(async () => (await title(served)) === 'no_bundle');
    assert.doesNotMatch(served.stderr, /last good bundle stays/);
  });
}

test('a digest that is none is wrong usage, and nothing is served', (t) => {
  const root = builtShop(t);
  const whole = digestOf(OURS);
  for (const written of ['x', whole.slice(7), whole.slice(0, -1), `${whole}0`, whole.replace('sha256', 'sha512')]) {
    const { code, stdout, stderr } = run(['serve', '--root', root, '--require-digest', written], { input: '' });
    assert.deepEqual([code, stdout], [2, ''], written);
    assert.match(stderr, /^fieldguide: --require-digest is sha256: and 64 hexadecimal digits.*\n$/);
  }
});

test('the digest that build and verify print is the one that serve wants', (t) => {
  const root = builtShop(t);
  const built = JSON.parse(run(['build', '--root', root, '--json']).stdout).bundle.digest;
  const verified = JSON.parse(run(['verify', '--root', root, '--json']).stdout).digest;
  assert.equal(built, verified);
  const request = { jsonrpc: '2.0', id: 1, method: 'resources/list' };
  const args = ['serve', '--root', root, '--verbose', '--require-digest', built];
  const { code, stdout, stderr } = run(args, { input: `${JSON.stringify(request)}\n` });
  assert.deepEqual([code, 'result' in JSON.parse(stdout)], [0, true]);
  assert.ok(stderr.includes(`"--require-digest","${built}"`), 'the command it shows to clients requires it, too');
});

test('who requires no digest loads no hashing: it is not part of the file that serve loads', () => {
  const { inputs, outputs } = JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/metafile.json'), 'utf8'))[
    'main.cjs'
  ];
  assert.ok('runtime/current.ts' in inputs && !('runtime/digest.ts' in inputs));
  const imported = Object.values<Message>(outputs).flatMap(({ imports }) => imports.map((one: Message) => one.path));
  assert.ok(imported.includes('./digest.cjs') && !imported.includes('node:crypto'));
});
