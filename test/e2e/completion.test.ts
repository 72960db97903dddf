// Completion over the real server: of names, and of paths within what another argument names.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type AnyServed, onEveryMount, type Serve } from '../support/mounts.ts';

function built(t: TestContext, Serve: Serve): AnyServed {
  const files: Record<string, string> = {
    'project.yaml': `version: "1.0"
project: { name: a }
modules: { auth: {}, audit: {}, billing: {} }
guide:
  categories: { docs: {}, drinks: {} }
  collections: { start: { categories: [docs/a*] }, drinks: { categories: [docs] } }
`,
    'content/docs/about.md': '# About\n',
    'content/docs/guide/intro.md': '# Intro\n',
    'content/drinks/tea.md': '# Tea\n',
  };
  for (let n = 100; n < 300; n++) files[`content/docs/many/m${n}.md`] = `# ${n}\n`;
  const root = temporaryFolder(t, files);
  assert.equal(run(['build', '--root', root]).code, 0);
  return new Serve(t, ['--root', root]);
}

onEveryMount('names of modules, categories, collections and contexts are completed', async (t, Serve) => {
  const served = built(t, Serve);
  const values = async (uri: string, name: string, value: string): Promise<string[]> => {
    const params = { ref: { type: 'ref/resource', uri }, argument: { name, value } };
    const { result } = await served.request('completion/complete', params);
    assert.deepEqual((await served.modern('completion/complete', params)).result.completion, result.completion);
    assert.deepEqual([result.completion.total, result.completion.hasMore], [result.completion.values.length, false]);
    return result.completion.values;
  };
  assert.deepEqual(await values('context://module/{name}', 'name', 'au'), ['auth', 'audit']);
  assert.deepEqual(await values('guide://category/{name}', 'name', 'D'), ['docs', 'drinks']);
  assert.deepEqual(await values('guide://category/{name}/{docId}', 'name', 'do'), ['docs']);
  assert.deepEqual(await values('guide://collection/{id}', 'id', ''), ['start', 'drinks']);
  assert.deepEqual(await values('guide://document/{context}/{docId}', 'context', ''), ['docs', 'drinks', 'start']);
  assert.deepEqual(await values('guide://category/{name}', 'name', 'rink'), ['drinks'], 'in the middle');
  assert.deepEqual(await values('guide://category/{name}', 'name', 'xyz'), []);
});

onEveryMount('a docId is completed within the category or collection that is given', async (t, Serve) => {
  const served = built(t, Serve);
  const complete = async (uri: string, value: string, given: Record<string, string>) => {
    const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'docId', value } };
    const { result } = await served.request('completion/complete', { ...params, context: { arguments: given } });
    return result.completion;
  };
  const document = 'guide://document/{context}/{docId}';
  assert.deepEqual((await complete(document, 'a', { context: 'docs' })).values, ['about.md']);
  assert.deepEqual((await complete(document, '', { context: 'start' })).values, ['about.md']);
  assert.deepEqual((await complete(document, '', { context: 'drinks' })).values, ['tea.md'], 'a category first');
  assert.deepEqual((await complete(document, 'intro', { context: 'docs' })).values, ['guide/intro.md']);
  assert.deepEqual((await complete(document, 'a', {})).values, []);
  assert.deepEqual((await complete('guide://category/{name}/{docId}', '', { name: 'start' })).values, []);
  const many = await complete('guide://category/{name}/{docId}', 'many/', { name: 'docs' });
  assert.deepEqual([many.values.length, many.hasMore, many.total], [100, true, undefined]);
  assert.equal(many.values[0], 'many/m100.md');
});

onEveryMount('what cannot be completed is refused with what to do', async (t, Serve) => {
  const served = built(t, Serve);
  const cases: [object, RegExp][] = [
    [{}, /params\.argument/],
    [{ argument: { name: 'name', value: 1 } }, /params\.argument/],
    [{ argument: { name: 'name', value: '' } }, /params\.ref/],
    [
      { ref: { type: 'ref/resource', uri: 'context://modul/{name}' }, argument: { name: 'name', value: '' } },
      /Did you mean context:\/\/module\/\{name\}/,
    ],
    [
      { ref: { type: 'ref/resource', uri: 'context://module/{name}' }, argument: { name: 'nam', value: '' } },
      /it has name/,
    ],
    [
      { ref: { type: 'ref/resource', uri: 'nothing' }, argument: { name: 'name', value: '' } },
      /resources\/templates\/list/,
    ],
  ];
  for (const [params, expected] of cases) {
    const { error } = await served.request('completion/complete', params);
    assert.equal(error.code, -32602);
    assert.match(`${error.data.reason} ${error.data.hint}`, expected);
  }
});
