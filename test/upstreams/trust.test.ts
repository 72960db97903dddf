// Which programs may be started, with what, and what of the environment goes where.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Message, run, Served } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { listening } from '../support/upstreams/http-servers.ts';
import { bad, logged, projectWith } from '../support/upstreams/project.ts';

const A = 'upstream://bad/bad://a';

/** The bundle of one project, in a folder that holds another project.yaml, or none. */
function elsewhere(t: TestContext, root: string, yaml?: string): string {
  const other = temporaryFolder(t, yaml === undefined ? {} : { 'project.yaml': yaml });
  cpSync(join(root, 'dist-index'), join(other, 'dist-index'), { recursive: true });
  return other;
}

test('a bundle that came from elsewhere starts no program, and says what to do', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: bad('good', log) });
  const text = readFileSync(join(root, 'project.yaml'), 'utf8');
  for (const other of [elsewhere(t, root), elsewhere(t, root, `${text}\n# changed\n`)]) {
    const served = new Served(t, ['--root', other]);
    const { error } = await served.request('resources/read', { uri: A });
    assert.deepEqual([error.code, error.data.kind], [-32603, 'not_trusted']);
    assert.match(error.data.setup, /--trust-upstreams/);
    const { result } = await served.request('resources/list', { cursor: 'dXBzdHJlYW0g' });
    assert.deepEqual(
      result.resources.map((one: Message) => one.uri),
      ['upstream://bad'],
      'visible as refused',
    );
    assert.match(result.resources[0].description, /another project\.yaml/);
    assert.equal(run(['read', A, '--root', other]).code, 1);
  }
  assert.deepEqual(logged(log), [], 'nothing was started');
  const same = elsewhere(t, root, text);
  assert.ok(
    (await new Served(t, ['--root', same]).request('resources/read', { uri: A })).result,
    'the same project.yaml',
  );
  const trusting = elsewhere(t, root);
  const served = new Served(t, ['--root', trusting, '--trust-upstreams']);
  assert.ok((await served.request('resources/read', { uri: A })).result);
  assert.equal(run(['read', A, '--root', trusting, '--trust-upstreams']).stdout, 'text of bad://a\n');
});

test('project.yaml is looked at when a program is about to be started, not before', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  const root = projectWith(t, { bad: bad('good', log) });
  const served = new Served(t, ['--root', root]);
  assert.ok((await served.request('resources/read', { uri: 'context://project/overview' })).result);
  assert.ok((await served.request('resources/list')).result);
  assert.deepEqual(logged(log), [], 'lazy');
  writeFileSync(join(root, 'project.yaml'), 'version: "1.0"\n');
  assert.equal((await served.request('resources/read', { uri: A })).error.data.kind, 'not_trusted');
});

test('a bundle that came from elsewhere sends no variable of the environment to an address of its choice', async (t) => {
  const server = await listening(t, (_, response) => void response.writeHead(500).end());
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
  const root = projectWith(t, { web: { url: server.url, headers: { Authorization: 'Bearer ${HOME}' } } });
  const served = new Served(t, ['--root', elsewhere(t, root)]);
  assert.equal(
    (await served.request('resources/read', { uri: 'upstream://web/a://b' })).error.data.kind,
    'not_trusted',
  );
  assert.equal(server.requests.length, 0);
});

test('a program gets the safe part of the environment, its own variables, and nothing else', async (t) => {
  const env = { TOKEN_OF_OURS: 'not for others', WIKI_TOKEN: 's3cret', NODE_OPTIONS: '' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
  const root = projectWith(t, { bad: { ...bad('env'), env: { TOKEN: 'x-${WIKI_TOKEN}', PLAIN: '$HOME $(id)' } } });
  assert.doesNotMatch(readFileSync(join(root, 'dist-index/context.fgb'), 'latin1'), /s3cret/);
  const served = new Served(t, ['--root', root], { env: { ...process.env, ...env } });
  const { result } = await served.request('resources/read', { uri: A });
  const seen = JSON.parse(result.contents[0].text);
  assert.deepEqual([seen.TOKEN, seen.PLAIN, seen.PATH], ['x-s3cret', '$HOME $(id)', process.env.PATH]);
  const allowed = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'TOKEN', 'PLAIN'];
  assert.deepEqual(
    Object.keys(seen).filter((name) => !allowed.includes(name)),
    [],
  );
});

test('an undefined variable is an error that names it, and nothing is started', async (t) => {
  const log = join(temporaryFolder(t), 'log');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
  const missing = '${NO_SUCH_VARIABLE_HERE}';
  const root = projectWith(t, {
    env: { ...bad('good', log), env: { A: missing } },
    args: { ...bad('good', log), args: [...bad('good', log).args, missing] },
    url: { url: `http://127.0.0.1:9/${missing}` },
    header: { url: 'http://127.0.0.1:9/', headers: { A: missing } },
  });
  const served = new Served(t, ['--root', root]);
  for (const group of ['env', 'args', 'url', 'header']) {
    const { error } = await served.request('resources/read', { uri: `upstream://${group}/a://b` });
    assert.deepEqual(
      [error.data.kind, error.data.reason],
      ['undefined_variable', 'The environment variable NO_SUCH_VARIABLE_HERE is not set.'],
    );
  }
  assert.deepEqual(logged(log), []);
});

test('what looks like a shell is none: arguments arrive as they stand', async (t) => {
  const log = join(temporaryFolder(t), 'log; touch hacked $(touch hacked) `touch hacked`');
  const served = new Served(t, ['--root', projectWith(t, { bad: bad('good', log) })]);
  const uri = 'bad://$(touch hacked);`id`|&>x';
  const { result } = await served.request('resources/read', { uri: `upstream://bad/${uri}` });
  assert.equal(result.contents[0].text, `text of ${uri}`);
  assert.ok(logged(log).length > 0, 'the file of that very name was written');
});
