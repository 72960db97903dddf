// A disk that is full stops no read; it is said once, what changes something is refused, and all is as before once there
// is room. A file that was moved away is no better than a full disk.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accessesIn, auditedShop, ended, linesOf, show, verify } from '../support/audited.ts';
import type { Message, Served } from '../support/command.ts';
import { OVERVIEW } from '../support/served.ts';
import { smallDisk } from '../support/small-disk.ts';

const TOPIC = { name: 'record_topic', arguments: { topic: 'what this is about' } };

async function refused(server: Served): Promise<Message> {
  const { result } = await server.request('tools/call', TOPIC);
  assert.equal(result.isError, true);
  return JSON.parse(result.content[0].text);
}

async function reads(server: Served, count: number): Promise<void> {
  for (let n = 0; n < count; n += 50) {
    const some = Array.from({ length: 50 }, () => server.request('resources/read', { uri: OVERVIEW }));
    for (const { result } of await Promise.all(some)) assert.match(result.contents[0].text, /# Project/);
  }
}

const said = ({ stderr }: Served, what: RegExp): number => stderr.match(new RegExp(what, 'g'))?.length ?? 0;

/** Fills what is left, to the last byte. */
function fill(folder: string): string {
  const file = join(folder, 'filling');
  writeFileSync(file, '');
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
  return file;
}

function onSmallDisk(t: TestContext) {
  const disk = smallDisk(t, '4m');
  return disk === undefined ? undefined : { disk, ...auditedShop(t, join(disk.folder, 'audit.log')) };
}

test('a full disk stops no read, is said once, and nothing is lost when there is room again soon', async (t) => {
  const small = onSmallDisk(t);
  if (small === undefined) return;
  const { disk, file, serve } = small;
  const server = serve();
  await reads(server, 50);
  const filling = fill(disk.folder);
  await reads(server, 500);
  const { error, message, hint, setup } = await refused(server);
  assert.equal(error, 'not_audited');
  assert.match(message, /^Not audited\. .*\(ENOSPC\)\.$/);
  assert.ok(hint.length > 0 && setup.length > 0);
  await refused(server);
  await reads(server, 50);
  assert.equal(said(server, /cannot be written \(ENOSPC\)/), 1, server.stderr);
  rmSync(filling);
  const { result } = await server.request('tools/call', TOPIC);
  assert.equal(result.isError, undefined, 'the next one runs');
  assert.equal(await ended(server), 0);
  assert.equal(said(server, /is written again; 0 accesses were not recorded/), 1, server.stderr);
  const { ok, problems } = verify(file);
  assert.deepEqual([ok, problems], [true, []]);
  const rows: Message[] = show(file).accesses;
  assert.deepEqual(
    rows.map(({ what, outcome, times }) => [what, outcome, times]),
    [
      [OVERVIEW, 'ok', 600],
      ['tool record_topic', 'not_audited', 2],
      ['tool record_topic', 'ok', 1],
    ],
  );
  const begun = accessesIn(file).filter(({ outcome }) => outcome === 'begun');
  assert.equal(begun.length, 1, 'what was refused was not begun');
});

test('what is too much to keep is counted, and a line says how much', async (t) => {
  const small = onSmallDisk(t);
  if (small === undefined) return;
  const { disk, file, serve } = small;
  const server = serve();
  await reads(server, 50);
  const filling = fill(disk.folder);
  await reads(server, 12_000);
  rmSync(filling);
  await server.request('tools/call', TOPIC);
  await reads(server, 50);
  assert.equal(await ended(server), 0);
  const { ok, problems, notes } = verify(file);
  assert.deepEqual([ok, problems], [true, []]);
  assert.equal(notes.filter(({ kind }: Message) => kind === 'gap').length, 1);
  const { lost, accesses } = show(file);
  const { times } = accesses.find(({ what }: Message) => what === OVERVIEW);
  assert.ok(lost > 0);
  const begunOnly = lost + times;
  assert.equal(begunOnly, 12_100);
});

test('a server that starts on a full disk answers, and goes on with its audit when there is room', async (t) => {
  const small = onSmallDisk(t);
  if (small === undefined) return;
  const { disk, file, serve } = small;
  const filling = fill(disk.folder);
  const server = serve();
  await reads(server, 50);
  assert.equal((await refused(server)).error, 'not_audited');
  rmSync(filling);
  assert.equal((await server.request('tools/call', TOPIC)).result.isError, undefined);
  assert.equal(await ended(server), 0);
  assert.deepEqual([verify(file).ok, verify(file).problems], [true, []]);
  assert.equal(show(file).accesses[0].times, 50);
});

test('a server that ends while the disk is full says what was not written, and exits with 0', async (t) => {
  const small = onSmallDisk(t);
  if (small === undefined) return;
  const { disk, file, serve } = small;
  const server = serve();
  await reads(server, 50);
  const before = linesOf(file).length;
  fill(disk.folder);
  await reads(server, 1000);
  assert.equal(await ended(server), 0);
  assert.equal(said(server, /the last \d+ lines could not be written/), 1, server.stderr);
  assert.ok(linesOf(file).length >= before);
  const { ok, notes } = verify(file);
  assert.deepEqual([ok, notes.some(({ kind }: Message) => kind === 'open')], [true, true]);
});

test('a file that was moved away is noticed: what changes something is refused until it is back', async (t) => {
  const { file, serve } = auditedShop(t);
  const server = serve();
  await reads(server, 50);
  renameSync(file, `${file}.away`);
  assert.equal((await refused(server)).error, 'not_audited');
  await reads(server, 50);
  mkdirSync(file);
  assert.equal((await refused(server)).error, 'not_audited');
  rmSync(file, { recursive: true });
  renameSync(`${file}.away`, file);
  assert.equal((await server.request('tools/call', TOPIC)).result.isError, undefined);
  assert.equal(await ended(server), 0);
  assert.equal(said(server, /it was moved or removed/), 1, server.stderr);
  assert.equal(verify(file).ok, true);
  assert.equal(show(file).accesses[0].times, 100, 'what was written meanwhile is there');
});
