// Servers that do what no server should: what a client sees of each, and that our own answers never notice.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Message, Served } from '../support/command.ts';
import { OVERVIEW } from '../support/served.ts';
import { until } from '../support/until.ts';
import { bad, FROM_UPSTREAMS, logged, projectWith } from '../support/upstreams/project.ts';

const MOST_BYTES = 256 * 1024;

type Seen = { served: Served; error: Message; log: string; health: string };

/** Reads a resource of a server that is bad in one way, and looks after that at everything else. */
async function meet(t: TestContext, mode: string, uri = 'bad://a', more: object = {}): Promise<Seen> {
  const log = join(projectWith(t, {}), 'log');
  const root = projectWith(t, {
    bad: { ...bad(mode, log), timeout: '700ms', maxSize: MOST_BYTES, ...more },
    good: bad('good'),
  });
  const served = new Served(t, ['--root', root]);
  const asked = served.request('resources/read', { uri: `upstream://bad/${uri}` });
  const own = await served.request('resources/read', { uri: OVERVIEW });
  assert.match(own.result.contents[0].text, /^# Project: Up/, 'our own answer does not wait');
  const { error } = await asked;
  const good = await served.request('resources/read', { uri: 'upstream://good/bad://a' });
  assert.equal(good.result.contents[0].text, 'text of bad://a', 'its neighbour is well');
  const page = await served.request('resources/read', { uri: 'upstream://bad' });
  const health: string = page.result.contents[0].text;
  const uris: string[] = [];
  for (let cursor: string | undefined = FROM_UPSTREAMS; cursor !== undefined; ) {
    const { result }: Message = await served.request('resources/list', { cursor });
    uris.push(...result.resources.map((one: Message) => one.uri));
    cursor = result.nextCursor;
  }
  assert.ok(uris.includes('upstream://bad') && uris.includes('upstream://good/bad://a'), `${mode}: ${uris}`);
  for (const message of served.messages) {
    assert.doesNotMatch(
      JSON.stringify(message),
      /on stderr|bad-server|\/tmp\//,
      'nothing of the machine, nothing of stderr',
    );
  }
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${served.child.pid}/status`, 'utf8');
    const memory = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
    assert.ok(memory < 400 * 1024, `${mode}: ${memory} KB`);
  }
  return { served, error, log, health };
}

test('a server that hangs costs its time, and is then left alone for a while', async (t) => {
  const { served, error, health } = await meet(t, 'hang');
  assert.deepEqual([error.code, error.data.kind], [-32603, 'timeout']);
  assert.equal(error.message, 'Failed to read resource: Group bad did not answer within 700 ms');
  assert.match(health, /\*\*Status:\*\* failing/);
  const later: Message[] = [];
  for (let n = 0; n < 4; n++) later.push(await served.request('resources/read', { uri: 'upstream://bad/bad://a' }));
  assert.match(later.at(-1).error.data.reason, /tried again in a while/);
});

test('a server that hangs after its handshake fails by kind, not by connection', async (t) => {
  const { error } = await meet(t, 'hang-later');
  assert.equal(error.data.kind, 'timeout');
});

test('noise on stdout is passed over, and what is meant is answered', async (t) => {
  const { error, health } = await meet(t, 'garbage');
  assert.equal(error, undefined);
  assert.match(health, /\*\*Status:\*\* connected/);
});

test('an answer under another id is nobody’s', async (t) => {
  const { error } = await meet(t, 'wrong-id');
  assert.equal(error.data.kind, 'timeout');
});

test('an answer that is too large is refused alone', async (t) => {
  const { served, error, log } = await meet(t, 'huge-first', 'bad://huge');
  assert.deepEqual([error.code, error.data.kind], [-32603, 'too_large']);
  assert.match(error.data.reason, /262144 bytes/);
  const next = await served.request('resources/read', { uri: 'upstream://bad/bad://small' });
  assert.equal(next.result.contents[0].text, 'text of bad://small');
  assert.equal(logged(log).filter((line) => line.startsWith('start')).length, 1, 'by the same process');
});

test('a line without an end ends the connection', async (t) => {
  const { error } = await meet(t, 'endless-line', 'bad://a', { timeout: '5s' });
  assert.match(error.data.reason, /without an end/);
});

test('a server that dies says so, and is started again for who asks next', async (t) => {
  const { served, error, log } = await meet(t, 'crash-once', 'bad://crash');
  assert.equal(error.data.reason, 'It ended with code 7.');
  assert.match(served.stderr, /a secret of crash-once on stderr/, 'its last words are in our log');
  await until(async () => {
    const next = await served.request('resources/read', { uri: 'upstream://bad/bad://a' });
    return next.result?.contents[0].text === 'text of bad://a';
  });
  assert.ok(logged(log).filter((line) => line.startsWith('start')).length >= 2);
});

test('a server that dies at its start says so', async (t) => {
  const { error, health } = await meet(t, 'crash-start');
  assert.deepEqual(
    [error.message, error.data.reason],
    ['Failed to read resource: Group bad is not connected', 'It ended with code 3.'],
  );
  assert.match(health, /\*\*Why:\*\* It ended with code 3\./);
});

test('a server that never stops talking is cut off', async (t) => {
  const { served } = await meet(t, 'flood');
  const answers: Message[] = [];
  for (let n = 0; n < 6; n++)
    answers.push(await served.request('resources/read', { uri: `upstream://bad/bad://${n}` }));
  const reasons = [...answers.map(({ error }) => error?.data.reason), served.stderr].join('\n');
  assert.match(reasons, /more than 500 messages within a second/);
});

