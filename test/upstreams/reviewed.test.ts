// What a second look at other servers found: traces of them where an agent may see none, answers kept past a change,
// servers that hang for ever, and subscriptions that a new bundle forgot.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
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
import { type Message, run, Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { bad, FROM_UPSTREAMS, logged, projectWith } from '../support/upstreams/project.ts';

const A = 'upstream://bad/bad://a';

type Ask = (method: string, params: object) => Promise<Message>;

/** Globs as an agent has them: the last that matches counts. */
function askingAs(t: TestContext, root: string, ...globs: string[]): Ask {
  const rules = globs.map((glob) => ({ isDenied: glob.startsWith('!'), glob: compileGlob(glob.replace(/^!/, '')) }));
  const may: Access['may'] = (uri) => rules.findLast(({ glob }) => glob.matches(uri))?.isDenied === false;
  const context: Context = {
    bundle: new CurrentBundle({ path: `${root}/dist-index`, mapper: new Mapper('auto'), log: () => {} }),
    access: { everything: false, may },
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

test('a server that answers its list with an error has one entry, which says so, for those who may know of it', async (t) => {
  const root = projectWith(t, { bad: bad('list-error') });
  const served = new Served(t, ['--root', root]);
  const { result } = await served.request('resources/list', { cursor: FROM_UPSTREAMS });
  assert.deepEqual(
    result.resources.map(({ uri }: Message) => uri),
    ['upstream://bad'],
  );
  assert.match(result.resources[0].description, /Not available: It answered with an error\./);
  const ask = askingAs(t, root, 'context://**');
  assert.deepEqual((await ask('resources/list', { cursor: FROM_UPSTREAMS })).resources, []);
});

test('of what a folder holds an agent gets only what it may read', async (t) => {
  const root = projectWith(t, { bad: bad('good') });
  const ask = askingAs(t, root, 'upstream://bad/**', '!upstream://bad/bad://folder/2');
  for (const params of [{ uri: 'upstream://bad/bad://folder' }, { group: 'bad', uri: 'bad://folder' }]) {
    const { contents } = await ask('resources/read', params);
    assert.deepEqual(
      contents.map(({ text }: Message) => text),
      ['one'],
    );
  }
  const none = askingAs(t, root, 'upstream://bad/**', '!upstream://bad/bad://folder/*');
  const { error } = await none('resources/read', { uri: 'upstream://bad/bad://folder' });
  assert.equal(error.message, 'Access denied');
});

test('arguments of a prompt that an agent may not use are not completed', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: { ...bad('good', log), features: { prompts: true } } });
  const ask = askingAs(t, root, 'upstream://bad/**', 'prompt/**', '!prompt/bad__hidden');
  const complete = async (name: string): Promise<Message> =>
    await ask('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'x', value: '' } });
  assert.equal((await complete('bad__shown')).error.message, 'Method not found', 'as the server says');
  assert.equal((await complete('bad__hidden')).error.message, 'Failed to complete: Group not found: bad');
  assert.equal(logged(log).filter((line) => line.startsWith('completion/complete')).length, 1);
});

test('tools and prompts of other servers are an agent’s by its lists, whatever it may read', async (t) => {
  const agents = {
    whole: { resources: '*', prompts: ['*', '!bad__hidden'], tools: ['*', '!bad__tell'] },
    toolless: { resources: '*', tools: [] },
    partly: { resources: ['upstream://bad/**'], prompts: ['*', '!bad__hidden'] },
  };
  const root = projectWith(t, { bad: { ...bad('good'), features: { prompts: true, tools: true } } }, { agents });
  const namesFor = async (agent: string): Promise<string[]> => {
    const served = new Served(t, ['--root', root, '--agent', agent]);
    const called = await served.request('tools/call', { name: 'bad__tell', arguments: { times: 0 } });
    const tools = await served.request('tools/list', { cursor: FROM_UPSTREAMS });
    const prompts = await served.request('prompts/list', { cursor: FROM_UPSTREAMS });
    const listed: Message[] = [...tools.result.tools, ...prompts.result.prompts];
    return [called.error?.message ?? called.result.content[0].text, ...listed.map(({ name }) => name)];
  };
  assert.deepEqual(await namesFor('whole'), ['Unknown tool: bad__tell', 'bad__shown']);
  assert.deepEqual(await namesFor('toolless'), ['Unknown tool: bad__tell', 'bad__shown', 'bad__hidden']);
  assert.deepEqual(await namesFor('partly'), ['told', 'bad__tell', 'bad__shown']);
});

test('an answer that changed while it was on its way is not kept', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const served = new Served(t, ['--root', projectWith(t, { bad: { ...bad('changing', log), cacheTtl: '1h' } })]);
  for (let n = 0; n < 2; n++) assert.ok((await served.request('resources/read', { uri: A })).result);
  assert.equal(logged(log).filter((line) => line === 'resources/read bad://a').length, 2);
});

