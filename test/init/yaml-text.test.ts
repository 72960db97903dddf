// Any text, written as YAML by hand, is read by a YAML parser as the same text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { yamlItem, yamlList, yamlText } from '../../bin/init/yaml-text.ts';
import { random } from '../support/random.ts';

const PIECES = [
  ...'abcXYZ019 :#-?,[]{}&*!|>\'"%@`~\\/=+.()<^$;_\t\n\r',
  ...['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\u00a0', '\u2028', '\u2029', '\ufeff', '\ufffe', '\u202e'],
  ...['ü', '漢', '\u0301', '😀', '\ud800', '\udc00', '\u{e0041}', '\u200b'],
  ...['true', 'null', 'No', 'y', '~', '.inf', '0x1f', '1e3', '2024-01-01', '---', '...', '<<', ': ', ' #', '- ', '\\n'],
];

function check(text: string): void {
  const key = text.slice(0, 200);
  const source = [
    `value: ${yamlText(text)}`,
    `item: { a: ${yamlItem(text)}, b: ${yamlList([text, 'x', text])} }`,
    'map:',
    `  ${yamlText(key)}:`,
    `    - ${yamlText(text)}`,
    '',
  ].join('\n');
  const expected = { value: text, item: { a: text, b: [text, 'x', text] }, map: { [key]: [text] } };
  for (const version of ['1.1', '1.2'] as const) assert.deepEqual(parse(source, { version }), expected, source);
}

test('every short text of awkward pieces comes back as it was', () => {
  check('');
  for (const a of PIECES) {
    check(a);
    for (const b of PIECES) {
      check(a + b);
      check(`a${a}${b}`);
    }
  }
});

test('texts of random pieces come back as they were', () => {
  const below = random(7);
  for (let n = 0; n < 1500; n++) {
    const length = 1 + below(12);
    check(Array.from({ length }, () => PIECES[below(PIECES.length)]).join(''));
  }
});

test('ordinary words stand without quotes', () => {
  for (const text of ['Node.js', 'my-app', 'A sentence (or two); done!', 'packages/ui', 'größe']) {
    assert.equal(yamlItem(text), text);
  }
  assert.equal(yamlText('One, two.'), 'One, two.');
  assert.equal(yamlItem('One, two.'), '"One, two."');
});
