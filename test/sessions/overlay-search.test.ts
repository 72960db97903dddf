// A search finds what was discovered by its words, beside what the bundle holds; and who may not read a module
// learns nothing of what was discovered about it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Access } from '../../runtime/access.ts';
import { answerValue } from '../../runtime/answer.ts';
import type { Context } from '../../runtime/context.ts';
import { readResource } from '../../runtime/router.ts';
import { searchDescribed } from '../../runtime/search/described.ts';
import type { Discovery } from '../../runtime/sessions/store.ts';
import { discovered, discovery } from '../support/discovered.ts';
import { OVERVIEW } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';

const ALL: readonly Discovery[] = [
  discovery('pattern', 'Wrap the `paymentClient` in a circuit breaker', 'auth'),
  discovery('issue', 'Clocks drift', 'users', { solution: 'Allow a leeway of thirty seconds.' }),
  discovery('rule', 'Leeway is never more than a minute'),
  discovery('decision', 'Breakers open for a minute', 'billing'),
  discovery('pattern', 'Use JWT tokens in httpOnly cookies.', 'auth'),
];

const DENIES_AUTH: Access = { everything: false, may: (uri) => uri !== 'context://module/auth' };

async function found(context: Context, query: string, limit = 10): Promise<{ uris: string[]; total: number }> {
  const { results, total } = await searchDescribed(context, query, undefined, limit);
  return { uris: results.map(({ uri, heading }) => `${uri}${heading === undefined ? '' : ` ${heading}`}`), total };
}

async function textOf(context: Context, uri: string): Promise<string> {
  return (answerValue(await readResource(context, uri)).contents as [{ text: string }])[0].text;
}

test('a discovery is found by its words, with its module’s page, its type and what matched', async (t) => {
  const context = (await discovered(t, SHOP, ALL)).context();
  const { results, total, corrected } = await searchDescribed(context, 'circuit breaker', undefined, 10);
  assert.deepEqual(corrected, []);
  assert.equal(total, 2);
  assert.deepEqual(results[0], {
    title: 'Module: auth',
    size: results[0]?.size,
    uri: 'context://module/auth',
    heading: 'Pattern (Session: f00dcafe)',
    snippet: 'Wrap the paymentClient in a circuit breaker',
    words: ['circuit', 'breaker'],
  });
  assert.deepEqual([results[1]?.uri, results[1]?.title], ['context://discoveries', 'Discoveries']);
  for (const [query, first] of [
    ['leeway thirty', 'context://module/users Issue (Session: f00dcafe)'],
    ['leeway', 'context://discoveries Rule (Session: f00dcafe)'],
    ['paymentClient', 'context://module/auth Pattern (Session: f00dcafe)'],
    ['payment', 'context://module/auth Pattern (Session: f00dcafe)'],
    ['paym', 'context://module/auth Pattern (Session: f00dcafe)'],
    ['drifting clock', 'context://module/users Issue (Session: f00dcafe)'],
  ] as const)
    assert.equal((await found(context, query)).uris[0], first, query);
});

test('results of both are one list: counted, bounded, the same each time', async (t) => {
  const context = (await discovered(t, SHOP, ALL)).context();
  const without = (await discovered(t, SHOP, [])).context();
  const query = 'minute breaker tokens';
  const all = await found(context, query);
  const bundled = await found(without, query);
  assert.ok(bundled.total > 0);
  assert.equal(all.total, bundled.total + 3, 'one that the bundle holds is not found twice');
  assert.equal(all.uris.length, all.total);
  assert.deepEqual(await found(context, query), all);
  assert.deepEqual(await found(context, query, 2), { uris: all.uris.slice(0, 2), total: all.total });
  const { total } = await searchDescribed(context, query, 'guide', 10);
  assert.equal(total, (await searchDescribed(without, query, 'guide', 10)).total);
  const most = Array.from({ length: 2000 }, (_, n) => discovery('rule', `Minute ${n} of a breaker`, 'auth'));
  const many = await found((await discovered(t, SHOP, most)).context(), 'minute', 5);
  assert.deepEqual([many.uris.length, many.total], [5, (await found(without, 'minute')).total + 2000]);
});

test('a title still comes first, and a word that only a discovery has is not corrected', async (t) => {
  const context = (
    await discovered(t, SHOP, [
      discovery('rule', 'About auth and more', 'users'),
      discovery('rule', 'Minutez are hours', 'auth'),
    ])
  ).context();
  assert.equal((await found(context, 'auth')).uris[0], 'context://module/auth');
  assert.deepEqual((await searchDescribed(context, 'minutez', undefined, 10)).corrected, []);
  const without = (await discovered(t, SHOP, [])).context();
  const [slip] = (await searchDescribed(without, 'minutez', undefined, 10)).corrected;
  assert.deepEqual(slip, { asked: 'minutez', used: 'minutes' });
});

test('an agent gets what it would get if what it may not see had never been discovered', async (t) => {
  const allowed = ALL.filter(({ module }) => module !== 'auth');
  const denied = (await discovered(t, SHOP, ALL)).context(DENIES_AUTH);
  const never = (await discovered(t, SHOP, allowed)).context(DENIES_AUTH);
  for (const query of ['circuit breaker', 'paymentClient', 'tokens', 'minute', 'paym'])
    assert.deepEqual(
      await searchDescribed(denied, query, undefined, 10),
      await searchDescribed(never, query, undefined, 10),
      query,
    );
  for (const uri of [
    OVERVIEW,
    'context://discoveries',
    'context://discoveries?module=auth',
    'context://for/src/auth/index.ts',
  ])
    assert.equal(await textOf(denied, uri), await textOf(never, uri), uri);
  assert.match(await textOf(denied, 'context://discoveries'), /^# Discoveries \(3\)\n/);
  await assert.rejects(async () => readResource(denied, 'context://module/auth'), /Access denied/);
});

test('who may not read context://discoveries finds only what a module’s page shows', async (t) => {
  const access: Access = { everything: false, may: (uri) => uri !== 'context://discoveries' };
  const context = (await discovered(t, SHOP, ALL)).context(access);
  assert.deepEqual(await found(context, 'leeway'), {
    uris: ['context://module/users Issue (Session: f00dcafe)'],
    total: 1,
  });
  await assert.rejects(async () => readResource(context, 'context://discoveries'), /Access denied/);
});
