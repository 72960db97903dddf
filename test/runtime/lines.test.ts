import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lines, TOO_LONG } from '../../runtime/wire/lines.ts';
import { random } from '../support/random.ts';

function linesOf(chunks: Buffer[], most: number): (string | symbol)[] {
  const lines = new Lines(most);
  const found: (string | symbol)[] = [];
  for (const chunk of chunks) {
    lines.push(chunk);
    for (let line = lines.next(); line !== undefined; line = lines.next()) found.push(line);
  }
  const last = lines.last();
  if (last !== undefined) found.push(last);
  return found;
}

test('lines are the same however the bytes arrive, characters cut in two included', () => {
  const text = 'one\n\nzwei — drei\n💡💡\r\nlast without end';
  const bytes = Buffer.from(text);
  const next = random(6);
  for (let n = 0; n < 500; n++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + next(6);
      chunks.push(bytes.subarray(at, at + length));
      at += length;
    }
    assert.deepEqual(linesOf(chunks, 100), text.split('\n'));
  }
});

test('a line over the cap is reported once and skipped, and the next one is served', () => {
  for (const size of [1, 3, 7, 1000]) {
    const bytes = Buffer.from(`ok\n${'x'.repeat(50)}\nnext\n${'y'.repeat(11)}\n${'z'.repeat(10)}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    assert.deepEqual(linesOf(chunks, 10), ['ok', TOO_LONG, 'next', TOO_LONG, 'z'.repeat(10)]);
  }
});

test('a line that never ends is reported once', () => {
  const chunks = Array.from({ length: 100 }, () => Buffer.from('x'.repeat(10)));
  assert.deepEqual(linesOf(chunks, 25), [TOO_LONG]);
});
