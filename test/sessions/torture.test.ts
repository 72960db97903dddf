// The journal under what may happen to files: many writers, writers that are killed, disks that are full or
// read-only, bytes that are damaged, garbage, and length.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs, { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from '../../runtime/sessions/journal.ts';
import { encodeRecord } from '../../runtime/sessions/record.ts';
import { StoreError } from '../../runtime/sessions/store.ts';
import { decodeRecords } from '../../runtime/sessions/stretch.ts';
import { temporaryFolder } from '../support/folder.ts';
import { fixtureText, startHook } from '../support/hooks.ts';
import { random } from '../support/random.ts';
import { smallDisk } from '../support/small-disk.ts';

const WRITER = join(import.meta.dirname, '../support/journal-writer.cjs');
const READER = join(import.meta.dirname, '../support/journal-reader.cjs');
const MIB = 1024 * 1024;

function fileOf(root: string, session: string): string {
  return join(root, '.fieldguide/sessions', `${session}.journal`);
}

/** The uses that are whole in a session's journal, in their order. */
function usesIn(root: string, session: string): { uses: string[]; damaged: number } {
  const { records, damaged } = decodeRecords(readFileSync(fileOf(root, session)));
  return { uses: records.flatMap(({ record }) => (record as { use?: string }).use ?? []), damaged };
}

function touch(n: number) {
  return { k: 'touch', t: 1_700_000_000_000 + n, use: `use-${n}`, paths: [`src/${n % 50}.ts`] } as const;
}

test('sixteen processes append at once: none is lost, none torn, each in its order; a reader sees only whole ones', async (t) => {
  const root = temporaryFolder(t);
  const each = 500;
  const names = Array.from({ length: 16 }, (_, n) => `w${n}`);
  const journal = new Journal({ root });
  const writers = names.map((name) => {
    const child = spawn(process.execPath, [WRITER, root, 'shared', name, String(each), '300'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return new Promise<number | null>((resolve) => child.on('close', resolve));
  });
  let seen = 0;
  let running = true;
  const reading = (async () => {
    while (running) {
      const calls = (await journal.find('shared'))?.toolCalls ?? 0;
      assert.ok(calls >= seen && calls <= 16 * each);
      seen = calls;
      await sleep(20);
    }
  })();
  assert.deepEqual(new Set(await Promise.all(writers)), new Set([0]));
  running = false;
  await reading;
  const { uses, damaged } = usesIn(root, 'shared');
  assert.equal(damaged, 0);
  assert.equal(uses.length, 16 * each);
  for (const name of names) {
    const own = uses.filter((use) => use.startsWith(`${name}-`));
    assert.deepEqual(
      own,
      Array.from({ length: each }, (_, n) => `${name}-${n}`),
    );
  }
  assert.equal((await journal.find('shared'))?.toolCalls, 16 * each);
  assert.deepEqual(
    (await journal.recent(5)).map(({ id }) => id),
    ['shared'],
  );
});

test('writers that are killed lose nothing they were told is safe, and at most the record they were at', async (t) => {
  const root = temporaryFolder(t);
  const below = random(11);
  const journal = new Journal({ root });
  const sizes = ['300', '65536', '1000000'];
  const kills = 15;
  const safe: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [WRITER, root, 'killed', `k${kill}`, '100000', sizes[kill % 3] as string]);
    let said = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        said += chunk;
        resolve();
      });
    });
    setTimeout(() => child.kill('SIGKILL'), below(20));
    await new Promise((resolve) => child.on('close', resolve));
    safe.push(
      ...said
        .split('\n')
        .slice(0, -1)
        .map((n) => `k${kill}-${n}`),
    );
    await journal.append('killed', { k: 'touch', t: Date.now(), use: `after-${kill}` });
    safe.push(`after-${kill}`);
    if (statSync(fileOf(root, 'killed')).size > 100 * MIB) break;
  }
  const { uses, damaged } = usesIn(root, 'killed');
  const kept = new Set(uses);
  assert.deepEqual(
    safe.filter((use) => !kept.has(use)),
    [],
  );
  assert.ok(damaged <= kills, `${damaged} torn`);
  assert.equal((await journal.find('killed'))?.damaged, damaged);
});

