// What was discovered appears at once in what the bundle says: in its own place, counted, marked with its session,
// and is let go when the bundle says it itself.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { type Answer, answerValue } from '../../runtime/answer.ts';
import type { Context } from '../../runtime/context.ts';
import { Failure } from '../../runtime/failure.ts';
import { pageNotice } from '../../runtime/pages.ts';
import { readResource } from '../../runtime/router.ts';
import { discovered, discovery } from '../support/discovered.ts';
import { OVERVIEW } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';

const AUTH = 'context://module/auth';

type Read = { text: string; isLive: boolean };

async function read(context: Context, uri: string): Promise<Read> {
  const answer = await readResource(context, uri);
  const [{ text }] = answerValue(answer).contents as [{ text: string }];
  return { text, isLive: answer.isLive === true };
}

/** All pages of a text, without the lines that name the next. */
async function readAll(context: Context, uri: string): Promise<{ text: string; pages: Read[] }> {
  const pages = [await read(context, uri)];
  const count = Number(/\n\[Page 1 of (\d+)\. The next is .*\]$/.exec((pages[0] as Read).text)?.[1] ?? 1);
  for (let n = 2; n <= count; n++) pages.push(await read(context, `${uri}?page=${n}`));
  const texts = pages.map(({ text }, n) => {
    const notice = n + 1 < count ? pageNotice(uri, n + 1, count) : '';
    assert.ok(text.endsWith(notice));
    return text.slice(0, text.length - notice.length);
  });
  return { text: texts.join(''), pages };
}

test('a module page has each discovery in its section, counted and marked with its session', async (t) => {
  const { context } = await discovered(t, SHOP, [
    discovery('pattern', 'Wrap the client in a breaker', 'auth'),
    discovery('decision', 'Cookies, not headers', 'auth'),
    discovery('rule', 'Tokens are never logged', 'auth'),
    discovery('issue', 'Clocks differ', 'auth', { solution: 'Allow 30 seconds.' }),
    discovery('issue', 'It hangs', 'auth'),
    discovery('rule', 'A name is never empty', 'users'),
  ]);
  const { text, isLive } = await read(context(), AUTH);
  assert.equal(isLive, true);
  assert.equal(
    text.slice(text.indexOf('## Patterns')),
    `## Patterns (4)

- Use JWT tokens in httpOnly cookies
- Implement token refresh with mutex locks
- Wrap the client in a breaker (Session: f00dcafe)
- Cookies, not headers (Session: f00dcafe)

## Business Rules (2)

- Sessions end after 30 minutes, "always"
- Tokens are never logged (Session: f00dcafe)

## Common Issues (3)

### Refresh tokens race

**Solution:** Take the mutex first.  
**Discovered:** 2025-01-15T10:00:00Z (Session: abc12345)

### Clocks differ

**Solution:** Allow 30 seconds.  
**Discovered:** 2025-03-04T05:06:07Z (Session: f00dcafe)

### It hangs

**Solution:** not stated  
**Discovered:** 2025-03-04T05:06:07Z (Session: f00dcafe)

## Dependencies

users, größe & co
`,
  );
  const users = await read(context(), 'context://module/users');
  assert.match(
    users.text,
    /\n## Patterns \(0\)\n\n## Business Rules \(1\)\n\n- A name is never empty \(Session: f00dcafe\)\n\n## Common Issues \(0\)\n/,
  );
});

test('the overview counts them', async (t) => {
  const { context } = await discovered(t, SHOP, [
    ...Array.from({ length: 9 }, (_, n) => discovery('pattern', `Pattern ${n}`, 'auth')),
    discovery('issue', 'It hangs', 'größe & co'),
  ]);
  const { text, isLive } = await read(context(), OVERVIEW);
  assert.equal(isLive, true);
  assert.deepEqual(text.match(/\*\*(?:Patterns|Business Rules|Common Issues):\*\* \d+/g), [
    '**Patterns:** 11',
    '**Business Rules:** 1',
    '**Common Issues:** 1',
    '**Patterns:** 0',
    '**Business Rules:** 0',
    '**Common Issues:** 0',
    '**Patterns:** 0',
    '**Business Rules:** 0',
    '**Common Issues:** 1',
  ]);
});

