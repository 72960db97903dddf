// What is found, and what comes first, on corpora small enough to be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../runtime/search/search.ts';
import { openBytes } from '../support/bytes.ts';
import { EVERYTHING, searchedBytes, uriOf, type Written } from '../support/searched.ts';

const GUIDE: Written = {
  drain: [
    'Draining a node',
    'Evict every pod first.\n\n## Budgets\n\nA PodDisruptionBudget limits how many pods go at once.\n',
  ],
  upgrade: [
    'Upgrading',
    '# Upgrading\n\nDrain the node, then upgrade the kubelet.\n\n## Check\n\nEvery node is ready.\n',
  ],
  storage: ['Storage classes', 'Volumes of a class share a provisioner.\n\n## Retention\n\nKeep volumes for a week.\n'],
  config: [
    'Configuration',
    'Set max_old_space in kube-apiserver since v1.29.\n\n## Größe\n\nDie Größe des Caches: café.\n',
  ],
  chinese: ['文档', '这是中文文档。\n'],
  noise: ['Notes', 'the node the node the node and a pod, volumes, budgets, retention, upgrade, week\n'],
};

const bundle = openBytes(searchedBytes(GUIDE));

function found(query: string): string[] {
  return search(bundle, query, EVERYTHING).hits.map(({ key }) => nameOf(key));
}

function nameOf(key: string): string {
  return Object.keys(GUIDE).find((name) => uriOf(name) === key) as string;
}

test('the document that has the title comes before documents that use its words', () => {
  assert.equal(found('draining a node')[0], 'drain');
  assert.equal(found('storage classes')[0], 'storage');
  assert.equal(found('Upgrading')[0], 'upgrade');
});

test('a section that holds all the words comes before a document that has them far apart', () => {
  assert.equal(found('volumes week')[0], 'storage');
  assert.equal(found('kubelet upgrade node')[0], 'upgrade');
});

test('the best section is named by its heading and anchor; before the first heading there is none', () => {
  const [hit] = search(bundle, 'volumes week', EVERYTHING).hits;
  assert.equal(hit?.anchor, 'retention');
  assert.equal(hit?.heading, 'Retention');
  assert.equal(hit?.snippet, 'Keep volumes for a week.');
  const [first] = search(bundle, 'volumes provisioner', EVERYTHING).hits;
  assert.equal(nameOf(first?.key ?? ''), 'storage');
  assert.ok(first !== undefined && !('anchor' in first) && !('heading' in first));
});

test('a word that no document has is corrected, and says so', () => {
  const { hits, corrected } = search(bundle, 'provisoner', EVERYTHING);
  assert.equal(nameOf(hits[0]?.key ?? ''), 'storage');
  assert.deepEqual(corrected, [{ asked: 'provisoner', used: 'provisioner' }]);
  assert.equal(search(bundle, 'provisioner', EVERYTHING).corrected, undefined);
});

test('a word is found under its other endings, but its own spelling counts more', () => {
  assert.deepEqual(found('volume').sort(), ['noise', 'storage']);
  assert.equal(found('upgrades')[0], 'upgrade');
});

test('the last word may be unfinished', () => {
  assert.deepEqual(found('prov'), ['storage']);
  assert.deepEqual(found('prov week').includes('storage'), true);
  assert.deepEqual(found('xy'), []);
});

test('identifiers are found whole and by their parts', () => {
  for (const query of ['PodDisruptionBudget', 'poddisruptionbudget', 'disruption', 'podDisruption budget']) {
    assert.equal(found(query)[0], 'drain', query);
  }
  for (const query of ['max_old_space', 'old space', 'kube-apiserver', 'apiserver', 'v1.29', '29']) {
    assert.equal(found(query)[0], 'config', query);
  }
});

test('cases, accents and compatible forms are one spelling', () => {
  for (const query of ['größe', 'GRÖSSE'.replace('SS', 'ß'), 'grosse'.replace('ss', 'ß'), 'café', 'CAFE', 'ｃａｆｅ']) {
    assert.deepEqual(found(query), ['config'], query);
  }
});

test('scripts without spaces are found by any of their words', () => {
  for (const query of ['中文', '文档', '中文文档', '中', '档']) assert.deepEqual(found(query), ['chinese'], query);
  assert.deepEqual(search(bundle, '中文', EVERYTHING).hits[0]?.words, ['中文']);
});

test('a snippet is one line of plain text, and the words that matched are spelt as it spells them', () => {
  const text = `# Setting up\n\n${'Filler words go here. '.repeat(60)}\n\n- Use the **[Fancy](http://x.y/z) \`Widget\`** to "start".\n\n${'More filler after it. '.repeat(60)}`;
  const [hit] = search(openBytes(searchedBytes({ a: ['A', text] })), 'fancy widget', EVERYTHING).hits;
  assert.match(hit?.snippet ?? '', /^Use the Fancy Widget to "start"\. More filler .*…$/);
  assert.ok((hit?.snippet.length ?? 0) <= 202 && !hit?.snippet.includes('\n'));
  assert.deepEqual(hit?.words, ['Fancy', 'Widget']);
});

test('hits stop at the limit, the total does not; what is not accepted is in neither', () => {
  const all = search(bundle, 'node', EVERYTHING);
  assert.equal(all.total, 3);
  const one = search(bundle, 'node', { ...EVERYTHING, limit: 1 });
  assert.deepEqual([one.hits.length, one.total], [1, 3]);
  assert.deepEqual(one.hits[0], all.hits[0]);
  const accepts = (key: string): boolean => key !== all.hits[0]?.key;
  const rest = search(bundle, 'node', { ...EVERYTHING, accepts });
  assert.deepEqual([rest.hits, rest.total], [all.hits.slice(1), 2]);
  assert.deepEqual(search(bundle, 'node', { ...EVERYTHING, limit: 0 }).hits, []);
});

test('of equal documents the one that the bundle has first comes first', () => {
  const twins = openBytes(searchedBytes({ b: ['Same', 'text here\n'], a: ['Same', 'text here\n'] }));
  assert.deepEqual(
    search(twins, 'text', EVERYTHING).hits.map(({ key }) => key),
    [uriOf('b'), uriOf('a')],
  );
});