test('wherever the last record is torn, the others are read, and the next one is whole', async (t) => {
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  for (let n = 0; n < 3; n++) await journal.append('torn', touch(n));
  const file = fileOf(root, 'torn');
  const whole = readFileSync(file);
  const recordBytes = encodeRecord(touch(2)).length;
  for (let cut = 1; cut < recordBytes; cut++) {
    writeFileSync(file, whole);
    truncateSync(file, whole.length - cut);
    const isWhole = cut === 1;
    const isGone = cut === recordBytes - 1;
    const before = await journal.find('torn');
    assert.deepEqual([before?.toolCalls, before?.damaged], isWhole ? [3, 0] : [2, isGone ? 0 : 1], `cut ${cut}`);
    await journal.append('torn', touch(3));
    const after = await journal.find('torn');
    assert.deepEqual([after?.toolCalls, after?.damaged], isWhole ? [4, 0] : [3, isGone ? 0 : 1], `cut ${cut}`);
  }
});

test('a full disk is an error that names it; when there is room again the next record is safe', async (t) => {
  const disk = smallDisk(t, '256k');
  if (disk === undefined) return;
  const root = disk.folder;
  writeFileSync(join(root, 'project.yaml'), '');
  writeFileSync(join(root, 'filler'), Buffer.alloc(100_000));
  const journal = new Journal({ root });
  let safe = 0;
  await assert.rejects(
    async () => {
      for (; ; safe++) await journal.append('full', { ...touch(safe), paths: [`src/${'x'.repeat(900)}${safe % 10}`] });
    },
    (error) => error instanceof StoreError && error.code === 'ENOSPC' && /disk is full \(ENOSPC\)/.test(error.message),
  );
  assert.ok(safe > 50);
  assert.equal((await journal.find('full'))?.toolCalls, safe);
  const hooked = await startHook(fixtureText('claude/SessionStart', root));
  assert.deepEqual([hooked.code, hooked.stdout], [0, '']);
  assert.match(hooked.stderr, /^fieldguide session hook: the journal cannot be \w+: the disk is full \(ENOSPC\)\n$/);
  rmSync(join(root, 'filler'));
  await journal.append('full', touch(999_999));
  const { uses, damaged } = usesIn(root, 'full');
  assert.equal(uses.at(-1), 'use-999999');
  assert.equal(uses.length, safe + 1);
  assert.ok(damaged <= 1);
});

test('on a read-only disk sessions are read, and what cannot be written is said in a line', async (t) => {
  const disk = smallDisk(t, '1m');
  if (disk === undefined) return;
  const root = disk.folder;
  writeFileSync(join(root, 'project.yaml'), '');
  const journal = new Journal({ root });
  await journal.append('kept', touch(1));
  disk.readOnly();
  assert.equal((await journal.find('kept'))?.toolCalls, 1);
  assert.deepEqual(
    (await journal.recent(5)).map(({ id }) => id),
    ['kept'],
  );
  await assert.rejects(
    journal.append('kept', touch(2)),
    (error) => error instanceof StoreError && error.code === 'EROFS',
  );
  const hooked = await startHook(fixtureText('claude/SessionStart', root));
  assert.deepEqual(hooked, {
    code: 0,
    stdout: '',
    stderr: 'fieldguide session hook: the journal cannot be used (EROFS)\n',
  });
});

test('garbage is passed over within bounds of memory, and the rest is served', async (t) => {
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  const below = random(5);
  const noise = Buffer.from(Array.from({ length: 200_000 }, () => below(256)));
  await journal.append('noise', touch(1));
  const lines = noise
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '').length;
  appendFileSync(fileOf(root, 'noise'), noise);
  appendFileSync(join(root, '.fieldguide/index.journal'), noise);
  await journal.append('noise', touch(2));
  await journal.append('zeros', touch(1));
  for (const file of [fileOf(root, 'zeros'), join(root, '.fieldguide/index.journal')]) {
    truncateSync(file, statSync(file).size + 100 * MIB);
  }
  for (let n = 2; n < 5; n++) await journal.append('zeros', touch(n));
  await journal.append('later', touch(1));
  const noisy = await journal.find('noise');
  assert.deepEqual([noisy?.toolCalls, noisy?.damaged], [2, lines]);
  const { stdout } = spawnSync(process.execPath, [READER, root, 'zeros'], { encoding: 'utf8' });
  const { grownBytes, ...read } = JSON.parse(stdout);
  assert.deepEqual(read, { toolCalls: 4, damaged: 1, recent: ['later'] });
  assert.ok(grownBytes < 64 * MIB, `${grownBytes} bytes`);
});

