// project.yaml with discoveries added, in every style that people write: only pieces are inserted, the rest keeps its
// bytes, and the compiler reads exactly what was to be there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Addition, allAdded } from '../../bin/promote/addition.ts';
import { insertions, parsed } from '../../bin/promote/insert.ts';
import { withInsertions } from '../../bin/promote/insertion.ts';
import { isInsertOnly, isOnlyAdded } from '../../bin/promote/same-otherwise.ts';
import { type Project, project } from '../../build/project.ts';
import { random } from '../support/random.ts';
import { diagnose } from '../support/shop.ts';
import { randomProject } from './yaml-styles.ts';

const HEAD = 'version: "1.0"\nproject: { name: a }\n';

function checked(text: string): Project {
  const told: string[] = [];
  const found = project(text, ({ what, line }) => told.push(`${line}: ${what}`));
  assert.ok(found !== undefined, `${told.join('\n')}\n${text}`);
  return found;
}

/** Adds, and proves it by what the compiler reads and by the pieces alone. */
function added(before: string, additions: readonly Addition[]): string {
  const document = parsed(before);
  const value = allAdded(additions);
  const pieces = insertions(before, document, value);
  const after = withInsertions(before, pieces);
  let rest = after;
  for (const piece of [...pieces].sort((a, b) => a.at - b.at)) {
    assert.equal(rest.slice(piece.at, piece.at + piece.text.length), piece.text);
    rest = rest.slice(0, piece.at) + rest.slice(piece.at + piece.text.length);
  }
  assert.equal(rest, before, 'without the pieces it is what it was');
  assert.ok(isInsertOnly(before, after));
  assert.deepEqual(dataOf(checked(after)), withAdditions(dataOf(checked(before)), additions), after);
  assert.ok(isOnlyAdded(document, parsed(after), value), after);
  assert.equal(/\r(?!\n)|(?<!\r)\n/.test(after), /\r(?!\n)|(?<!\r)\n/.test(before), 'line ends are those of the file');
  assert.equal(/\n$/.test(after), /\n$/.test(before), 'the end is as it was');
  return after;
}

type Data = { modules: Map<string, Record<string, unknown[]>>; rest: unknown };

function dataOf({ modules, ...rest }: Project): Data {
  const withoutPlaces = JSON.parse(JSON.stringify(rest, (key, value) => (key === 'place' ? undefined : value)));
  const lists = modules.map(({ name, patterns, businessRules, commonIssues, keyFiles, dependencies, description }) => {
    const files = keyFiles.map(({ place: _, ...file }) => file);
    const others = { keyFiles: files, dependencies: [...dependencies], description: [description] };
    const own = { patterns: [...patterns], businessRules: [...businessRules], commonIssues: [...commonIssues] };
    return [name, { ...own, ...others }] as const;
  });
  return { modules: new Map(lists), rest: withoutPlaces };
}

function withAdditions(data: Data, additions: readonly Addition[]): Data {
  for (const { module, list, item } of additions) {
    const lists = data.modules.get(module) ?? {
      ...{ patterns: [], businessRules: [], commonIssues: [] },
      ...{ keyFiles: [], dependencies: [], description: [undefined] },
    };
    data.modules.set(module, lists);
    lists[list]?.push(typeof item === 'string' ? item : Object.fromEntries(item));
  }
  return data;
}

const pattern = (text: string, module = 'auth'): Addition => ({ module, list: 'patterns', item: text });
const ISSUE: Addition = {
  module: 'auth',
  list: 'commonIssues',
  item: [
    ['description', 'Tokens race: twice'],
    ['solution', 'Take the mutex'],
    ['discoveredAt', '2025-01-15T10:00:00.000Z'],
    ['sessionId', 'f00dcafe'],
  ],
};

