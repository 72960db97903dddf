// The report for a pull request, read by a markdown parser: names of others are text in it, never markup.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { code } from '../../bin/diff/markdown-report.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { searchedBytes, type Written } from '../support/searched.ts';

const HOSTILE = [
  'a | b || c \\| d',
  '`one` ``two``` three',
  '<img src=x onerror=alert(1)> </details> <!-- --> &lt;',
  'line\nbreak\r\n\n| --- |\n# heading',
  '@everyone #1 https://evil.example [link](https://evil.example) ![i](x)',
  '**bold** _it_ ~~s~~ $x$ \\',
  '\u001b[31mred\u0007\u202egnirts\u0000',
  '   ',
  '`',
  '\\`|',
];

/** What would steer a terminal, or turn its text around. */
const STEERING = /[^\P{Cc}\n]|\u202e/u;

function html(markdown: string): string {
  return micromark(markdown, {
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml()],
    allowDangerousHtml: true,
  });
}

function report(t: TestContext, before: Written, after: Written, reporter = 'markdown'): string {
  const root = temporaryFolder(t);
  writeFileSync(join(root, 'a.fgb'), searchedBytes(before));
  writeFileSync(join(root, 'b.fgb'), searchedBytes(after));
  const ended = run(['diff', join(root, 'a.fgb'), join(root, 'b.fgb'), '--reporter', reporter]);
  assert.deepEqual([ended.code, ended.stderr], [0, '']);
  return ended.stdout;
}

test('hostile titles and headings stay words: five cells a row, no markup, nothing unfolded', (t) => {
  const pages = (tail: string): Written =>
    Object.fromEntries(HOSTILE.map((text, n) => [`page-${n}`, [text, `# ${text.replace(/\s+/g, ' ')}\n\n${tail}\n`]]));
  const markdown = report(t, pages('old words'), pages('new words!'));
  const seen = html(markdown);
  const rows =
    seen
      .split('<table>')[1]
      ?.split('</table>')[0]
      ?.match(/<tr>[\s\S]*?<\/tr>/g) ?? [];
  assert.equal(rows.length, HOSTILE.length + 1);
  for (const row of rows.slice(1)) assert.equal(row.match(/<td/g)?.length, 5, row);
  const tags = new Set([...seen.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name));
  assert.deepEqual([...tags].sort(), [
    'code',
    'details',
    'li',
    'p',
    'strong',
    'summary',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ]);
  assert.equal(seen.match(/<details>/g)?.length, seen.match(/<\/details>/g)?.length);
  assert.doesNotMatch(markdown, STEERING);
  const outsideCode = seen.replace(/<code>[\s\S]*?<\/code>/g, '');
  for (const word of ['@everyone', 'evil.example', 'onerror', 'bold']) assert.ok(!outsideCode.includes(word), word);
});

test('a name in code reads as it was written', () => {
  const shown = (text: string): string | undefined =>
    /<code>(.*?)<\/code>/.exec(html(`| x |\n| - |\n| ${code(text)} |`))?.[1];
  assert.equal(shown('a | b'), 'a | b');
  assert.equal(shown('x`y`z'), 'x`y`z');
  assert.equal(shown('a\\|b'), 'a\\|b');
  assert.equal(shown('<b>&amp;'), '&lt;b&gt;&amp;amp;');
  assert.equal(code(' \n '), '');
  assert.ok(code('x'.repeat(5000)).length < 300);
});

test('the table ends at fifty rows and says how many are left; what came is before what changed', (t) => {
  const pages = (count: number, word: string): Written =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`page-${n}`, [`Page ${n}`, `# P\n\n${word} ${n}\n`]]));
  const markdown = report(t, pages(70, 'old words'), pages(75, 'new'));
  const [summary = '', , ...rest] = markdown.split('\n');
  assert.match(summary, /^\*\*Fieldguide\*\* `searched`: 5 added, 70 changed; -\d+ B, ≈-\d+ tokens\.$/);
  const rows = rest.filter((line) => /^\| (added|changed) /.test(line));
  assert.equal(rows.length, 50);
  assert.ok(rows.slice(0, 5).every((row) => row.startsWith('| added ')));
  assert.ok(markdown.includes('\n\nand 25 more\n\n<details>'));
});

test('however much differs, the report fits into a comment', (t) => {
  const pages = (word: string): Written =>
    Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `page-${n}`,
        [
          `${'|`'.repeat(200)} ${word} ${n}`,
          Array.from({ length: 20 }, (__, m) => `# ${'\\`|'.repeat(99)} ${m}\n${word}`).join('\n'),
        ],
      ]),
    );
  const markdown = report(t, pages('old'), pages('new'));
  assert.ok(markdown.length < 65_536, String(markdown.length));
  assert.match(markdown, /^and \d+ more$/m);
});

test('on a terminal, hostile names steer nothing and stay on their line', (t) => {
  const pages: Written = Object.fromEntries(HOSTILE.map((text, n) => [`page-${n}`, [text, `# ${n}\n`]]));
  const text = report(t, {}, pages, 'default');
  assert.doesNotMatch(text, STEERING);
  assert.equal(text.split('\n').filter((line) => line.startsWith('+ ')).length, HOSTILE.length);
});
