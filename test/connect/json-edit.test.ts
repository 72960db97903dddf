// Entries in files of JSON: what is put in comes out again byte for byte, whatever the file looks like.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'jsonc-parser/lib/esm/main.js';
import { type Place, withEntry, withoutEntry } from '../../bin/connect/json-edit.ts';
import { isUnfit } from '../../bin/connect/unfit.ts';
import { random } from '../support/random.ts';

const LENIENT: Place = {
  container: 'mcpServers',
  key: 'fieldguide',
  syntax: { kind: 'json', comments: true, trailingCommas: true },
};
const STRICT: Place = { ...LENIENT, syntax: { kind: 'json', comments: false, trailingCommas: false } };
const ENTRY = { command: 'node', args: ['dist/fieldguide.cjs', 'serve'] };

/** Adds and takes away again; gives what was in between. */
function thereAndBack(before: string | undefined, place: Place): string {
  const after = withEntry(before, place, ENTRY);
  const shown = JSON.stringify(before);
  assert.equal(withoutEntry(after, place), before, `taking out gives back ${shown}`);
  assert.equal(withEntry(after, place, ENTRY), after, `twice is once: ${shown}`);
  const value = parse(after, [], { allowTrailingComma: true });
  assert.deepEqual(value.mcpServers.fieldguide, ENTRY);
  if (before !== undefined) assert.ok(isOnePieceMore(before, after), `one piece is put in: ${shown}`);
  if (!place.syntax.comments) JSON.parse(after);
  return after;
}

function isOnePieceMore(before: string, after: string): boolean {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return after.length > before.length && after.endsWith(before.slice(same));
}

test('whatever an object looked like before, connecting and taking out again is identity', () => {
  const blanks = ['', ' ', '\n', '\n  ', '\n\t', '\r\n', '  \n    ', '\n\n'];
  for (const a of blanks) {
    for (const b of blanks) {
      for (const end of ['', '\n', '\r\n', '  ']) {
        const objects = [
          `{${a}}`,
          `{${a}"x": 1${b}}`,
          `{${a}"mcpServers":${b}{}}`,
          `{${a}"mcpServers": {${b}}}`,
          `{${a}"mcpServers": {${b}}${a}}`,
          `{${a}"mcpServers": {${b}},${a}"x": []${b}}`,
          `{${a}"x": [],${a}"mcpServers": {${b}"other": {}${a}}${b}}`,
          `{${a}"mcpServers": {${b}"other": { "command": "x" }${b}}${a}}`,
        ];
        for (const object of objects) {
          thereAndBack(object + end, STRICT);
          thereAndBack(object + end, LENIENT);
        }
      }
    }
  }
});

test('files of every shape, with comments and trailing commas anywhere, come back byte for byte', () => {
  const next = random(7);
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  for (let n = 0; n < 6000; n++) {
    const newline = pick(['\n', '\n', '\r\n']);
    const trivia = (): string =>
      Array.from({ length: next(4) }, () =>
        pick([
          ' ',
          '  ',
          '\t',
          newline,
          `${newline}  `,
          `${newline}\t`,
          `// c, {"${newline}`,
          '/* c } */',
          `/*${newline}*/`,
        ]),
      ).join('');
    const value = (depth: number): string => {
      const kind = next(depth > 2 ? 4 : 7);
      if (kind < 4) return pick(['1', '"a\\"{"', 'null', '[]']);
      return kind === 4 ? `[${trivia()}${value(depth + 1)}${trivia()}]` : object(depth + 1, ['a', 'b', 'mcpServers']);
    };
    const object = (depth: number, names: readonly string[]): string => {
      const members = names
        .filter(() => next(2) === 0)
        .map((name) => {
          const inside = name === 'mcpServers' && depth < 2 ? object(depth + 1, ['other', 'more']) : value(depth);
          return `${trivia()}"${name}"${trivia()}:${trivia()}${inside}${trivia()}`;
        });
      const comma = members.length > 0 && next(3) === 0 ? `,${trivia()}` : '';
      return `{${trivia()}${members.join(',')}${comma}${trivia()}}`;
    };
    thereAndBack(`${trivia()}${object(0, ['x', 'mcpServers', 'y'])}${trivia()}`, LENIENT);
  }
});

test('a file that was not there goes again', () => {
  const after = thereAndBack(undefined, STRICT);
  assert.equal(
    after,
    '{\n  "mcpServers": {\n    "fieldguide": {\n      "command": "node",\n      "args": ["dist/fieldguide.cjs", "serve"]\n    }\n  }\n}\n',
  );
});