/** Before, what is added, after; both behind the head of the file. */
const EXACT: [string, string, Addition[], string][] = [
  [
    'a block list',
    'modules:\n  auth:\n    patterns:\n      - One  # why\n      # tail\n\n  users: {}\n',
    [pattern('Two')],
    'modules:\n  auth:\n    patterns:\n      - One  # why\n      - Two\n      # tail\n\n  users: {}\n',
  ],
  [
    'a list whose dashes stand under the key',
    'modules:\n  auth:\n    patterns:\n    - One\n    description: x\n',
    [pattern('Two'), ISSUE],
    'modules:\n  auth:\n    patterns:\n    - One\n    - Two\n    description: x\n    commonIssues:\n    - description: "Tokens race: twice"\n      solution: Take the mutex\n      discoveredAt: "2025-01-15T10:00:00.000Z"\n      sessionId: f00dcafe\n',
  ],
  [
    'a list between brackets',
    'modules: { auth: { patterns: [a, "b"] } }',
    [pattern('c, d')],
    'modules: { auth: { patterns: [a, "b", "c, d"] } }',
  ],
  [
    'an empty list and empty maps',
    'modules:\n  auth:\n    patterns: []\n  users: {}\n  b: { }\n',
    [pattern('Two'), pattern('Three', 'users'), pattern('Four', 'b')],
    'modules:\n  auth:\n    patterns: [Two]\n  users: { patterns: [Three] }\n  b: { patterns: [Four] }\n',
  ],
  [
    'keys with nothing behind them',
    'modules:\n  auth:\n    patterns:  # none yet\n  users:   # later\n',
    [pattern('Two'), pattern('Three', 'users')],
    'modules:\n  auth:\n    patterns:  # none yet\n      - Two\n  users:   # later\n    patterns:\n      - Three\n',
  ],
  [
    'keys with nothing behind them, between brackets',
    'modules: { auth: { patterns: , description: x }, users: {patterns}, b }\n',
    [pattern('Two'), pattern('Three', 'users'), pattern('Four', 'b')],
    'modules: { auth: { patterns: [Two] , description: x }, users: {patterns: [Three]}, b: { patterns: [Four] } }\n',
  ],
  [
    'several lines between brackets',
    'modules:\n  auth:\n    patterns: [\n      a,\n      b  # of b, and c\n    ]  # all\n',
    [pattern('c'), pattern('d')],
    'modules:\n  auth:\n    patterns: [\n      a,\n      b,  # of b, and c\n      c,\n      d\n    ]  # all\n',
  ],
  [
    'several lines between brackets with a comma at the end',
    'modules:\n  auth:\n    patterns: [\n      a,  # of a\n    ]\n',
    [pattern('c'), pattern('d')],
    'modules:\n  auth:\n    patterns: [\n      a,  # of a\n      c,\n      d,\n    ]\n',
  ],
  [
    'a missing section keeps its distance',
    'tech:\n    runtime: x\n\n# the end\n',
    [pattern('Two')],
    'tech:\n    runtime: x\n\nmodules:\n    auth:\n        patterns:\n            - Two\n\n# the end\n',
  ],
  ['no line break at the end', 'modules:\n  auth:', [pattern('Two')], 'modules:\n  auth:\n    patterns:\n      - Two'],
  [
    'the end of the document',
    'modules:\n  auth:\n    description: |+\n      long\n\n...\n',
    [pattern('Two'), pattern('Three', 'b c')],
    'modules:\n  auth:\n    description: |+\n      long\n\n    patterns:\n      - Two\n  b c:\n    patterns:\n      - Three\n...\n',
  ],
  [
    'one place for three pieces, the inner first',
    'modules:\n  auth:\n    patterns:\n      - a\tb\n# end\n',
    [pattern('Two'), ISSUE, pattern('Three', 'users')],
    'modules:\n  auth:\n    patterns:\n      - a\tb\n      - Two\n    commonIssues:\n      - description: "Tokens race: twice"\n        solution: Take the mutex\n        discoveredAt: "2025-01-15T10:00:00.000Z"\n        sessionId: f00dcafe\n  users:\n    patterns:\n      - Three\n# end\n',
  ],
  [
    'keys that are asked for, and a list behind a colon',
    '? modules\n: ? auth\n  : patterns:\n      - a\n',
    [pattern('Two')],
    '? modules\n: ? auth\n  : patterns:\n      - a\n      - Two\n',
  ],
  [
    'anchors that nothing repeats',
    'modules:\n  auth: &auth\n    patterns: &p\n',
    [pattern('Two')],
    'modules:\n  auth: &auth\n    patterns: &p\n      - Two\n',
  ],
];

for (const [name, before, additions, after] of EXACT) {
  test(`${name}: exactly this is inserted`, () => {
    assert.equal(added(HEAD + before, additions), HEAD + after);
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    assert.equal(added(crlf(HEAD + before), additions), crlf(HEAD + after));
    const marked = `# first\n---\n${HEAD}${before}`;
    assert.equal(added(marked, additions), `# first\n---\n${HEAD}${after}`);
  });
}

