// Runs, ends and silences of a session. Whoever writes a summary does not know the idle time, whoever reads
// does: the answer must be the same as without summaries.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { crc32 } from '../../runtime/sessions/checksum.ts';
import { Journal } from '../../runtime/sessions/journal.ts';
import { Fold, firstState, type SessionEvent, sessionAt } from '../../runtime/sessions/session.ts';
import { sha256 } from '../../runtime/sessions/sha256.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';

const MINUTE = 60_000;

function folded(events: readonly SessionEvent[], now: number, idleMinutes: number) {
  const fold = new Fold(firstState((events[0] as SessionEvent).t));
  for (const event of events) fold.apply(event);
  return sessionAt('s', { state: fold.state, damaged: 0 }, now * MINUTE, idleMinutes * MINUTE);
}

/** Events at minutes: `s` starts, `w` works, `e` ends, `a` archives. */
function at(written: string): SessionEvent[] {
  const kinds = { s: 'start', w: 'touch', e: 'end', a: 'archive' } as const;
  return written.split(' ').map((word) => ({
    k: kinds[word.charAt(0) as keyof typeof kinds],
    t: Number(word.slice(1)) * MINUTE,
  }));
}

function summary(written: string, now: number, idleMinutes = 30): string {
  const { status, endedAt, durationMs } = folded(at(written), now, idleMinutes);
  return `${status} ${endedAt === undefined ? '' : `at ${endedAt / MINUTE} `}${durationMs / MINUTE}`;
}

test('a session is active until it ends, or until nothing has happened for the idle time', () => {
  assert.equal(summary('s0 w10', 15), 'active 15');
  assert.equal(summary('s0 w10', 40), 'active 40');
  assert.equal(summary('s0 w10', 41), 'completed at 10 10');
  assert.equal(summary('s0 w10 e12', 13), 'completed at 12 12');
  assert.equal(summary('s0 w10 e12 e13', 14), 'completed at 12 12');
});

test('the time between two runs is not part of the duration, however the first one ended', () => {
  assert.equal(summary('s0 w10 w100 w110', 111), 'active 21');
  assert.equal(summary('s0 w10 e20 s100 w110', 111), 'active 31');
  assert.equal(summary('s0 w10 e20 s21 e25', 500), 'completed at 25 24');
});

test('an end that comes after the idle time ended nothing: it was over at its last activity', () => {
  assert.equal(summary('s0 w10 e300', 301), 'completed at 10 10');
  assert.equal(summary('s0 w10 e300 s310', 311), 'active 11');
});

test('which silences were breaks depends on the idle time of who reads', () => {
  const written = 's0 w20 w65 w70';
  assert.equal(summary(written, 71, 5), 'active 6');
  assert.equal(summary(written, 71, 19), 'active 6');
  assert.equal(summary(written, 71, 20), 'active 26');
  assert.equal(summary(written, 71, 44), 'active 26');
  assert.equal(summary(written, 71, 45), 'active 71');
  assert.equal(summary('s0 w20000 w20001', 20_002, 10_080), 'active 2');
});

test('hooks run side by side: what arrives late belongs before the end', () => {
  assert.equal(summary('s0 e10 w10.5', 11), 'completed at 10 10');
  assert.equal(summary('e10 s9', 11), 'completed at 10 0');
  assert.equal(summary('s0 e10 s10.1', 11), 'active 10.9');
  assert.equal(summary('s0 e10 w12', 12), 'active 10');
});

test('work after archiving makes a session active again, another end archives nothing', () => {
  assert.equal(summary('s0 e10 a9000', 9001), 'archived at 10 10');
  assert.equal(summary('s0 e10 a9000 e9001', 9002), 'archived at 10 10');
  assert.equal(summary('s0 e10 a9000 s9001', 9002), 'active 11');
  assert.equal(summary('s0 w10 a9000 w9001 e9002', 9003), 'completed at 9002 11');
});

test('a long session reads the same with summaries as without, for every idle time', async (t) => {
  const root = temporaryFolder(t);
  const below = random(7);
  const events: SessionEvent[] = [];
  for (let n = 0, now = 0; n < 6000; n++) {
    now += below(200) === 0 ? below(90 * MINUTE) : below(20_000);
    const k = below(300) === 0 ? 'end' : below(100) === 0 ? 'start' : 'touch';
    events.push(k === 'touch' ? { k, t: now, use: `u${below(5000)}`, paths: [`src/${below(40)}.ts`] } : { k, t: now });
  }
  const writer = new Journal({ root });
  for (const event of events) await writer.append('long', event);
  assert.match(readFileSync(join(root, '.fieldguide/sessions/long.journal'), 'utf8'), /\{"k":"sum"/);
  const last = (events.at(-1) as SessionEvent).t;
  for (const idleMinutes of [1, 5, 30, 60]) {
    const reader = new Journal({ root, idleMs: idleMinutes * MINUTE, now: () => last + MINUTE });
    const fold = new Fold(firstState((events[0] as SessionEvent).t));
    for (const event of events) fold.apply(event);
    const expected = sessionAt('long', { state: fold.state, damaged: 0 }, last + MINUTE, idleMinutes * MINUTE);
    assert.deepEqual(await reader.find('long'), expected);
  }
});

test('our own sums are those of Node', () => {
  const below = random(3);
  for (let n = 0; n < 300; n++) {
    const text = Array.from({ length: n }, () =>
      String.fromCodePoint(below(4) === 0 ? below(0xd000) : below(128)),
    ).join('');
    assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'));
    assert.equal(crc32(Buffer.from(text)), zlibCrc32(text));
  }
});