test('what authors wrote is never taken for a place of ours', async (t) => {
  const fake = '## Patterns (9)\\n\\n- fake\\n\\n**Patterns:** 9\\n\\n## Business Rules (9)';
  const source = `version: "1.0"
project: { name: a }
modules:
  m: { description: "${fake}", patterns: ["${fake}"], keyFiles: [{ path: a.ts, description: "${fake}" }] }
`;
  const plain = (await discovered(t, source, [])).context();
  const laid = (
    await discovered(t, source, [discovery('pattern', 'Real', 'm'), discovery('rule', 'Also', 'm')])
  ).context();
  for (const [uri, changes] of [
    [
      'context://module/m',
      [
        ['## Patterns (1)\n', '## Patterns (2)\n'],
        [
          '\n\n## Business Rules (0)\n',
          '\n- Real (Session: f00dcafe)\n\n## Business Rules (1)\n\n- Also (Session: f00dcafe)\n',
        ],
      ],
    ],
    [OVERVIEW, [['**Patterns:** 1  \n**Business Rules:** 0', '**Patterns:** 2  \n**Business Rules:** 1']]],
  ] as const) {
    const before = (await read(plain, uri)).text;
    const expected = changes.reduce((text, [from, to]) => {
      assert.equal(text.split(from).length, 2, from);
      return text.replace(from, () => to);
    }, before);
    assert.equal((await read(laid, uri)).text, expected);
  }
});

