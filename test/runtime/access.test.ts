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

test('what may not be read answers as if it were not there, and is not suggested', async (t) => {
  const denied = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/auth' });
  const spelt = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/%61uth' });
  const absent = await ask(t, { everything: false, may: () => false }, 'resources/read', {
    uri: 'context://module/nope',
  });
  assert.deepEqual([denied.code, denied.message], [-32602, 'Module not found: auth']);
  assert.deepEqual([spelt.code, spelt.message], [denied.code, denied.message]);
  assert.deepEqual(Object.keys(absent.data), Object.keys(denied.data));
  const slip = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/auht' });
  assert.doesNotMatch(slip.data.hint, /auth"/);
  const paged = await ask(t, DENIES_AUTH, 'resources/read', { uri: 'context://module/auth?page=7' });
  assert.equal(paged.message, 'Module not found: auth');
});

test('an agent that may read nothing gets an empty list', async (t) => {
  const { resources } = await ask(t, { everything: false, may: () => false }, 'resources/list', {});
  assert.deepEqual(resources, []);
});
