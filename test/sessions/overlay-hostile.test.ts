// The journal is a file that anybody may write: whatever it holds, a page keeps its structure and its bounds,
// and a damaged bundle is never hidden by what is laid over it.

import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Root } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { LOCAL_USER } from '../../runtime/access.ts';
import { answerValue } from '../../runtime/answer.ts';
import type { Context } from '../../runtime/context.ts';
import { BundleError } from '../../runtime/format.ts';
import { readResource } from '../../runtime/router.ts';
import { overlayOf } from '../../runtime/sessions/overlay.ts';
import { encodeRecord, type Record } from '../../runtime/sessions/record.ts';
import { openBytes } from '../support/bytes.ts';
import { discovered, discovery } from '../support/discovered.ts';
import { OVERVIEW } from '../support/served.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';

const HOSTILE = [
  '# A heading',
  '## Patterns (9)',
  'one\n\n## Patterns (9)\n\n- two',
  'one\r\rtwo\u2028three\u2029four\u0085five',
  '- an item',
  '* * *',
  '---',
  '+ plus',
  '1. first',
  '23) third',
  '> quoted',
  '```',
  '~~~ js',
  '<!-- a comment',
  '<script>alert(1)',
  '<div>',
  '[Session]: https://example.com',
  '[a\\]b]: https://example.com "x',
  '[^1]: a note',
  '[ ] to do',
  '    indented',
  '\u0000\u001b[31mred\u0007',
  '\u202egnp.exe\u202c',
  '\ud800 half',
  '`code` first',
  '*stars* first',
  '_',
  '===',
  '|a|b|',
  '\\',
  '$& $1 {{x}}',
  'x'.repeat(100_000),
];

async function textOf(context: Context, uri: string): Promise<string> {
  return (answerValue(await readResource(context, uri)).contents as [{ text: string }])[0].text;
}

function parsed(markdown: string): Root {
  return unified().use(remarkParse).parse(markdown);
}