test('journals of nothing but garbage are as good as none', async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, '.fieldguide/sessions'), { recursive: true });
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('\n\n\n'),
    Buffer.alloc(500),
    Buffer.from('{"k":"sum"}\n00000000 {}\n'),
  ]) {
    for (const name of ['sessions/x', 'index', 'discoveries'])
      writeFileSync(join(root, `.fieldguide/${name}.journal`), bytes);
    const journal = new Journal({ root });
    assert.equal(await journal.find('x'), undefined);
    assert.deepEqual(await journal.recent(5), []);
    assert.deepEqual(journal.discoveries(), []);
    await journal.append('x', touch(1));
    assert.equal((await journal.find('x'))?.toolCalls, 1);
    assert.deepEqual(
      (await journal.recent(5)).map(({ id }) => id),
      ['x'],
    );
  }
});

test('summaries that are whole but make no sense are not believed', async (t) => {
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  for (let n = 0; n < 1500; n++) await journal.append('sums', touch(n));
  const good = await journal.find('sums');
  const size = statSync(fileOf(root, 'sums')).size;
  const states = [
    undefined,
    null,
    7,
    {},
    { files: [] },
    { files: {}, silences: [], topics: [], discoveries: [], uses: [] },
  ];
  for (const state of states) {
    appendFileSync(fileOf(root, 'sums'), encodeRecord({ k: 'sum', t: 1, upTo: size, damaged: 0, state } as never));
    assert.deepEqual(await journal.find('sums'), good);
  }
});

test('damaged records are skipped and counted, also once a summary stands after them', async (t) => {
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  for (let n = 0; n < 100; n++) await journal.append('hurt', touch(n));
  const file = fileOf(root, 'hurt');
  const bytes = readFileSync(file);
  const { records } = decodeRecords(bytes);
  for (let n = 0; n < 10; n++) {
    const { at } = records[n * 7 + 1] as { at: number };
    bytes[at + 20] = (bytes[at + 20] as number) ^ 1;
  }
  writeFileSync(file, bytes);
  const hurt = await journal.find('hurt');
  assert.deepEqual([hurt?.toolCalls, hurt?.damaged], [90, 10]);
  for (let n = 100; n < 2500; n++) await journal.append('hurt', touch(n));
  assert.match(readFileSync(file, 'utf8'), /\{"k":"sum"/);
  const later = await journal.find('hurt');
  assert.deepEqual([later?.toolCalls, later?.damaged], [2490, 10]);
});

test('two hundred thousand records in one session: reading it takes as many bytes as a short one', async (t) => {
  const root = temporaryFolder(t);
  const journal = new Journal({ root });
  const file = fileOf(root, 'long');
  const boundary = 128 * 1024;
  await journal.append('long', touch(0));
  let n = 1;
  while (n < 200_000) {
    const room = boundary - (statSync(file).size % boundary) - 500;
    const bulk: Buffer[] = [];
    for (let bytes = 0; bytes < room && n < 200_000; n++) {
      const record = encodeRecord(touch(n));
      bulk.push(record);
      bytes += record.length;
    }
    appendFileSync(file, Buffer.concat(bulk));
    for (let more = 0; more < 8 && n < 200_000; more++, n++) await journal.append('long', touch(n));
  }
  const size = statSync(file).size;
  const { read, result } = await countingReads(() => journal.find('long'));
  assert.equal(result?.toolCalls, 200_000);
  assert.equal(result?.fileCount, 50);
  assert.ok(size > 16 * MIB && read < MIB, `${read} of ${size} bytes were read`);
  const appended = await countingReads(() => journal.append('long', touch(n)));
  assert.ok(appended.read < MIB, `${appended.read} bytes were read to append one`);
});

async function countingReads<T>(use: () => Promise<T>): Promise<{ read: number; result: T }> {
  const original = fs.readSync;
  let read = 0;
  fs.readSync = ((...args: Parameters<typeof original>) => {
    const got = original(...args);
    read += got;
    return got;
  }) as typeof original;
  syncBuiltinESMExports();
  try {
    return { result: await use(), read };
  } finally {
    fs.readSync = original;
    syncBuiltinESMExports();
  }
}
