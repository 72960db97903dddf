// `group` in resources/list and resources/read: what the group's own client would see, in both eras.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Message, Served } from '../support/command.ts';
import { type AnyServed, onEveryMount } from '../support/mounts.ts';
import { bad, EVERYTHING, filesystem, logged, projectWith } from '../support/upstreams/project.ts';

for (const era of ['legacy', 'modern'] as const) {
  const ask = async (served: AnyServed, method: string, params: object): Promise<Message> =>
    await (era === 'modern' ? served.modern(method, params) : served.request(method, params));

  onEveryMount(`${era}: a list and a read are the server’s own`, async (t, serve) => {
    const served = new serve(t, ['--root', projectWith(t, { all: EVERYTHING })]);
    const { result } = await ask(served, 'resources/list', { group: 'all' });
    assert.deepEqual(result.resources[0], {
      uri: 'demo://resource/static/document/architecture.md',
      name: 'architecture.md',
      mimeType: 'text/markdown',
      description: 'Static document file exposed from /docs: architecture.md',
    });
    const read = await ask(served, 'resources/read', { group: 'all', uri: 'demo://resource/dynamic/text/7' });
    assert.deepEqual(Object.keys(read.result.contents[0]), ['uri', 'mimeType', 'text']);
    assert.equal(read.result.contents[0].uri, 'demo://resource/dynamic/text/7');
    assert.match(read.result.contents[0].text, /^Resource 7: /);
    const blob = await ask(served, 'resources/read', { group: 'all', uri: 'demo://resource/dynamic/blob/7' });
    assert.match(Buffer.from(blob.result.contents[0].blob, 'base64').toString(), /^Resource 7: /);
    for (const { result: stamped } of [{ result }, read]) {
      assert.equal(stamped.resultType, era === 'modern' ? 'complete' : undefined);
      assert.equal(stamped.ttlMs, era === 'modern' ? 0 : undefined);
    }
  });

  onEveryMount(`${era}: the cursor goes both ways, and fields that we do not know come through`, async (t, serve) => {
    const root = projectWith(t, { bad: bad('paged'), plain: bad('good'), lies: bad('lies') });
    const served = new serve(t, ['--root', root]);
    const first = await ask(served, 'resources/list', { group: 'bad' });
    assert.equal(first.result.nextCursor, '1');
    const second = await ask(served, 'resources/list', { group: 'bad', cursor: '1' });
    assert.equal(second.result.resources[0].uri, 'bad://page-1/0');
    assert.equal(
      (await ask(served, 'resources/list', { group: 'plain', cursor: 'any thing' })).result.seen,
      'any thing',
    );
    const lies = await ask(served, 'resources/list', { group: 'lies' });
    assert.equal(lies.result.extra, 'kept');
    assert.equal(lies.result._meta.mine, true);
    assert.equal(lies.result.resources.length, 10, 'untouched');
    assert.equal(lies.result.resources[1].description, null);
  });

  onEveryMount(`${era}: an error of the server keeps its code, message and data`, async (t, serve) => {
    const served = new serve(t, ['--root', projectWith(t, { bad: bad('wild-error') })]);
    const codes = [-32002, -32602, -32603, -1, 42, -32042, -32022];
    for (const code of codes) {
      for (const params of [{ group: 'bad', uri: `bad://${code}` }, { uri: `upstream://bad/bad://${code}` }]) {
        const { error } = await ask(served, 'resources/read', params);
        const expected = code === -32022 ? -32603 : code === -32002 && era === 'modern' ? -32602 : code;
        const data = { own: [1, 'zwei'], uri: `bad://${code}` };
        assert.deepEqual(error, { code: expected, message: `wild ${code}`, data });
      }
    }
    assert.equal((await ask(served, 'resources/read', { uri: 'context://project/overview' })).error, undefined);
  });

  onEveryMount(`${era}: the seed’s texts and codes`, async (t, serve) => {
    const root = projectWith(t, {
      fs: filesystem('data'),
      gone: { command: 'no-such-program-anywhere' },
      silent: { ...bad('hang-later'), timeout: '300ms' },
      none: { ...bad('good'), features: { resources: false } },
    });
    const served = new serve(t, ['--root', root]);
    const said = async (method: string, params: object): Promise<[number, string, string]> => {
      const { error } = await ask(served, `resources/${method}`, params);
      return [error.code, error.message, error.data.kind];
    };
    const uri = 'x://y';
    assert.deepEqual(
      [
        await said('list', { group: 'fs' }),
        await said('list', { group: 'nobody' }),
        await said('read', { group: 'nobody', uri }),
        await said('list', { group: 'gone' }),
        await said('read', { group: 'gone', uri }),
        await said('list', { group: 'silent' }),
        await said('list', { group: 'none' }),
        await said('read', { group: 'fs' }),
        await said('read', { group: 5, uri }),
        await said('list', { group: null }),
        await said('list', { group: 'fs', cursor: 5 }),
      ],
      [
        [-32601, 'Upstream server does not support resources', 'upstream_unsupported'],
        [-32603, 'Failed to list resources: Group not found: nobody', 'unknown_group'],
        [-32603, 'Failed to read resource: Group not found: nobody', 'unknown_group'],
        [-32603, 'Failed to list resources: Group gone is not connected', 'disconnected'],
        [-32603, 'Failed to read resource: Group gone is not connected', 'disconnected'],
        [-32603, 'Failed to list resources: Group silent did not answer within 300 ms', 'timeout'],
        [-32603, 'Failed to list resources: Group none does not serve this here', 'not_served'],
        [-32602, 'Missing required parameters: group, uri', 'invalid_params'],
        [-32602, 'Missing required parameters: group, uri', 'invalid_params'],
        [-32602, 'Missing required parameter: group', 'invalid_params'],
        [-32602, 'Invalid cursor', 'invalid_params'],
      ],
    );
  });
}

test('a read without params is told so', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, {})]);
  const { error } = await served.request('resources/read');
  assert.deepEqual([error.code, error.message], [-32602, 'Missing params object']);
  assert.equal((await served.request('resources/read', {})).error.message, 'Missing required parameter: uri');
});

test('what the globs of a group leave out is not listed and not read, and never asked for', async (t) => {
  const root = projectWith(t, {});
  const log = join(root, 'log');
  const one = projectWith(t, { bad: { ...bad('good', log), resources: ['bad://**', '!bad://secret/**'] } });
  const served = new Served(t, ['--root', one]);
  const { result } = await served.request('resources/list', { group: 'bad' });
  assert.deepEqual(result.resources, [{ uri: 'bad://a', name: 'A' }]);
  const all = await served.request('resources/list', { cursor: 'dXBzdHJlYW0g' });
  assert.deepEqual(
    all.result.resources.map(({ uri }: Message) => uri),
    ['upstream://bad', 'upstream://bad/bad://a'],
  );
  for (const uri of ['bad://secret/b', 'bad://%73ecret/b', 'BAD://secret/b', 'other://x']) {
    for (const params of [{ group: 'bad', uri }, { uri: `upstream://bad/${uri}` }]) {
      const { error } = await served.request('resources/read', params);
      assert.deepEqual([error?.code, error?.message], [-32003, 'Access denied'], uri);
    }
  }
  assert.deepEqual(
    logged(log).filter((line) => line.startsWith('resources/read')),
    [],
  );
});
