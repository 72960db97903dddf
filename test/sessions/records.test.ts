// Records as bytes, and stretches of a journal: literals in, what is whole out.

import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { OpenJournal } from '../../runtime/sessions/read-file.ts';
import { encodeRecord, type Record } from '../../runtime/sessions/record.ts';
import { decodeRecords } from '../../runtime/sessions/stretch.ts';
import { temporaryFolder } from '../support/folder.ts';

const numbered = (t: number): Record => ({ k: 'x', t });

function opened(t: TestContext, bytes: Buffer | string): OpenJournal {
  const file = join(temporaryFolder(t), 'a.journal');
  writeFileSync(file, bytes);
  const journal = OpenJournal.open(file);
  assert.ok(journal);
  t.after(() => journal.close());
  return journal;
}

function backward(journal: OpenJournal, most = Number.POSITIVE_INFINITY, wanted = Number.POSITIVE_INFINITY): number[] {
  const times: number[] = [];
  journal.backward(most, ({ t }) => times.push(t) < wanted);
  return times;
}

test('a record is one line with its checksum, breaks around it', () => {
  const bytes = encodeRecord({ k: 'topic', t: 5, text: 'a\nb' } as Record);
  assert.equal(bytes.toString(), '\n51572e05 {"k":"topic","t":5,"text":"a\\nb"}\n');
  assert.deepEqual(decodeRecords(bytes), {
    records: [{ record: { k: 'topic', t: 5, text: 'a\nb' }, at: 1 }],
    damaged: 0,
  });
});

test('what is no record is counted, and what stands beside it is read', () => {
  const whole = encodeRecord(numbered(1));
  const torn = whole.subarray(0, whole.length - 3);
  const wrong = ['null', '[]', '"x"', '{"k":1,"t":1}', '{"k":"x"}', '{"k":"x","t":null}', '{"k":"x","t":1e999}', '{'];
  const { records, damaged } = decodeRecords(
    Buffer.concat([torn, encodeRecord(numbered(2)), Buffer.from('\n\n\nx\n'), ...wrong.map(lineOf), whole]),
  );
  assert.deepEqual(
    records.map(({ record }) => record.t),
    [2, 1],
  );
  assert.equal(damaged, 2 + wrong.length);
});

/** A line whose checksum is right, whatever it says. */
function lineOf(json: string): Buffer {
  return Buffer.from(`${crc32(json).toString(16).padStart(8, '0')} ${json}\n`);
}

test('records are read forward from a place, and it is said up to where they are whole', (t) => {
  const first = encodeRecord(numbered(1));
  const second = encodeRecord(numbered(2));
  const torn = encodeRecord(numbered(3)).subarray(0, 12);
  const journal = opened(t, Buffer.concat([first, second, torn]));
  const read = (from: number): unknown => {
    const times: number[] = [];
    return { ...journal.forward(from, ({ t: time }) => times.push(time)), times };
  };
  const consumed = first.length + second.length + 1;
  assert.deepEqual(read(0), { consumed, damaged: 0, tail: undefined, isTorn: true, times: [1, 2] });
  assert.deepEqual(read(first.length), { consumed, damaged: 0, tail: undefined, isTorn: true, times: [2] });
  assert.deepEqual(read(journal.size), {
    consumed: journal.size,
    damaged: 0,
    tail: undefined,
    isTorn: false,
    times: [],
  });
});

test('a line longer than any record is passed over in both directions', (t) => {
  for (const length of [63 * 1024, 1_500_000, 3 * 1024 * 1024, 9 * 1024 * 1024]) {
    const long = Buffer.alloc(length, 'x');
    const journal = opened(t, Buffer.concat([encodeRecord(numbered(1)), long, encodeRecord(numbered(2)), long]));
    const times: number[] = [];
    const { damaged, isTorn } = journal.forward(0, ({ t: time }) => times.push(time));
    assert.deepEqual([times, damaged >= 1, isTorn], [[1, 2], true, true], `forward past ${length}`);
    assert.deepEqual(backward(journal), [2, 1], `backward past ${length}`);
  }
});

test('the latest come first, across steps, until it is enough', (t) => {
  const many = Array.from({ length: 30_000 }, (_, n) => n);
  const journal = opened(t, Buffer.concat(many.map((n) => encodeRecord(numbered(n)))));
  assert.deepEqual(backward(journal), [...many].reverse());
  assert.deepEqual(backward(journal, Number.POSITIVE_INFINITY, 3), [29_999, 29_998, 29_997]);
  const bounded = backward(journal, 100_000);
  assert.ok(bounded.length < 10_000 && bounded.length > 2000, String(bounded.length));
});

test('the last record of a kind is found at any place, though others only look like it', (t) => {
  const mark = '{"k":"sum",';
  const sum = (t: number): Buffer => encodeRecord({ k: 'sum', t });
  const like = encodeRecord({ k: 'x', t: 9, text: mark } as Record);
  const filler = (length: number): Buffer => encodeRecord({ k: 'x', t: 9, text: 'x'.repeat(length) } as Record);
  for (let shift = 0; shift < 40; shift++) {
    const journal = opened(t, Buffer.concat([sum(1), sum(2), like, filler(256 * 1024 - 60 - shift), like]));
    assert.equal(journal.findLast(mark, 1 << 30)?.t, 2, `shifted by ${shift}`);
  }
  const torn = opened(t, Buffer.concat([sum(1), sum(2).subarray(0, -4), Buffer.from(`\n${mark}\nx ${mark}"t":1}\n`)]));
  assert.equal(torn.findLast(mark, 1 << 30)?.t, 1);
  assert.equal(opened(t, like).findLast(mark, 1 << 30), undefined);
});

test('a journal that is cut while it is read ends the reading', (t) => {
  const file = join(temporaryFolder(t), 'a.journal');
  writeFileSync(file, Buffer.concat([encodeRecord(numbered(1)), Buffer.alloc(4 * 1024 * 1024)]));
  const journal = OpenJournal.open(file);
  assert.ok(journal);
  t.after(() => journal.close());
  truncateSync(file, 0);
  assert.deepEqual(backward(journal), []);
  assert.equal(journal.findLast('{"k"', 1 << 30), undefined);
  assert.deepEqual(
    journal.forward(0, () => {}),
    { consumed: 0, damaged: 0, tail: undefined, isTorn: false },
  );
});

test('there is no journal where there is no file', (t) => {
  assert.equal(OpenJournal.open(join(temporaryFolder(t), 'nothing')), undefined);
});