test('the indentation and line breaks of the file are followed', () => {
  const tabs = '{\r\n\t"mcpServers": {\r\n\t\t"other": {}\r\n\t}\r\n}';
  assert.equal(
    thereAndBack(tabs, STRICT),
    '{\r\n\t"mcpServers": {\r\n\t\t"fieldguide": {\r\n\t\t\t"command": "node",\r\n\t\t\t"args": ["dist/fieldguide.cjs", "serve"]\r\n\t\t},\r\n\t\t"other": {}\r\n\t}\r\n}',
  );
  assert.equal(
    thereAndBack('{"mcpServers":{"other":{}}}', STRICT),
    '{"mcpServers":{"fieldguide": {"command": "node", "args": ["dist/fieldguide.cjs", "serve"]},"other":{}}}',
  );
  assert.match(
    thereAndBack('{ // ours\n    "x": 1 }', LENIENT),
    /^\{ \/\/ ours\n {4}"mcpServers": \{\n {8}"fieldguide"/,
  );
});

test('an entry that differs is brought up to date in its own values only', () => {
  const before =
    '{"mcpServers": {\n  "fieldguide": { /* mine */\n    "command": "npx", // slow\n    "env": {"A": "b"},\n    "args": ["-y",\n      "x"]\n  }\n}}';
  assert.equal(
    withEntry(before, LENIENT, ENTRY),
    '{"mcpServers": {\n  "fieldguide": { /* mine */\n    "command": "node", // slow\n    "env": {"A": "b"},\n    "args": [\n      "dist/fieldguide.cjs",\n      "serve"\n    ]\n  }\n}}',
  );
  const cases: [before: string, after: string][] = [
    ['{"command": "x"}', '{"args": ["dist/fieldguide.cjs", "serve"], "command": "node"}'],
    ['{"url": "https://x", "headers": {}}', '{ "command": "node", "args": ["dist/fieldguide.cjs", "serve"] }'],
    ['null', '{ "command": "node", "args": ["dist/fieldguide.cjs", "serve"] }'],
    ['{}', '{ "command": "node", "args": ["dist/fieldguide.cjs", "serve"] }'],
    ['{\n"timeout": 1}', '{\n"command": "node",\n"args": ["dist/fieldguide.cjs", "serve"],\n"timeout": 1}'],
  ];
  for (const [old, expected] of cases) {
    const file = (entry: string): string => `{"mcpServers": {"a": {}, "fieldguide": ${entry}, "b": {}}}`;
    assert.equal(withEntry(file(old), STRICT, ENTRY), file(expected));
  }
});

test('an update does not spoil taking out', () => {
  for (const before of [undefined, '{}\n', '{\n  "mcpServers": {}\n}\n', '{\n  "x": 1\n}\n', '{\n}\n']) {
    const after = withEntry(withEntry(before, STRICT, { command: 'fieldguide', args: ['serve'] }), STRICT, ENTRY);
    assert.equal(withoutEntry(after, STRICT), before);
  }
});

test('what a person changed in between stays', () => {
  const ours = withEntry('{\n  "x": 1\n}\n', LENIENT, ENTRY);
  const more = ours.replace('"mcpServers": {', '"mcpServers": { // servers\n    "a": {}, /* b */');
  assert.deepEqual(parse(withoutEntry(more, LENIENT) ?? ''), { mcpServers: { a: {} }, x: 1 });
  const cases: [before: string, after: string][] = [
    ['{"mcpServers": {"a": {}, "fieldguide": {}}}', '{"mcpServers": {"a": {} }}'],
    ['{"mcpServers": {\n  "a": {},\n  "fieldguide": {}\n}}', '{"mcpServers": {\n  "a": {}\n}}'],
    ['{"mcpServers": {\n  "a": {},\n  "fieldguide": {}, // ours\n}}', '{"mcpServers": {\n  "a": {}, // ours\n}}'],
    ['{"mcpServers": { // c\n "fieldguide": {} }}', '{"mcpServers": { // c\n  }}'],
    ['{"mcpServers": { // c\n "fieldguide": {}, "a": 1 }}', '{"mcpServers": { // c\n  "a": 1 }}'],
    ['{"mcpServers": {"fieldguide": {} /* c */ , "a": 1}}', '{"mcpServers": { /* c */  "a": 1}}'],
    ['{"mcpServers": {"a": 1}}', '{"mcpServers": {"a": 1}}'],
    ['{"x": 1}', '{"x": 1}'],
  ];
  for (const [before, after] of cases) assert.equal(withoutEntry(before, LENIENT), after);
});

test('what the client itself would not read is left alone, with the place of the trouble', () => {
  const cases: [text: string, place: Place, what: RegExp, at: string][] = [
    ['{\n  "a": 1,\n}', STRICT, /does not parse: property name expected here/, '3:1'],
    ['{\n  // c\n  "a": 1\n}', STRICT, /does not parse: a comment, which this client does not read/, '2:3'],
    ['{\n  "a" 1\n}', LENIENT, /does not parse: colon expected here/, '2:7'],
    ["{'a': 1}", LENIENT, /does not parse: invalid symbol/, '1:2'],
    ['{} {}', LENIENT, /does not parse: end of file expected here/, '1:4'],
    ['[1]', LENIENT, /does not hold an object/, '1:1'],
    ['"text"', LENIENT, /does not hold an object/, '1:1'],
    ['{"mcpServers": []}', LENIENT, /has no object under "mcpServers"/, '1:16'],
    ['{"mcpServers": null}', LENIENT, /has no object under "mcpServers"/, '1:16'],
    ['{"mcpServers": {}, "mcpServers": {}}', LENIENT, /has "mcpServers" twice/, '1:20'],
    ['{"mcpServers": {"fieldguide": 1,\n"fieldguide": 2}}', LENIENT, /has "fieldguide" twice/, '2:1'],
    ['  \n', LENIENT, /is empty; delete it, or write \{\} into it/, ''],
    ['['.repeat(500_000), LENIENT, /is nested too deeply/, ''],
    [`{"a": ${'{"b":'.repeat(100_000)}`, LENIENT, /is nested too deeply/, ''],
  ];
  for (const [text, place, what, at] of cases) {
    for (const edit of [() => withEntry(text, place, ENTRY), () => withoutEntry(text, place)]) {
      assert.throws(edit, (error) => {
        assert.ok(isUnfit(error), String(error));
        assert.match(error.message, what);
        assert.equal(error.at === undefined ? '' : `${error.at.line}:${error.at.column}`, at, text.slice(0, 60));
        return true;
      });
    }
  }
});
