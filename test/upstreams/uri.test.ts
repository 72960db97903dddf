// upstream://{group}/{original}: whatever a server calls its resources comes back as it was, or is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../runtime/failure.ts';
import { upstreamUri } from '../../runtime/upstream-uri.ts';
import { parseUri } from '../../runtime/uri.ts';
import { random } from '../support/random.ts';

const PIECES = [
  'a',
  'B',
  '%',
  '%20',
  '%2F',
  '%25',
  '%zz',
  '%C3%BC',
  '%C3',
  '?',
  '#',
  '&',
  '=',
  '/',
  '//',
  ':',
  '://',
  '{id}',
  'ü',
  '漢',
  '🙂',
  ' ',
  '+',
  '"',
  '<',
  '|',
  '^',
  '@',
  '~',
  '.',
  '..',
  '%2e',
  '\\',
  '\u0007',
  '\ud800',
  '__',
  '%5c',
  '%00',
];

test('what is taken comes back exactly, and what is refused looks like it', () => {
  const next = random(7);
  let taken = 0;
  for (let n = 0; n < 20_000; n++) {
    const length = 1 + next(8);
    const original = Array.from({ length }, () => PIECES[next(PIECES.length)]).join('');
    const looksBad =
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
      /[\\\u0000-\u001f]|%5c|%00/.test(original) ||
      !original.isWellFormed() ||
      /(^|\/|%2f)(\.|%2e){1,2}($|[/?#]|%2f)/i.test(original);
    try {
      const address = parseUri(upstreamUri('wiki', original));
      assert.ok(address.space === 'upstream' && !looksBad, original);
      assert.deepEqual(
        [address.group, address.original, address.uri],
        ['wiki', original, `upstream://wiki/${original}`],
      );
      taken++;
    } catch (error) {
      assert.ok(error instanceof Failure && error.kind === 'invalid_uri', `${original}: ${error}`);
      assert.ok(looksBad, original);
    }
  }
  assert.ok(taken > 5000, String(taken));
});

test('two spellings of one URI are asked for as one', () => {
  const spelt = (uri: string): string => {
    const address = parseUri(uri);
    return address.space === 'upstream' ? address.spelt : '';
  };
  assert.equal(spelt('upstream://w/wiki://%73ecret/a'), 'upstream://w/wiki://secret/a');
  assert.equal(spelt('UPSTREAM://w/WIKI://secret/a'), 'upstream://w/wiki://secret/a');
  assert.equal(spelt('upstream://w/wiki://a%2Fb%C3%BC%zz%'), 'upstream://w/wiki://a/bü%zz%');
  assert.equal(spelt('upstream://w/'), 'upstream://w');
});
