// The seam: every list, read and look-up asks `may`, and what is denied leaves no trace.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Access } from '../../runtime/access.ts';
import { answerValue } from '../../runtime/answer.ts';
import type { Context } from '../../runtime/context.ts';
import { CurrentBundle } from '../../runtime/current.ts';
import { liveOf } from '../../runtime/live.ts';
import { Mapper } from '../../runtime/map.ts';
import { dispatch } from '../../runtime/wire/dispatch.ts';
import type { Message } from '../support/command.ts';
import { builtShop, LIVE_URIS, OVERVIEW } from '../support/served.ts';

async function ask(t: TestContext, access: Access, method: string, params: object): Promise<Message> {
  const path = `${builtShop(t)}/dist-index`;
  const bundle = new CurrentBundle({ path, mapper: new Mapper('auto'), log: () => {} });
  const context: Context = {
    bundle,
    access,
    live: liveOf('/nowhere', {}),
    notices: {},
    roots: () => ['/'],
    log: () => {},
  };
  const outcome = await dispatch(context, { id: 1, method, params: { ...params } });
  return 'answer' in outcome ? answerValue(outcome.answer) : outcome.error;
}

const DENIES_AUTH: Access = { everything: false, may: (uri) => uri !== 'context://module/auth' };

test('what may not be read is not listed', async (t) => {
  const { resources } = await ask(t, DENIES_AUTH, 'resources/list', {});
  assert.deepEqual(
    resources.map(({ uri }: Message) => uri),
    [OVERVIEW, 'context://module/users', 'context://module/gr%C3%B6%C3%9Fe%20%26%20co', ...LIVE_URIS],
  );
});

test('what may not be read answers the same whether it is there or not, and is not suggested', async (t) => {
  const deny = (...denied: string[]): Access => ({ everything: false, may: (uri) => !denied.includes(uri) });
  const there = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/auth' });
  const absent = await ask(t, deny('context://module/hidd'), 'resources/read', { uri: 'context://module/hidd' });
  assert.deepEqual([there.code, there.message, there.data.kind], [-32003, 'Access denied', 'access_denied']);
  assert.deepEqual(JSON.parse(JSON.stringify(absent).replaceAll('hidd', 'auth')), there);
  const spelt = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/%61uth' });
  assert.deepEqual([spelt.code, spelt.message], [there.code, there.message]);
  const slip = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/auht' });
  assert.equal(slip.message, 'Module not found: auht');
  assert.doesNotMatch(slip.data.hint, /auth"/);
  const paged = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/auth?page=7' });
  assert.equal(paged.message, 'Access denied');
});

test('an agent that may read nothing gets an empty list', async (t) => {
  const { resources } = await ask(t, { everything: false, may: () => false }, 'resources/list', {});
  assert.deepEqual(resources, []);
});
