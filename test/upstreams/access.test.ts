// Who may not read a resource of another server does not see it, however it is spelt, and nothing of it is asked for.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Access } from '../../runtime/access.ts';
import { answerValue } from '../../runtime/answer.ts';
import type { Context } from '../../runtime/context.ts';
import { CurrentBundle } from '../../runtime/current.ts';
import { compileGlob } from '../../runtime/glob.ts';
import { liveOf } from '../../runtime/live.ts';
import { Mapper } from '../../runtime/map.ts';
import { endUpstreams, upstreamsDoor } from '../../runtime/upstreams/door.ts';
import { dispatch } from '../../runtime/wire/dispatch.ts';
import type { Message } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bad, EVERYTHING, FROM_UPSTREAMS, logged, projectWith } from '../support/upstreams/project.ts';

type Ask = (method: string, params: object) => Promise<Message>;

function asking(t: TestContext, root: string, access: Access): Ask {
  const context: Context = {
    bundle: new CurrentBundle({ path: `${root}/dist-index`, mapper: new Mapper('auto'), log: () => {} }),
    access,
    live: liveOf(root, {}),
    notices: {},
    roots: () => [root],
    upstreams: upstreamsDoor(root, process.env, false),
    log: () => {},
  };
  t.after(() => endUpstreams(context.upstreams));
  return async (method, params) => {
    const outcome = await dispatch(context, { id: 1, method, params: { ...params } });
    return 'answer' in outcome ? answerValue(outcome.answer) : { error: outcome.error };
  };
}

/** Globs as an agent has them: the last that matches counts. */
function agent(...globs: string[]): Access {
  const rules = globs.map((glob) => ({ isDenied: glob.startsWith('!'), glob: compileGlob(glob.replace(/^!/, '')) }));
  return { everything: false, may: (uri) => rules.findLast(({ glob }) => glob.matches(uri))?.isDenied === false };
}

test('what an agent may not read is not listed, not read and not asked for', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: { ...bad('good', log), features: { tools: true } }, other: bad('good') });
  const ask = asking(t, root, agent('context://**', 'upstream://bad/**', '!upstream://bad/bad://secret/**'));
  const { resources } = await ask('resources/list', { cursor: FROM_UPSTREAMS });
  assert.deepEqual(
    resources.map(({ uri }: Message) => uri),
    ['upstream://bad', 'upstream://bad/bad://a'],
  );
  const byGroup = await ask('resources/list', { group: 'bad' });
  assert.deepEqual(byGroup.resources, [{ uri: 'bad://a', name: 'A' }]);
  for (const group of ['other', 'none']) {
    assert.equal(
      (await ask('resources/list', { group })).error.message,
      `Failed to list resources: Group not found: ${group}`,
    );
  }
  const spellings = ['bad://secret/b', 'bad://%73ecret/b', 'BAD://secret/b', 'bad://secret%2Fb', 'bad://secret/none'];
  for (const uri of spellings) {
    for (const params of [{ uri: `upstream://bad/${uri}` }, { group: 'bad', uri }]) {
      assert.equal((await ask('resources/read', params)).error?.message, 'Access denied', uri);
    }
  }
  assert.ok(!logged(log).some((line) => line.startsWith('resources/read')));
  assert.equal((await ask('resources/read', { uri: 'upstream://bad/bad://a' })).contents.length, 1);
});

test('a group that an agent may not know of answers as one that there is not', async (t) => {
  const root = projectWith(t, { bad: { ...bad('good'), features: { tools: true, prompts: true } } });
  const ask = asking(t, root, agent('context://**'));
  const denied = await ask('resources/read', { uri: 'upstream://bad/bad://a' });
  const absent = await ask('resources/read', { uri: 'upstream://none/bad://a' });
  assert.deepEqual({ ...denied.error.data, uri: '', resource: '' }, { ...absent.error.data, uri: '', resource: '' });
  assert.equal((await ask('resources/read', { uri: 'upstream://bad' })).error.message, 'Access denied');
  assert.deepEqual((await ask('resources/list', { cursor: FROM_UPSTREAMS })).resources, []);
  assert.deepEqual((await ask('resources/templates/list', { cursor: FROM_UPSTREAMS })).resourceTemplates, []);
  assert.deepEqual((await ask('tools/list', { cursor: FROM_UPSTREAMS })).tools, []);
  assert.equal((await ask('tools/call', { name: 'bad__tell' })).error.message, 'Unknown tool: bad__tell');
  assert.equal((await ask('prompts/get', { name: 'bad__x' })).error.message, 'Unknown prompt: bad__x');
  const ref = { type: 'ref/resource', uri: 'upstream://bad/bad://{id}' };
  const known = await ask('completion/complete', { ref, argument: { name: 'id', value: '' } });
  assert.equal(known.error.data.kind, 'unknown_group');
});

test('a value that leads to what an agent may not read is not completed', async (t) => {
  const root = projectWith(t, { all: EVERYTHING });
  const ask = asking(t, root, agent('upstream://all', 'upstream://all/demo://resource/dynamic/text/3'));
  const ref = { type: 'ref/resource', uri: 'upstream://all/demo://resource/dynamic/text/{resourceId}' };
  const values = async (value: string): Promise<string[]> =>
    (await ask('completion/complete', { ref, argument: { name: 'resourceId', value } })).completion.values;
  assert.deepEqual([await values('3'), await values('4')], [['3'], []]);
});
