// Prompts and the seam of access, old bundles, crafted ones.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Access, LOCAL_USER } from '../../runtime/access.ts';
import { answerValue } from '../../runtime/answer.ts';
import { CurrentBundle } from '../../runtime/current.ts';
import { liveOf } from '../../runtime/live.ts';
import { Mapper } from '../../runtime/map.ts';
import { dispatch } from '../../runtime/wire/dispatch.ts';
import type { Message } from '../support/command.ts';
import { crafted } from '../support/crafted.ts';
import { builtShop, publish } from '../support/served.ts';

async function ask(root: string, access: Access, method: string, params: object = {}): Promise<Message> {
  const bundle = new CurrentBundle({ path: `${root}/dist-index`, mapper: new Mapper('auto'), log: () => {} });
  const context = { bundle, access, live: liveOf('/nowhere', {}), notices: {}, roots: () => ['/'], log: () => {} };
  const outcome = await dispatch(context, { id: 1, method, params: { ...params } });
  return 'answer' in outcome ? answerValue(outcome.answer) : outcome.error;
}

test('a prompt that may not be seen is as good as not there', async (t) => {
  const root = builtShop(t);
  const access: Access = { everything: false, may: (uri) => uri !== 'prompt/discover-mcp' };
  const { prompts } = await ask(root, access, 'prompts/list');
  assert.deepEqual(
    prompts.map(({ name }: Message) => name),
    ['getting-started'],
  );
  const denied = await ask(root, access, 'prompts/get', { name: 'discover-mcp' });
  const absent = await ask(root, access, 'prompts/get', { name: 'discover-xyz' });
  assert.deepEqual([denied.code, denied.message], [-32602, 'Unknown prompt: discover-mcp']);
  assert.deepEqual(denied.data, absent.data);
  const slip = await ask(root, access, 'prompts/get', { name: 'discover-mpc' });
  assert.doesNotMatch(slip.data.hint, /discover-mcp/);
  const ref = { type: 'ref/prompt', name: 'discover-mcp' };
  const complete = { ref, argument: { name: 'module', value: '' } };
  assert.equal((await ask(root, access, 'completion/complete', complete)).message, 'Unknown prompt: discover-mcp');
});

test('a bundle made before there were prompts has none', async (t) => {
  const root = builtShop(t);
  publish(root, readFileSync(join(import.meta.dirname, '../fixtures/golden/1.0.fgb')));
  assert.deepEqual(await ask(root, LOCAL_USER, 'prompts/list'), { prompts: [] });
  assert.equal((await ask(root, LOCAL_USER, 'prompts/get', { name: 'discover-mcp' })).code, -32602);
});

test('a crafted list of prompts is damage, not an answer', async (t) => {
  const root = builtShop(t);
  for (const text of [
    'nonsense',
    '[]',
    'null',
    '{"prompts":{}}',
    '{"prompts":[],"embeds":[null]}',
    '{"prompts":[],"embeds":5}',
  ]) {
    publish(root, crafted({ prompts: text }));
    for (const method of ['prompts/list', 'prompts/get']) {
      const error = await ask(root, LOCAL_USER, method, { name: 'a' });
      assert.deepEqual([error.code, error.data.kind], [-32603, 'damaged'], text);
    }
  }
  publish(root, crafted({ prompts: '{"prompts":[{"name":"a"}]}' }));
  const error = await ask(root, LOCAL_USER, 'prompts/get', { name: 'a' });
  assert.deepEqual([error.code, error.data.kind], [-32603, 'damaged'], 'listed, but without a text');
});
