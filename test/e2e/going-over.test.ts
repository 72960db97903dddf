// Five hundred bundles, one after the other, under load: no error, no mixed answer, few maps.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/clock.ts';
import { type Message, Served } from '../support/command.ts';
import { builtShop, OVERVIEW, publish } from '../support/served.ts';
import { bundleBytes } from '../support/shop.ts';

/** A bundle whose every page names its generation, so that a mixed answer shows. */
function generation(n: number): string {
  const modules = Array.from({ length: 3 }, (_, m) => `  m${m}: { description: "generation ${n}." }`).join('\n');
  const long = `generation ${n}. `.repeat(2000);
  return `version: "1.0"\nproject: { name: generation ${n}. }\narchitecture: { description: "${long}" }\nmodules:\n${modules}\n`;
}

function mapsOf(pid: number | undefined): number {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .filter((line) => line.includes('context.fgb')).length;
}

for (const map of ['mmap', 'pread']) {
  test(`${map}: 500 swaps under load`, async (t) => {
    const root = builtShop(t, generation(0));
    const served = new Served(t, ['--root', root, '--map', map]);
    const bundles = Array.from({ length: 10 }, (_, n) => bundleBytes(generation(n)));
    const seen = new Set<string>();
    let mostMaps = 0;
    let swapping = true;
    let answered = 0;
    const load = async (): Promise<void> => {
      for (let n = 0; swapping; n++) {
        const uri = n % 3 === 0 ? OVERVIEW : `context://module/m${n % 3}`;
        const answer: Message = await served.request('resources/read', { uri });
        assert.equal(answer.error, undefined);
        const generations = new Set<string>(answer.result.contents[0].text.match(/generation \d+/g));
        assert.equal(generations.size, 1, [...generations].join(' and '));
        seen.add([...generations][0] as string);
        answered++;
        served.messages.length = 0;
      }
    };
    const swap = async (): Promise<void> => {
      for (let n = 0; n < 500; n++) {
        publish(root, bundles[n % bundles.length] as Buffer);
        mostMaps = Math.max(mostMaps, mapsOf(served.child.pid));
        await sleep(n % 51 === 0 ? 520 : 2);
      }
      swapping = false;
    };
    await Promise.all([swap(), load()]);
    assert.ok(mostMaps <= 64, `${mostMaps} maps`);
    assert.ok(map === 'pread' ? mostMaps === 0 : mostMaps > 0);
    assert.ok(seen.size >= 2 && answered > 100, `${seen.size} generations in ${answered} answers`);
  });
}

test('a server without a bundle stays up, says what to run, and takes the first one up', async (t) => {
  const { rmSync } = await import('node:fs');
  const root = builtShop(t);
  rmSync(`${root}/dist-index`, { recursive: true });
  const served = new Served(t, ['--root', root]);
  const hello = await served.request('initialize', { protocolVersion: '2025-11-25' });
  assert.equal(hello.result.instructions, undefined);
  for (const [method, params] of [
    ['resources/list', {}],
    ['resources/read', { uri: OVERVIEW }],
  ] as const) {
    const { error } = await served.request(method, params);
    assert.deepEqual([error.code, error.message, error.data.kind], [-32603, 'No bundle to serve', 'no_bundle']);
    assert.match(error.data.hint, /fieldguide build/);
  }
  const { mkdirSync } = await import('node:fs');
  mkdirSync(`${root}/dist-index`);
  publish(root, bundleBytes());
  await until(async () => 'result' in (await served.request('resources/list')));
});

test('a damaged bundle is said to be damaged, never served', async (t) => {
  const root = builtShop(t);
  const bytes = bundleBytes();
  bytes.fill(0, bytes.indexOf('# Module: auth'), bytes.indexOf('# Module: auth') + 4);
  publish(root, bytes);
  const served = new Served(t, ['--root', root]);
  const { error } = await served.request('resources/read', { uri: 'context://module/auth' });
  assert.deepEqual([error.code, error.message, error.data.kind], [-32603, 'Bundle is damaged', 'damaged']);
  assert.equal(error.data.uri, 'context://module/auth');
  assert.match((await served.request('resources/read', { uri: OVERVIEW })).result.contents[0].text, /^# Project/);
});
