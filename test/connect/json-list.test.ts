// Hooks in lists of JSON: what is put in comes out again byte for byte, whatever the file looks like.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'jsonc-parser/lib/esm/main.js';
import type { Place } from '../../bin/connect/json-edit.ts';
import { hasHook, withHook, withoutHook } from '../../bin/connect/json-list.ts';
import { isUnfit } from '../../bin/connect/unfit.ts';
import { random } from '../support/random.ts';

const LENIENT: Place = {
  container: 'hooks',
  key: 'Start',
  syntax: { kind: 'json', comments: true, trailingCommas: true },
};
const STRICT: Place = { ...LENIENT, syntax: { kind: 'json', comments: false, trailingCommas: false } };
const COMMAND = 'fieldguide session hook';
const GROUP = { matcher: 'a|b', hooks: [{ type: 'command', command: COMMAND, timeout: 5 }] };
const FLAT = { command: COMMAND };

function added(before: string | undefined, place: Place, item: object): string {
  const after = withHook(before, place, item, COMMAND);
  const shown = `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  assert.equal(withoutHook(after, place), before, `taking out gives back ${shown}`);
  assert.equal(withHook(after, place, item, COMMAND), after, `twice is once: ${shown}`);
  assert.deepEqual(parse(after, [], { allowTrailingComma: true }).hooks[place.key][0], item);
  if (!place.syntax.comments) JSON.parse(after);
  return after;
}

/** Several events one after another, and back in the other order. */
function thereAndBack(before: string | undefined, place: Place, item: object): void {
  const places = ['End', 'Start'].map((key) => ({ ...place, key }));
  const after = places.reduce<string | undefined>((text, at) => added(text, at, item), before);
  const back = places.reduceRight<string | undefined>((text, at) => withoutHook(text ?? '', at), after);
  assert.equal(back, before);
}

test('whatever a list looked like before, connecting and taking out again is identity', () => {
  const blanks = ['', ' ', '\n', '\n  ', '\n\t', '\r\n', '  \n    ', '\n\n'];
  for (const a of blanks) {
    for (const b of blanks) {
      const texts = [
        `{${a}}`,
        `{${a}"hooks":${b}{}}`,
        `{${a}"hooks": {${b}}}`,
        `{${a}"hooks": {${b}"Start": []${a}}}`,
        `{${a}"hooks": {${b}"Start": [${a}]${b}}${a}}`,
        `{${a}"hooks": {${b}"Start": [${b}],${a}"End": [${a}]${b}}${a}}`,
        `{${a}"hooks": {${b}"Start": [${a}{ "command": "x" }${b}]${a}}${b}}`,
        `{${a}"x": 1,${b}"hooks": {${a}"Other": [${b}{}${a},${b}{}]${b}}${a}}`,
        `{${a}"hooks": {${b}"Start": [${a}{ "hooks": [${b}{ "command": "x" }] }${b}]${a}}${b}}`,
      ];
      for (const text of texts) {
        for (const item of [GROUP, FLAT]) {
          thereAndBack(text, STRICT, item);
          thereAndBack(`${text}\n`, LENIENT, item);
        }
      }
    }
  }
});

test('files of every shape, with comments and trailing commas anywhere, come back byte for byte', () => {
  const next = random(11);
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  for (let n = 0; n < 4000; n++) {
    const newline = pick(['\n', '\n', '\r\n']);
    const gaps = [' ', '  ', '\t', newline, `${newline}  `, `// c, ["${newline}`, '/* c ] */', `/*${newline}*/`];
    const trivia = (): string => Array.from({ length: next(4) }, () => pick(gaps)).join('');
    const around = (text: string): string => `${trivia()}${text}${trivia()}`;
    const joined = (parts: string[]): string =>
      parts.join(',') + (parts.length > 0 && next(3) === 0 ? `,${trivia()}` : '');
    const handler = (): string => `{${joined([around(`"command"${trivia()}:${trivia()}"./x.sh"`)])}}`;
    const group = (): string => `{${around(`"hooks":${trivia()}[${joined([around(handler())])}]`)}}`;
    const list = (): string =>
      `[${trivia()}${joined(Array.from({ length: next(3) }, () => around(pick([handler, group, () => '1'])())))}]`;
    const object = (names: readonly string[], value: (name: string) => string): string => {
      const members = names
        .filter(() => next(3) > 0)
        .map((name) => around(`"${name}"${trivia()}:${around(value(name))}`));
      return `{${trivia()}${joined(members)}}`;
    };
    const text = object(['x', 'hooks', 'y'], (name) =>
      name === 'hooks' ? object(['Other', 'Start', 'End'], list) : pick(['1', '[]', '{}', '"a]"']),
    );
    thereAndBack(around(text), LENIENT, pick([GROUP, FLAT]));
  }
});

