// Aliases and the seam of access, the ways in beside resources/read, crafted bundles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Access, LOCAL_USER } from '../../runtime/access.ts';
import { answerValue } from '../../runtime/answer.ts';
import { CurrentBundle } from '../../runtime/current.ts';
import { liveOf } from '../../runtime/live.ts';
import { Mapper } from '../../runtime/map.ts';
import { dispatch } from '../../runtime/wire/dispatch.ts';
import type { Call, Peer } from '../../runtime/wire/peer.ts';
import { ENVELOPE, type Message, run } from '../support/command.ts';
import { crafted } from '../support/crafted.ts';
import { builtShop, publish } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';

const ALIASED = `${SHOP}aliases: { "old://start": context://project/overview, "old://parts/{name}": "context://module/{name}" }\n`;

async function ask(root: string, access: Access, method: string, params: object, call?: Call): Promise<Message> {
  const bundle = new CurrentBundle({ path: `${root}/dist-index`, mapper: new Mapper('auto'), log: () => {} });
  const context = { bundle, access, live: liveOf('/nowhere', {}), notices: {}, roots: () => ['/'], log: () => {} };
  const outcome = await dispatch(context, { id: 1, method, params: { ...params } }, call);
  return 'answer' in outcome ? answerValue(outcome.answer) : outcome.error;
}

test('read_resource and fieldguide read know aliases, too', async (t) => {
  const root = builtShop(t, ALIASED);
  const { stdout, code } = run(['read', 'old://parts/auth', '--root', root]);
  assert.deepEqual([code, stdout.split('\n')[0]], [0, '# Module: auth']);
  const params = { name: 'read_resource', arguments: { uri: 'old://parts/auth' } };
  const { content } = await ask(root, LOCAL_USER, 'tools/call', params);
  assert.match(content[0].text, /^# Module: auth\n/);
});

test('for who may not read what an alias stands for, there is no alias', async (t) => {
  const root = builtShop(t, ALIASED);
  const access: Access = { everything: false, may: (uri) => uri !== 'context://module/auth' };
  const withoutUri = ({ code, message, data }: Message): object => ({
    code,
    message,
    data: { ...data, uri: '', resource: '' },
  });
  const denied = await ask(root, access, 'resources/read', { uri: 'old://parts/auth' });
  const absent = await ask(root, access, 'resources/read', { uri: 'old://pieces/auth' });
  assert.deepEqual(withoutUri(denied), withoutUri(absent));
  assert.equal(denied.message, 'Invalid URI scheme');
  assert.ok((await ask(root, access, 'resources/read', { uri: 'old://parts/users' })).contents);
  for (const uri of ['old://parts/auth', 'old://parts/%61uth']) {
    const peer: Peer = {
      capabilities: {},
      subscriptions: undefined,
      notify: () => assert.fail('nothing is told'),
      request: () => assert.fail('nothing is asked'),
    };
    const params = { notifications: { resourceSubscriptions: [uri] }, _meta: ENVELOPE };
    const refused = await ask(root, access, 'subscriptions/listen', params, { id: 1, peer, onCancel: () => {} });
    assert.equal(refused.message, 'Invalid URI scheme', uri);
  }
});

test('aliases that are none, in a bundle from somebody else, are damage', async (t) => {
  const root = builtShop(t);
  for (const aliases of ['{}', '[1]', '[["old://a"]]', '[["old://a",5]]', '"old://a"']) {
    publish(root, crafted({ settings: `{"aliases":${aliases}}` }));
    const error = await ask(root, LOCAL_USER, 'resources/read', { uri: 'old://a' });
    assert.deepEqual([error.code, error.data.kind], [-32603, 'damaged'], aliases);
  }
  publish(root, crafted({ settings: '{"aliases":[["old://a","old://a"],["old://b","file://../../etc/passwd"]]}' }));
  for (const [uri, message] of [
    ['old://a', 'Invalid URI scheme'],
    ['old://b', 'Invalid URI'],
  ]) {
    const error = await ask(root, LOCAL_USER, 'resources/read', { uri });
    assert.equal(error.message, message);
  }
});
