// Problems that are accepted: by project.yaml, by a comment before the line, always with a reason; and those that
// are accepted and do not happen.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parse } from '../../build/parse.ts';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const HEAD = 'version: "1.0"\nproject: { name: a }\n';

function build(t: TestContext, files: Record<string, string>): { ok: boolean; diagnostics: Message[] } {
  return JSON.parse(run(['build', '--root', temporaryFolder(t, files), '--json']).stdout);
}

function said(t: TestContext, files: Record<string, string>): string[] {
  return build(t, files).diagnostics.map(
    ({ file, line, column, code, what }: Message) => `${file}:${line}:${column} ${code} ${what}`,
  );
}

test('an entry that silences nothing is reported, at its place; one whose glob matches nothing, at the glob', (t) => {
  const config = `${HEAD}ignore:
  - { rule: link-broken, reason: fine }
  - { rule: link-broken, files: ["content/docs/a.md", "content/odcs/**"], reason: fine }
  - { rule: title-missing, reason: fine }
  - { rule: title-missing, files: ["content/docs/b.md"], reason: fine }
  - { rule: title-missing, files: ["nowhere/**"], reason: fine }
`;
  const files = { 'content/docs/a.md': '# A\n\n[x](gone.md)\n', 'content/docs/b.md': '# B\n' };
  assert.deepEqual(said(t, { 'project.yaml': config, ...files }), [
    'project.yaml:5:55 pattern-unmatched The pattern "content/odcs/**" matches no file.',
    'project.yaml:6:5 ignore-unused There is no title-missing anywhere.',
    'project.yaml:7:5 ignore-unused There is no title-missing in these files.',
    'project.yaml:8:36 pattern-unmatched The pattern "nowhere/**" matches no file.',
  ]);
});

test('that something is unused can be accepted, too', (t) => {
  const config = `${HEAD}ignore:
  - { rule: ignore-unused, reason: shared between repositories }
  - { rule: title-missing, reason: fine }
`;
  assert.deepEqual(said(t, { 'project.yaml': config }), []);
});

test('an error cannot be silenced, and while there is one nobody knows what is unused', (t) => {
  const config = `${HEAD}guide: { categories: { a: {} }, collections: { c: { categories: [b] } } }
ignore: [{ rule: collection-unknown, reason: fine }, { rule: title-missing, reason: fine }]
`;
  const { ok, diagnostics } = build(t, { 'project.yaml': config, 'content/a/x.md': '# X\n' });
  assert.deepEqual([ok, ...diagnostics.map(({ code }) => code)], [false, 'collection-unknown']);
});

test('a reason is required, and a rule that is misspelt is told', (t) => {
  for (const [entry, code, fix] of [
    ['{ rule: link-broken }', 'key-missing', /Add reason/],
    ['{ rule: link-broken, reason: " " }', 'value-wrong', /Write why/],
    ['{ rule: link-borken, reason: fine }', 'value-wrong', /Did you mean "link-broken"\?/],
  ] as const) {
    const { ok, diagnostics } = build(t, { 'project.yaml': `${HEAD}ignore: [${entry}]\n` });
    assert.deepEqual([ok, diagnostics[0].code], [false, code]);
    assert.match(diagnostics[0].fix, fix);
  }
});

