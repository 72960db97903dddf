import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedSections, sectionsOf } from '../../bin/diff/sections.ts';
import { CUT, type Cut, escapeText } from '../../runtime/format.ts';

/** Sections of a text without marks, as generated pages are. */
function plain(text: string) {
  return sectionsOf(escapeText(text), []);
}

/** The same with the places of these lines marked as headings, as the compiler does. */
function marked(text: string, headings: readonly string[]) {
  const cuts = headings.map((line): Cut => {
    const at = escapeText(text.slice(0, text.indexOf(line))).length;
    return { at, rawAt: 0, kind: CUT.heading, level: 2, label: '' };
  });
  return sectionsOf(escapeText(text), cuts);
}

test('a section is told by its heading: what stands before the first has a name of its own', () => {
  assert.deepEqual(
    plain('Hello.\n\n# One #\n\nx\n\n## Two {#second}\ny\n').map(({ heading }) => heading),
    ['(start)', 'One', 'Two'],
  );
});

test('a number sign in a fence starts no section, a fence of another kind does not end it', () => {
  const text = '# One\n```sh\n# no heading\n~~~\n## nor this\n```\n## Two\n';
  assert.deepEqual(
    plain(text).map(({ heading }) => heading),
    ['One', 'Two'],
  );
});

test('where the compiler marked headings, these count and no others', () => {
  const text = 'Intro "quoted"\n\nOne\n===\nx\n\n    # code\n\n## Two\ny\n';
  assert.deepEqual(
    marked(text, ['One\n', '## Two']).map(({ heading }) => heading),
    ['(start)', 'One', 'Two'],
  );
});

test('a section put before others of its name changes none of them', () => {
  const before = plain('# A\n## Example\n1\n## Example\n2\n');
  const after = plain('# A\n## Example\n0\n## Example\n1\n## Example\n2\n');
  assert.deepEqual(changedSections(before, after), { added: ['Example'], removed: [], changed: [] });
  assert.deepEqual(changedSections(after, before), { added: [], removed: ['Example'], changed: [] });
});

test('changed, added and removed sections are told apart', () => {
  const before = plain('# A\nstays\n## B\nold\n## C\ngoes\n');
  const after = plain('# A\nstays\n## B\nnew\n## D\ncomes\n');
  assert.deepEqual(changedSections(before, after), { added: ['D'], removed: ['C'], changed: ['B'] });
});

test('the same sections in another order are said to be so', () => {
  const change = changedSections(plain('# A\n\n1\n\n# B\n\n2\n'), plain('# B\n\n2\n\n# A\n\n1\n'));
  assert.deepEqual(change, { added: [], removed: [], changed: [], reordered: true });
});
