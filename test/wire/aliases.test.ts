// What project.yaml gives another name is read, subscribed to and found under it, on both mounts and in both eras.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { onEveryMount } from '../support/mounts.ts';
import { publish } from '../support/served.ts';
import { until } from '../support/until.ts';

const PICTURE = readFileSync(join(import.meta.dirname, '../fixtures/conformance/data/dot.png'));
const CLIENT = { name: 'test', version: '1' };
const YAML = `version: "1.0"
project: { name: Shop }
modules: { auth: { description: Sign-in } }
files: ["data/*"]
limits: { response: 1KB }
aliases:
  "old://start": context://project/overview
  "old://parts/{name}": "context://module/{name}"
  "old://picture": file://data/dot.png
  "old://long": guide://document/docs/long.md
  "old://docs/{page}/text": "guide://document/docs/{page}.md"
  "old://now": context://session/current
`;

function project(t: TestContext, description = 'Sign-in'): string {
  const long = Array.from({ length: 100 }, (_, n) => `Line ${n} of a long text.`).join('\n');
  const root = temporaryFolder(t, {
    'project.yaml': YAML.replace('Sign-in', description),
    'content/docs/long.md': `# Long\n\n${long}\n`,
    'content/docs/a b.md': '# Spaces\n',
    'data/dot.png': PICTURE,
  });
  assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  return root;
}

onEveryMount('an alias reads as what it stands for, under the URI that was asked', async (t, Serve) => {
  const served = new Serve(t, ['--root', project(t)]);
  for (const [alias, uri] of [
    ['old://start', 'context://project/overview'],
    ['OLD://start', 'context://project/overview'],
    ['old://parts/auth', 'context://module/auth'],
    ['old://picture', 'file://data/dot.png'],
    ['old://long', 'guide://document/docs/long.md'],
    ['old://docs/a%20b/text', 'guide://document/docs/a%20b.md'],
  ]) {
    const read = (name: string | undefined) => served.modern('resources/read', { uri: name });
    const [{ result: known }, { result }] = [await read(uri), await read(alias)];
    assert.deepEqual(result, { ...known, contents: [{ ...known.contents[0], uri: alias }] }, alias);
  }
  const legacy = await served.request('resources/read', { uri: 'old://picture' });
  assert.deepEqual(legacy.result.contents, [
    { uri: 'old://picture', mimeType: 'image/png', blob: PICTURE.toString('base64') },
  ]);
  const { result } = await served.modern('resources/read', { uri: 'old://long' });
  const next = /guide:\/\/document\/docs\/long\.md\?page=2/.exec(result.contents[0].text)?.[0];
  assert.ok((await served.modern('resources/read', { uri: next })).result, 'its next page has its own name');
});

onEveryMount('what no alias names, and what one leads to in vain, is refused as elsewhere', async (t, Serve) => {
  const served = new Serve(t, ['--root', project(t)]);
  const refusal = async (uri: string): Promise<unknown[]> => {
    const { error } = await served.request('resources/read', { uri });
    return [error.code, error.message, error.data.uri];
  };
  assert.deepEqual(await refusal('old://nothing'), [-32602, 'Invalid URI scheme', 'old://nothing']);
  assert.deepEqual(await refusal('old://start?page=1'), [-32602, 'Invalid URI scheme', 'old://start?page=1']);
  assert.deepEqual(await refusal('old://parts/atuh'), [-32602, 'Module not found: atuh', 'old://parts/atuh']);
  assert.deepEqual(await refusal('old://parts/%2e%2e'), [-32602, 'Invalid URI', 'old://parts/%2e%2e']);
});

onEveryMount('aliases are for those who know them: no list has one', async (t, Serve) => {
  const served = new Serve(t, ['--root', project(t)]);
  for (const list of ['resources/list', 'resources/templates/list']) {
    const { result } = await served.request(list);
    assert.doesNotMatch(JSON.stringify(result), /old:/);
  }
});

onEveryMount('a subscriber to an alias hears of it under that name', async (t, Serve) => {
  const root = project(t);
  const served = new Serve(t, ['--root', root]);
  await served.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT });
  served.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  assert.deepEqual((await served.request('resources/subscribe', { uri: 'old://parts/auth' })).result, {});
  assert.deepEqual((await served.request('resources/subscribe', { uri: 'old://now' })).result, {});
  assert.ok((await served.request('resources/subscribe', { uri: 'old://nothing' })).error);
  publish(root, readFileSync(join(project(t, 'Sign-in and sessions'), 'dist-index/context.fgb')));
  const told = () => served.messages.filter(({ method }) => method === 'notifications/resources/updated');
  await until(() => told().length > 0);
  assert.deepEqual(
    told().map(({ params }) => params),
    [{ uri: 'old://parts/auth' }],
  );
  assert.deepEqual((await served.request('resources/unsubscribe', { uri: 'old://parts/auth' })).result, {});
});