test('an answer that drips has the time of any other', async (t) => {
  const { error } = await meet(t, 'drip');
  assert.equal(error.data.kind, 'timeout');
});

test('a list that never ends is given page by page, and ends', async (t) => {
  const root = projectWith(t, { bad: bad('endless'), same: bad('same-cursor') });
  const served = new Served(t, ['--root', root]);
  const uris: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined = FROM_UPSTREAMS; cursor !== undefined; pages++) {
    const { result }: Message = await served.request('resources/list', { cursor });
    uris.push(...result.resources.map((one: Message) => one.uri));
    cursor = result.nextCursor;
  }
  assert.equal(uris.filter((uri) => uri.startsWith('upstream://bad/')).length, 1500);
  assert.equal(uris.filter((uri) => uri.startsWith('upstream://same/')).length, 2);
  assert.ok(pages < 10, `${pages} pages`);
});

test('lies: an answer for another URI is refused, and an entry that would break a client is mended or left out', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('lies') })]);
  for (const params of [{ uri: 'upstream://bad/bad://asked' }, { group: 'bad', uri: 'bad://asked' }]) {
    const { error } = await served.request('resources/read', params);
    assert.deepEqual([error.code, error.data.kind], [-32603, 'wrong_answer']);
    assert.equal(error.data.reason, 'It answered for another URI than was asked for.');
  }
  const same = await served.request('resources/read', { uri: 'upstream://bad/bad://same' });
  assert.equal(same.result.contents[0].uri, 'upstream://bad/bad://same', 'spelt otherwise it is the same');
  const { result } = await served.request('resources/list', { cursor: FROM_UPSTREAMS });
  assert.deepEqual(result.resources.slice(1), [
    {
      uri: 'upstream://bad/bad://fine',
      name: 'Fine',
      title: 'A title',
      _meta: { own: 1, 'fieldguide/upstream': { group: 'bad', uri: 'bad://fine' } },
    },
    {
      uri: 'upstream://bad/bad://mended',
      name: 'bad://mended',
      _meta: { 'fieldguide/upstream': { group: 'bad', uri: 'bad://mended' } },
    },
    {
      uri: 'upstream://bad/bad://100%?a=b#c ü',
      name: 'Odd',
      _meta: { 'fieldguide/upstream': { group: 'bad', uri: 'bad://100%?a=b#c ü' } },
    },
  ]);
});

test('what a folder holds comes back under URIs of ours', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('good') })]);
  const { result } = await served.request('resources/read', { uri: 'upstream://bad/bad://folder' });
  assert.deepEqual(
    result.contents.map((one: Message) => [one.uri, one.text]),
    [
      ['upstream://bad/bad://folder/1', 'one'],
      ['upstream://bad/bad://folder/2', 'two'],
    ],
  );
});

test('more requests than a group may have under way wait, and beyond that are refused at once', async (t) => {
  const root = projectWith(t, { bad: { ...bad('hang-later'), timeout: '700ms' } });
  const served = new Served(t, ['--root', root]);
  const asked = Array.from({ length: 120 }, (_, n) =>
    served.request('resources/read', { uri: `upstream://bad/bad://${n}` }),
  );
  const own = await served.request('resources/read', { uri: OVERVIEW });
  assert.ok(own.result);
  const kinds = (await Promise.all(asked)).map(({ error }) => error.data.kind);
  assert.ok(kinds.filter((kind) => kind === 'busy').length >= 30, kinds.join(' '));
});

test('an agent’s list of all is whole while three groups are bad, and says of each why', async (t) => {
  const root = projectWith(t, {
    hangs: { ...bad('hang'), timeout: '500ms' },
    crashes: bad('crash-start'),
    absent: { command: 'no-such-program-anywhere' },
    good: bad('good'),
  });
  const served = new Served(t, ['--root', root]);
  const first = await served.request('resources/list');
  assert.equal(first.result.resources[0].uri, OVERVIEW);
  assert.equal(first.result.nextCursor, FROM_UPSTREAMS);
  const { result } = await served.request('resources/list', { cursor: first.result.nextCursor });
  assert.deepEqual(
    result.resources.map((one: Message) => [one.uri, /Not available: (.*)/.exec(one.description)?.[1]]),
    [
      ['upstream://hangs', 'It did not answer within 500 ms.'],
      ['upstream://crashes', 'It ended with code 3.'],
      ['upstream://absent', 'It could not be started (ENOENT).'],
      ['upstream://good', undefined],
      ['upstream://good/bad://a', undefined],
      ['upstream://good/bad://secret/b', undefined],
    ],
  );
});