test('a server that shakes hands and then hangs is left alone, too, by who asks one after the other', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: { ...bad('hang-later'), timeout: '400ms' } })]);
  const errors: Message[] = [];
  for (let n = 0; n < 4; n++) errors.push((await served.request('resources/read', { uri: A })).error);
  assert.deepEqual(
    errors.map(({ data }) => /tried again in a while/.test(data.reason)),
    [false, false, false, true],
  );
});

for (const how of ['SIGTERM', 'the end of the input']) {
  test(`a connection that is not made yet does not keep us at ${how}`, async (t) => {
    const log = join(temporaryFolder(t), 'log');
    const served = new Served(t, ['--root', projectWith(t, { bad: { ...bad('hang', log), timeout: '300ms' } })]);
    assert.ok((await served.request('resources/read', { uri: A })).error);
    if (how === 'SIGTERM') served.child.kill('SIGTERM');
    else served.child.stdin.end();
    await until(() => served.child.exitCode !== null, 15_000);
    assert.equal(served.child.exitCode, 0);
  });
}

test('who is subscribed still hears after a new bundle made the group anew', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: { ...bad('good', log), features: { tools: true } } });
  const served = new Served(t, ['--root', root]);
  const subscribed = (): number => logged(log).filter((line) => line === 'resources/subscribe bad://a').length;
  const tell = async (): Promise<Message> =>
    await served.request('tools/call', {
      name: 'bad__tell',
      arguments: { method: 'notifications/resources/updated', uri: 'bad://a' },
    });
  await served.request('resources/subscribe', { uri: A });
  await until(() => subscribed() === 1);
  const file = join(root, 'project.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"Up"', '"Up again"'));
  assert.equal(run(['build', '--root', root]).code, 0);
  await until(async () => {
    await served.request('resources/read', { uri: A });
    return subscribed() === 2;
  });
  await tell();
  await until(() => served.messages.some(({ method }) => method === 'notifications/resources/updated'));
  await served.request('resources/unsubscribe', { uri: A });
  await until(() => logged(log).includes('resources/unsubscribe bad://a'));
});

test('who subscribes with the scheme in capitals hears of it as it was asked for', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: { ...bad('good', log), features: { tools: true } } });
  const served = new Served(t, ['--root', root]);
  const uri = A.replace('upstream', 'UPSTREAM');
  await served.request('resources/subscribe', { uri });
  await until(() => logged(log).includes('resources/subscribe bad://a'));
  await served.request('tools/call', {
    name: 'bad__tell',
    arguments: { method: 'notifications/resources/updated', uri: 'bad://a' },
  });
  await until(() => served.messages.some(({ method }) => method === 'notifications/resources/updated'));
  assert.deepEqual(served.messages.find(({ method }) => method === 'notifications/resources/updated').params, { uri });
});

test('who subscribes to another name of a live page hears of what is recorded', async (t) => {
  const served = new Served(t, [
    '--root',
    projectWith(t, {}, { aliases: { 'old://now': 'context://session/current' } }),
  ]);
  await served.request('resources/subscribe', { uri: 'old://now' });
  await served.request('tools/call', { name: 'record_topic', arguments: { topic: 'refunds' } });
  await until(() => served.messages.some(({ method }) => method === 'notifications/resources/updated'));
  assert.deepEqual(served.messages.find(({ method }) => method === 'notifications/resources/updated').params, {
    uri: 'old://now',
  });
});

test('what a program said before it died stands in one line of our log, and steers no terminal', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('crash') })]);
  assert.ok((await served.request('resources/read', { uri: A })).error);
  await until(() => served.stderr.includes('It said:'));
  assert.match(
    served.stderr,
    /^fieldguide: upstream bad: It ended with code 7\. It said: .*red a secret of crash on stderr$/m,
  );
  assert.ok(!served.stderr.includes('\u001b'));
});

test('a cursor that counts pages backwards is none of ours', async (t) => {
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('endless') })]);
  const cursor = FROM_UPSTREAMS + Buffer.from(JSON.stringify([1, 'bad', '0', -1e15])).toString('base64url');
  assert.equal((await served.request('resources/list', { cursor })).error?.message, 'Invalid cursor');
});

test('a group whose name ends with an underscore would share names with another, and is refused', (t) => {
  assert.throws(() => projectWith(t, { a_: bad('good') }), /The name of the group "a_" cannot be used\./);
});
