// What may be recorded, and that a secret is neither kept nor repeated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotRecordable, recordable } from '../../runtime/sessions/recordable.ts';

test('white space becomes one space, whatever it was', () => {
  assert.equal(recordable('topic', '  a\r\n\tb\u00a0\u2028 c\ufeff '), 'a b c');
});

test('lengths are those of characters that a person counts, after folding', () => {
  assert.equal(recordable('topic', '😀'.repeat(200)), '😀'.repeat(200));
  for (const [what, given] of [
    ['topic', '   '],
    ['topic', 'x'.repeat(201)],
    ['discovery', 'nine char'],
    ['discovery', 'x'.repeat(1001)],
    ['solution', 'x'.repeat(1001)],
    ['solution', ''],
    ['module', 'x'.repeat(201)],
    ['topic', 'x'.repeat(4_000_000)],
  ] as const)
    assert.throws(() => recordable(what, given), /^NotRecordable: A (?:topic|discovery|solution|module) has /);
  assert.equal(recordable('discovery', 'x'.repeat(1000)).length, 1000);
  assert.equal(recordable('discovery', 'ten chars!'), 'ten chars!');
});

test('controls and what nobody sees are refused; what scripts and pictures need is not', () => {
  const unseen = ['\0', '\u001b[31m', '\u0085', '\u200b', '\u202e', '\u2066', '\u00ad', '\u2060', '\u3164', '\u2800'];
  const more = ['\u{e0041}', '\u{e0101}', '\ud800', '\ufff9', '\ue000', '\u034f', '\u200d\u200d\u200d'];
  for (const sign of [...unseen, ...more]) {
    const code = sign.codePointAt(0)?.toString(16);
    assert.throws(() => recordable('topic', `a${sign}b`), /control or an invisible character\.$/, code);
  }
  for (const text of ['\u200dx', '\ufe0fx']) assert.throws(() => recordable('topic', text), /invisible/);
  for (const text of ['👩‍💻 pairs', '👁️‍🗨️', '❤️', 'می‌خواهم', 'क्‍ष', 'größe — “x”', '日本語', 'שלום'])
    assert.equal(recordable('topic', text), text);
});

test('a secret is refused by what it looks like, and not repeated', () => {
  const secrets = [
    `AKIA${'ABCDEFGH12345678'}`,
    `ghp_${'a1'.repeat(18)}`,
    `glpat-${'a1'.repeat(10)}`,
    `sk-proj-${'A1'.repeat(20)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIE'.repeat(20)}`,
    `eyJ${'hbGciOiJI'}.eyJ${'zdWIiOiIx'.repeat(2)}.${'c2ln'.repeat(5)}`.replace('eyJhbGciOiJI', 'eyJhbGciOiJIUzI1'),
  ];
  for (const secret of secrets) {
    for (const what of ['topic', 'discovery', 'solution', 'module'] as const) {
      assert.throws(
        () => recordable(what, `it is ${secret} in here`),
        (error) => {
          assert.ok(error instanceof NotRecordable && error.isSecret);
          assert.match(error.message, new RegExp(`^The ${what} has what looks like an? [\\w ]+\\.$`));
          return !error.message.includes(secret.slice(6, 20));
        },
      );
    }
  }
});