test('a comment silences the line after it, or the block, and stays in the served text', (t) => {
  const comment = (rule: string): string => `<!-- fieldguide-ignore-next-line ${rule}: written later -->`;
  const text = [
    '# A',
    '',
    comment('link-broken'),
    '[x](gone.md)',
    '',
    '[y](gone.md)',
    '',
    comment('link-broken'),
    comment('anchor-broken'),
    '[x](gone.md) [y](#gone)',
    '',
    `- a ${comment('link-broken')}`,
    '  [z](gone.md)',
    '',
    comment('command-broken'),
    '```sh',
    'npm ci',
    'npm run nope',
    '```',
    '',
    '```sh',
    'npm run nope',
    '```',
    '',
    '<!-- fieldguide-ignore-next-line',
    '     link-broken: over',
    '     two lines -->',
    '[x](gone.md)',
    '',
  ].join('\n');
  const root = temporaryFolder(t, { 'project.yaml': HEAD, 'package.json': '{}', 'content/docs/a.md': text });
  const { ok, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(ok, true);
  assert.deepEqual(
    diagnostics.map(({ line, column, code }: Message) => `${line}:${column} ${code}`),
    ['6:5 link-broken', '22:9 command-broken'],
  );
  assert.equal(run(['read', 'guide://document/docs/a.md', '--root', root]).stdout, text);
});

test('a comment in whitelisted markdown silences, too', (t) => {
  const text = '# R\n\n<!-- fieldguide-ignore-next-line secret-probable: an example -->\nAKIAABCDEFGHIJKLMNOP\n';
  assert.deepEqual(said(t, { 'project.yaml': `${HEAD}files: [README.md]\n`, 'README.md': text }), []);
});

test('a comment that silences nothing, or is not right, is reported where it stands', (t) => {
  const text = [
    '# A',
    '',
    '<!-- fieldguide-ignore-next-line link-broken: fine -->',
    '',
    '[x](gone.md)',
    '',
    '<!-- fieldguide-ignore-next-line link-broken -->',
    '<!-- fieldguide-ignore-next-line link-broken:   -->',
    '<!-- fieldguide-ignore-next-line link-borken: fine -->',
    '<!-- fieldguide-ignore link-broken: fine -->',
    'a <!-- fieldguide-ignore-next-line title-missing: fine -->',
    '',
  ].join('\n');
  assert.deepEqual(said(t, { 'project.yaml': HEAD, 'content/docs/a.md': text }), [
    'content/docs/a.md:3:1 ignore-unused There is no link-broken on the next line.',
    'content/docs/a.md:5:5 link-broken gone.md leads to no file.',
    'content/docs/a.md:7:1 ignore-wrong It gives no reason.',
    'content/docs/a.md:8:1 ignore-wrong It gives no reason.',
    'content/docs/a.md:9:1 ignore-wrong There is no problem called "link-borken".',
    'content/docs/a.md:10:1 ignore-wrong It is not the comment that silences: "link-broken: fine".',
    'content/docs/a.md:11:3 ignore-unused There is no title-missing on the next line.',
  ]);
});

test('only comments count: not code, not other text, not a comment that never ends', () => {
  const comment = '<!-- fieldguide-ignore-next-line link-broken: fine -->';
  for (const text of [
    `\`${comment}\`\n`,
    `    ${comment}\n`,
    `\`\`\`html\n${comment}\n\`\`\`\n`,
    `---\na: ${comment}\n---\n`,
    '<!-- fieldguide-ignore-next-line link-broken: fine\n',
    '<!-- see fieldguide-ignore-next-line link-broken: fine -->\n',
    '\\<!-- fieldguide-ignore-next-line link-broken: fine -->\n',
  ])
    assert.deepEqual(parse(text).ignores, [], text);
  assert.deepEqual(
    parse(`<div>\n${comment} <b>${comment}</b>\n</div>\n`).ignores.map(({ line, column, first, last }) => [
      line,
      column,
      first,
      last,
    ]),
    [
      [2, 1, 3, 3],
      [2, comment.length + 5, 3, 3],
    ],
  );
  assert.equal(parse(`${'<!-- fieldguide-ignore '.repeat(20_000)}\n`).ignores.length, 0);
  assert.equal(parse(`<div>\n${'<!-- fieldguide-ignore -->'.repeat(20_000)}\n`).ignores.length, 20_000);
});

test('a comment in a document that no category takes in is not called unused', (t) => {
  const files = {
    'project.yaml': `${HEAD}guide: { categories: { docs: {} } }\n`,
    'content/docs/a.md': '# A\n',
    'content/other.md': '# O\n\n<!-- fieldguide-ignore-next-line link-broken: fine -->\n[x](gone.md)\n',
  };
  assert.deepEqual(
    build(t, files).diagnostics.map(({ code }) => code),
    ['document-unserved'],
  );
});