test('a crafted text stays one entry of its list, or one heading with its lines', async (t) => {
  const all = HOSTILE.flatMap((content) => [
    discovery('pattern', content, 'users'),
    discovery('rule', content, 'users', { sessionId: '\n# x](y' }),
    discovery('issue', content, 'users', { solution: content }),
  ]);
  const { context } = await discovered(t, `${SHOP}limits: { module: 1MB, sessions: 1MB }\n`, all);
  const page = await textOf(context(), 'context://module/users');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  assert.doesNotMatch(page, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
  assert.ok(page.isWellFormed());
  for (const line of page.split('\n')) assert.ok(line.length < 2100, line.slice(0, 50));
  const { children } = parsed(page);
  const count = HOSTILE.length;
  assert.deepEqual(
    children.map(({ type }) => type),
    ['heading', 'paragraph', 'heading', 'heading', 'list', 'heading', 'list', 'heading']
      .concat(Array.from({ length: count }, () => ['heading', 'paragraph']).flat())
      .concat(['heading', 'paragraph']),
  );
  for (const list of children.filter((node) => node.type === 'list')) {
    assert.equal(list.children.length, count);
    for (const item of list.children)
      assert.deepEqual(
        item.children.map(({ type }) => type),
        ['paragraph'],
      );
  }
  const listed = parsed(await textOf(context(), 'context://discoveries')).children.slice(1);
  assert.deepEqual(
    listed.map(({ type }) => type),
    Array.from({ length: count * 3 }, () => ['heading', 'paragraph', 'paragraph']).flat(),
  );
  assert.match(page, /\n- `code` first \(Session: f00dcafe\)\n- \*stars\* first \(/);
  assert.ok(page.includes('\n### $& $1 {{x}}\n\n**Solution:** $& $1 {{x}}  \n'));
});

test('records of other shapes are no discoveries', async (t) => {
  const { root, context } = await discovered(t, SHOP, [discovery('rule', 'A real one', 'auth')]);
  const fine = { k: 'discovered', t: 1, id: 'x', sessionId: 's', type: 'rule', content: 'c', module: 'auth' };
  for (const wrong of [
    { content: 5 },
    { module: {} },
    { solution: [] },
    { type: 'toString' },
    { sessionId: null },
    { t: '1' },
  ]) {
    appendFileSync(`${root}/.fieldguide/discoveries.journal`, encodeRecord({ ...fine, ...wrong } as Record));
  }
  assert.match(await textOf(context(), 'context://module/auth'), /## Business Rules \(2\)\n/);
  assert.match(await textOf(context(), 'context://discoveries'), /^# Discoveries \(1\)\n/);
});

test('ten thousand discoveries stay within the limit of a page, and every page can be read', async (t) => {
  const all = Array.from({ length: 10_000 }, (_, n) =>
    discovery('pattern', `Number ${n} ${'words '.repeat(30)}`, 'auth'),
  );
  const bundle = openBytes(bundleBytes());
  const overlay = overlayOf(bundle, all, LOCAL_USER);
  const first = overlay.findText('context://module/auth');
  assert.ok(first !== undefined && first.pages > 90);
  let bytes = 0;
  let entries = 0;
  for (let page = 1; page <= first.pages; page++) {
    const text = overlay.findText('context://module/auth', page);
    assert.ok(text !== undefined && text.rawLength <= 20 * 1024);
    bytes += text.rawLength;
    entries += text.stored.toString('utf8').match(/- Number \d+ /g)?.length ?? 0;
  }
  assert.ok(bytes > 10_000 * 180);
  assert.equal(entries, 10_000);
  assert.equal(overlay.findText('context://module/auth', first.pages + 1), undefined);
  assert.match(overlay.findText(OVERVIEW)?.stored.toString('utf8') ?? '', /\*\*Patterns:\*\* 10002 /);
  assert.match(
    overlay.findText('brief/auth')?.stored.toString('utf8') ?? '',
    /^It has 1 business rules, 10002 patterns/,
  );
  assert.equal(overlay.texts().length, 10_000);
  t.diagnostic(`${first.pages} pages`);
});

test('whatever byte of the bundle is damaged, what is laid over it is exactly right or an error', () => {
  const bytes = bundleBytes();
  const all = [
    discovery('pattern', 'Wrap the client', 'auth'),
    discovery('issue', 'It hangs', 'users'),
    discovery('rule', 'Sessions end after 30 minutes, "always"', 'auth'),
  ];
  const keys = ['context://module/auth', 'context://module/users', OVERVIEW, 'brief/auth', 'context://module/none'];
  const answers = (from: Buffer): (string | undefined)[] => {
    const overlay = overlayOf(openBytes(from), all, LOCAL_USER);
    const ask = (look: () => string | undefined): string | undefined => {
      try {
        return look() ?? 'not there';
      } catch (error) {
        if (!(error instanceof BundleError)) throw error;
        return undefined;
      }
    };
    return [
      ...keys.map((key) => ask(() => overlay.findText(key)?.stored.toString('utf8'))),
      ask(() =>
        overlay
          .texts()
          .map(({ uri, shown }) => `${uri} ${shown.content}`)
          .join('\n'),
      ),
    ];
  };
  const right = answers(bytes);
  assert.equal(right.filter((text) => text?.includes('f00dcafe')).length, 3);
  assert.match(right[2] ?? '', /\*\*Patterns:\*\* 3 /);
  let refused = 0;
  for (let at = 4096; at < bytes.length; at++) {
    const before = bytes[at] as number;
    bytes[at] = before ^ (1 << (at % 8));
    for (const [n, answer] of answers(bytes).entries()) {
      if (answer === undefined) refused++;
      else assert.equal(answer, right[n], `byte ${at}: ${keys[n] ?? 'texts'}`);
    }
    bytes[at] = before;
  }
  assert.ok(refused > 1000, String(refused));
});