test('a file that is JSON stays JSON', () => {
  const before = JSON.stringify(
    { version: '1.0', project: { name: 'a' }, modules: { auth: { patterns: ['a'] } } },
    null,
    2,
  );
  const after = JSON.parse(added(before, [pattern('Two'), ISSUE, pattern('x', 'b')]));
  assert.deepEqual(after.modules.auth.patterns, ['a', 'Two']);
  assert.equal(after.modules.auth.commonIssues[0].description, 'Tokens race: twice');
  assert.deepEqual(after.modules.b, { patterns: ['x'] });
});

const REFUSED: [string, string, RegExp][] = [
  [
    'modules:\n  b: { patterns: &p [a] }\n  auth: { patterns: *p }\n',
    '4:',
    /has the alias \*p for modules\.auth\.patterns/,
  ],
  ['modules:\n  b: &b { patterns: [a] }\n  auth: *b\n', '', /has the alias \*b for modules\.auth;/],
  [
    'modules:\n  auth: { patterns: &p [a] }\n  b: { patterns: *p }\n',
    '',
    /repeats modules\.auth\.patterns elsewhere by its anchor &p/,
  ],
  ['x-m: &m {}\nmodules: *m\n', '', /has the alias \*m for modules;/],
  ['modules:\n  auth: { patterns: ~ }\n', '', /has modules\.auth\.patterns written as ~; leave it empty/],
  ['modules:\n  auth: null\n', '', /has modules\.auth written as null/],
  ['modules:\n  ? auth\n', '', /has modules\.auth without a colon/],
  ['x-k: &k auth\nmodules:\n  *k : {}\n', '', /has an alias for a key here/],
];

test('what would have to be written another way is refused, with its place', () => {
  for (const [source, , message] of REFUSED) {
    const text = HEAD + source;
    checked(text);
    assert.throws(
      () => insertions(text, parsed(text), allAdded([pattern('Two')])),
      (error: Error & { at?: { line: number } }) => message.test(error.message) && (error.at?.line ?? 0) > 2,
      source,
    );
  }
});

test('the proof sees every other change', () => {
  const before = `${HEAD}modules:\n  auth: { patterns: [a], x-n: 1 }\n  b: &b {}\n`;
  const value = allAdded([pattern('Two')]);
  const good = added(before, [pattern('Two')]);
  for (const [from, to] of [
    ['Two', 'Three'],
    ['[a, Two]', '[Two, a]'],
    ['a, Two', 'a, Two, Two'],
    ['x-n: 1', 'x-n: "1"'],
    ['x-n: 1', 'x-n: 2'],
    ['&b ', ''],
    ['b: &b {}', 'b: &b { patterns: [] }'],
    ['name: a', 'name: b'],
  ] as const) {
    assert.ok(good.includes(from));
    assert.equal(isOnlyAdded(parsed(before), parsed(good.replace(from, to)), value), false, to);
  }
  assert.equal(isInsertOnly('abc', 'ac'), false);
  assert.equal(isInsertOnly('abc', 'acb'), false);
});

test('random files in many styles take random additions, and nothing else changes', () => {
  const below = random(20250115);
  const words = [
    'plain words',
    'with: colon',
    '# no comment',
    "it's",
    '"quoted"',
    'yes',
    '- dash',
    '[x]',
    '{a}',
    '*a',
    '&a',
    'über — ✓',
    '10:30',
    'a, b',
    '%x',
    '@at',
    '`tick`',
    'back\\slash',
    'x'.repeat(900),
  ];
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  for (let n = 0; n < 1500; n++) {
    const { text, names } = randomProject(below);
    const additions = Array.from({ length: 1 + below(5) }, (_, k): Addition => {
      const module =
        below(4) === 0 ? pick(['new one', 'größe & co', 'y', 'a:b', '1', '{x}']) : pick([...names, 'auth']);
      const item = `${pick(words)} ${n}-${k}`;
      if (below(3) === 0)
        return {
          module,
          list: 'commonIssues',
          item: [
            ['description', item],
            ['sessionId', pick(words)],
          ],
        };
      return { module, list: pick(['patterns', 'businessRules'] as const), item };
    });
    try {
      const after = added(text, additions);
      if (n % 20 === 0)
        assert.deepEqual(diagnose(after).diagnostics, diagnose(text).diagnostics, 'nothing new to warn of');
    } catch (error) {
      throw new Error(`file ${n}\n${text}\n---\n${JSON.stringify(additions)}\n${(error as Error).message}`);
    }
  }
});