test('a file that was not there goes again, with the member that it was made with', () => {
  thereAndBack(undefined, STRICT, GROUP);
  const place = { ...STRICT, opening: '"version": 1' };
  thereAndBack(undefined, place, FLAT);
  assert.equal(
    added(undefined, place, FLAT),
    '{\n  "version": 1,\n  "hooks": {\n    "Start": [\n      { "command": "fieldguide session hook" }\n    ]\n  }\n}\n',
  );
  const theirs = '{\n  "version": 1,\n  "hooks": {}\n}\n';
  assert.equal(withoutHook(added(theirs, place, FLAT), place), theirs);
});

test('a command that differs is replaced in its own range; what a person set beside it stays', () => {
  const old = "node '/a b/it'\\\\''s/dist/fieldguide.cjs' session hook";
  const file = (command: string): string =>
    `{"hooks": {"Start": [{}, { "matcher": "*", /* mine */ "hooks": [{"timeout": 9, "command": "${command}"}] }]}}`;
  assert.equal(withHook(file(old), LENIENT, GROUP, COMMAND), file(COMMAND));
  const outdated = withHook('{\n  "hooks": {}\n}\n', STRICT, { command: 'node x/fieldguide.cjs session hook' }, 'x');
  assert.equal(withoutHook(withHook(outdated, STRICT, FLAT, COMMAND), STRICT), '{\n  "hooks": {}\n}\n');
});

test('commands that only look like ours are left alone', () => {
  for (const command of ['session hook', 'other session hook', 'fieldguide session hooks', 'fieldguide session show']) {
    const text = JSON.stringify({ hooks: { Start: [{ command }, { hooks: [{ command }, 1, null] }, null] } });
    assert.ok(!hasHook(text, STRICT), command);
    assert.equal(withoutHook(text, STRICT), text);
    added(text, STRICT, GROUP);
  }
});

test('what a person changed in between stays; only our handler goes', () => {
  const cases: [before: string, after: string][] = [
    ['[{"hooks": [{"command": "a"}, {"command": "fieldguide session hook"}]}]', '[{"hooks": [{"command": "a"} ]}]'],
    ['[{"hooks": [{"command": "fieldguide session hook"},{"command": "a"}]}]', '[{"hooks": [{"command": "a"}]}]'],
    ['[1, {"command": "fieldguide session hook"}, 2]', '[1,  2]'],
    ['[{"command": "fieldguide session hook"},{"command": "node fieldguide.cjs session hook"},3]', '[3]'],
    ['[\n  1,\n  {"command": "fieldguide session hook"}, // ours\n]', '[\n  1, // ours\n]'],
  ];
  for (const [before, after] of cases) {
    const file = (list: string): string => `{"a": 1, "hooks": {"Start": ${list}}}`;
    assert.equal(withoutHook(file(before), LENIENT), file(after));
  }
});

test('a file in which hooks have another shape is left alone, with the place of the trouble', () => {
  const cases: [text: string, what: RegExp, at: string][] = [
    ['{"hooks": []}', /has no object under "hooks"/, '1:11'],
    ['{"hooks": {\n"Start": {}}}', /has no list under "Start"/, '2:10'],
    ['{"hooks": {"Start": [], "Start": []}}', /has "Start" twice/, '1:25'],
    ['{"hooks": {"Start": [}}', /does not parse/, '1:22'],
  ];
  for (const [text, what, at] of cases) {
    for (const edit of [() => withHook(text, LENIENT, FLAT, COMMAND), () => withoutHook(text, LENIENT)]) {
      assert.throws(edit, (error) => {
        assert.ok(isUnfit(error), String(error));
        assert.match(error.message, what);
        assert.equal(`${error.at?.line}:${error.at?.column}`, at);
        return true;
      });
    }
  }
});