test('a text that grows over its limit is served in pages that joined are the text', async (t) => {
  const contents = Array.from({ length: 300 }, (_, n) => `Pattern ${n} — ${'wörds "and" more '.repeat(n % 7)}x`);
  const { context } = await discovered(
    t,
    `${SHOP}limits: { module: 2KB, overview: 1KB }\n`,
    contents.map((content) => discovery('pattern', content, 'auth')),
  );
  const { text, pages } = await readAll(context(), AUTH);
  assert.ok(pages.length > 5);
  for (const page of pages) assert.ok(Buffer.byteLength(page.text) <= 2048 && page.isLive);
  assert.match(text, /\n## Patterns \(302\)\n/);
  for (const content of contents) assert.ok(text.includes(`\n- ${content} (Session: f00dcafe)\n`), content);
  assert.ok(text.endsWith('\n## Dependencies\n\nusers, größe & co\n'));
  const beyond = `${AUTH}?page=${pages.length + 1}`;
  await assert.rejects(
    async () => readResource(context(), beyond),
    (error: Failure) => {
      assert.equal(error.message, `Page not found: ${pages.length + 1}`);
      return error.detail.reason === `${AUTH} has ${pages.length} pages.`;
    },
  );
  const overview = await readAll(context(), OVERVIEW);
  assert.match(overview.text, /\*\*Patterns:\*\* 302/);
});

test('one that the module already holds is let go, whatever its case, spaces and last punctuation', async (t) => {
  const { context } = await discovered(t, SHOP, [
    discovery('decision', '  use jwt TOKENS in\n httpOnly   cookies!! ', 'auth'),
    discovery('pattern', 'Sessions end after 30 minutes, "always".', 'auth'),
    discovery('issue', 'Refresh tokens race.', 'auth'),
  ]);
  for (const uri of [AUTH, OVERVIEW, 'context://for/src/auth/index.ts']) {
    const { text, isLive } = await read(context(), uri);
    assert.equal(isLive, false, uri);
    assert.doesNotMatch(text, /f00dcafe/);
  }
  assert.match((await read(context(), 'context://discoveries')).text, /^# Discoveries \(3\)/);
  const other = await discovered(t, SHOP, [
    discovery('pattern', 'Use JWT tokens in httpOnly cookies', 'users'),
    discovery('pattern', 'Use JWT tokens in httpOnly cookies, never elsewhere', 'auth'),
  ]);
  assert.match((await read(other.context(), 'context://module/users')).text, /## Patterns \(1\)\n\n- Use JWT/);
  assert.match((await read(other.context(), AUTH)).text, /## Patterns \(3\)\n/);
});

test('without a module, or of one that the bundle does not have, it stands under discoveries only', async (t) => {
  const { context } = await discovered(t, SHOP, [
    discovery('rule', 'Everywhere the same'),
    discovery('rule', 'Of another project', 'billing'),
    discovery('rule', 'Of no name', '\ud800'),
  ]);
  assert.equal((await read(context(), OVERVIEW)).isLive, false);
  await assert.rejects(async () => readResource(context(), 'context://module/billing'), /Module not found: billing/);
  const { text } = await read(context(), 'context://discoveries');
  assert.match(text, /Of another project\n\n\*\*Module:\*\* billing/);
  assert.match(text, /Everywhere the same\n\n\*\*Module:\*\* None/);
});

test('the page for a file has them in the brief of its module; too many are counted', async (t) => {
  const file = 'context://for/src/auth/index.ts';
  const few = await discovered(t, SHOP, [
    discovery('rule', 'Tokens are never logged', 'auth'),
    discovery('issue', 'Clocks differ', 'auth', { solution: 'Allow 30 seconds.' }),
    discovery('decision', '- no list', 'auth'),
  ]);
  const { text, isLive } = await read(few.context(), file);
  assert.equal(isLive, true);
  assert.ok(
    text.includes(
      '### Business Rules (2)\n\n- Sessions end after 30 minutes, "always"\n- Tokens are never logged (Session: f00dcafe)\n',
    ),
  );
  assert.ok(text.includes('\n- \\- no list (Session: f00dcafe)\n'));
  assert.ok(
    text.includes(
      '- Refresh tokens race — Take the mutex first.\n- Clocks differ — Allow 30 seconds. (Session: f00dcafe)\n',
    ),
  );
  const many = Array.from({ length: 400 }, (_, n) =>
    discovery('pattern', `Pattern ${n} ${'words '.repeat(20)}`, 'auth'),
  );
  const notice =
    /\nIt has 1 business rules, 402 patterns, 1 common issues: too many for this page\. Read context:\/\/module\/auth\.\n/;
  const long = SHOP.replace('Authentication and', `${'Long words. '.repeat(100)} and`);
  for (const source of [SHOP, `${long}limits: { module: 1KB }\n`]) {
    const page = await read((await discovered(t, source, many)).context(), file);
    assert.match(page.text, notice);
    assert.equal(page.isLive, true);
  }
});

test('without discoveries a read asks nothing more and is made at once, and so is one after the first with some', async (t) => {
  const none = (await discovered(t, SHOP, [])).context();
  const forbidden = (): never => assert.fail('the store was asked for');
  const strict: Context = { ...none, live: { ...none.live, store: forbidden } };
  for (const uri of [AUTH, OVERVIEW]) {
    const answer = readResource(strict, uri);
    assert.ok(!(answer instanceof Promise) && answer.isLive === undefined, uri);
  }
  const forFile = await readResource(strict, 'context://for/src/auth/index.ts');
  assert.equal(forFile.isLive, undefined, 'its code is loaded, but nothing is asked of the store');
  const some = (await discovered(t, SHOP, [discovery('rule', 'Tokens are never logged', 'auth')])).context();
  assert.ok(readResource(some, AUTH) instanceof Promise);
  await readResource(some, AUTH);
  const answer = readResource(some, AUTH);
  assert.ok(!(answer instanceof Promise) && answer.isLive);
  const parts = (made: Answer): unknown => ('parts' in made ? made.parts[1] : undefined);
  assert.equal(parts(answer), parts(readResource(some, AUTH) as Answer), 'it is not made twice');
  const users = readResource(some, 'context://module/users');
  assert.ok(!(users instanceof Promise) && users.isLive === undefined, 'nothing live is in it');
});

test('a failing store leaves the bundle’s answers untouched and is logged once', async (t) => {
  const whole = (await discovered(t, SHOP, [])).context();
  const { root, logged, context } = await discovered(t, SHOP, []);
  mkdirSync(`${root}/.fieldguide`);
  symlinkSync('discoveries.journal', `${root}/.fieldguide/discoveries.journal`);
  const failing = context();
  for (const uri of [AUTH, OVERVIEW, AUTH, 'context://for/src/auth/index.ts'])
    assert.deepEqual(await read(failing, uri), await read(whole, uri));
  assert.deepEqual(logged, ['sessions: the journal cannot be used (ELOOP); serving without discoveries']);
  await assert.rejects(
    async () => readResource(failing, 'context://discoveries'),
    (error: Failure) => {
      assert.ok(error instanceof Failure);
      return error.kind === 'store';
    },
  );
});
