// The promise: whatever is flipped, cut, swapped or zeroed, an answer is exactly right or an error that
// says the bundle is damaged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Diagnostics } from '../../build/diagnostics.ts';
import { examine } from '../../build/examine.ts';
import { pack } from '../../build/pack.ts';
import { compile, NO_SOURCES } from '../../build/pipeline.ts';
import type { Project } from '../../build/project.ts';
import type { Entry } from '../../build/render.ts';
import { tabulate } from '../../build/tabulate.ts';
import { BLOCK_BYTES, BundleError } from '../../runtime/format.ts';
import { verifyBundle } from '../../runtime/verify.ts';
import { openBytes } from '../support/bytes.ts';
import { assertRightOrDamaged, oracleOf } from '../support/oracle.ts';
import { random } from '../support/random.ts';
import { bundleBytes, SHOP_IN_PAGES } from '../support/shop.ts';

const ENTRY: Entry = {
  uri: 'context://project/overview',
  name: 'a',
  title: 'a',
  description: 'a',
  mediaType: 'text/markdown',
  text: 'a',
  cuts: [],
  isListed: true,
};

const PROJECT: Project = {
  name: 'a',
  path: '.',
  stack: [],
  modules: [],
  limits: { overview: 1024, module: 1024, response: 1024, session: 10_240, sessions: 51_200 },
  sessions: { store: 'journal', idleMinutes: 30 },
  approval: { allow: [] },
  guide: { root: 'content', categories: [], collections: [] },
  files: [],
  prompts: { folder: undefined, place: undefined, content: 'block' },
  ignore: [],
};

/** Three documents in two folders of a category. */
function guideBundle(): Buffer {
  const sources = { 'docs/a.md': '# A\n', 'docs/ab.md': '# AB\n\n[a](a.md)\n', 'docs/deep/b.md': '# B\n' };
  const parsed = Object.entries(sources).map(([path, text]) => ({
    source: { path: `content/${path}`, text, input: { path, sha256: '', bytes: text.length } },
    ...examine(text, true),
  }));
  const project = { ...PROJECT, guide: { root: 'content', categories: undefined, collections: [] } };
  const built = compile(project, { ...NO_SOURCES, documents: parsed }, new Diagnostics());
  assert.ok(built);
  return built.bytes;
}

const SMALL = bundleBytes(SHOP_IN_PAGES);

function large(seed = 'x'): Buffer {
  const modules = Array.from(
    { length: 400 },
    (_, n) => `  module-${n}: { description: "${seed} ${'words '.repeat(n % 50)}", patterns: [a ${n}, b] }`,
  );
  return bundleBytes(`version: "1.0"\nproject: { name: large }\nmodules:\n${modules.join('\n')}\n`);
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
}

test('every bit of the header and of the tables of a small bundle', () => {
  const oracle = oracleOf(SMALL);
  const copy = Buffer.from(SMALL);
  const tablesEnd = 3 * BLOCK_BYTES;
  for (let bit = 0; bit < tablesEnd * 8; bit++) {
    const at = bit >> 3;
    const before = copy[at] as number;
    copy[at] = before ^ (1 << (bit & 7));
    const refused = assertRightOrDamaged(copy, oracle, `bit ${bit}`);
    assert.ok(refused > 0, `bit ${bit} went unnoticed`);
    copy[at] = before;
  }
});

test('every byte of the records and list entries of a small bundle', () => {
  const oracle = oracleOf(SMALL);
  for (let at = 3 * BLOCK_BYTES; at < SMALL.length; at++) {
    assertRightOrDamaged(flipped(SMALL, at * 8 + (at % 8)), oracle, `byte ${at}`);
  }
});

test('every bit of a small bundle with a guide', () => {
  const bytes = guideBundle();
  const oracle = oracleOf(bytes);
  const copy = Buffer.from(bytes);
  for (let at = 0; at < bytes.length; at++) {
    const before = copy[at] as number;
    const bits = before === 0 && at % 16 !== 0 ? [at % 8] : [0, 1, 2, 3, 4, 5, 6, 7];
    for (const bit of bits) {
      copy[at] = before ^ (1 << bit);
      assertRightOrDamaged(copy, oracle, `byte ${at}, bit ${bit}`);
    }
    copy[at] = before;
  }
});

test('thousands of random bits of a larger bundle', () => {
  const bytes = large();
  const oracle = oracleOf(bytes);
  const next = random(1);
  for (let n = 0; n < 3000; n++) assertRightOrDamaged(flipped(bytes, next(bytes.length * 8)), oracle, `flip ${n}`);
});

test('a bundle cut short anywhere is refused', () => {
  for (let length = 0; length < SMALL.length; length += length < 200 ? 1 : 97) {
    assert.throws(() => openBytes(SMALL.subarray(0, length)), BundleError, `length ${length}`);
  }
});

test('blocks zeroed, swapped, doubled or left over from another bundle', () => {
  const bytes = large();
  const other = large('y');
  const oracle = oracleOf(bytes);
  const next = random(2);
  const blocks = Math.floor(bytes.length / BLOCK_BYTES);
  const place = (n: number): [number, number] => [n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES];
  for (let n = 0; n < 1000; n++) {
    const [a, b] = [next(blocks), next(blocks)];
    const copy = Buffer.from(bytes);
    const kind = n % 4;
    if (kind === 0) copy.fill(0, ...place(a));
    if (kind === 1) {
      bytes.copy(copy, a * BLOCK_BYTES, ...place(b));
      bytes.copy(copy, b * BLOCK_BYTES, ...place(a));
    }
    if (kind === 2) bytes.copy(copy, a * BLOCK_BYTES, ...place(b));
    if (kind === 3) other.copy(copy, a * BLOCK_BYTES, ...place(a));
    assertRightOrDamaged(copy, oracle, `blocks ${a}, ${b}, kind ${kind}`);
  }
});

test('verify finds every flipped bit and names the damaged document', () => {
  const bytes = large();
  const next = random(3);
  let named = 0;
  for (let n = 0; n < 300; n++) {
    const bit = next(bytes.length * 8);
    const copy = flipped(bytes, bit);
    try {
      const { damage, digest, stated } = verifyBundle(openBytes(copy));
      assert.ok(damage.length > 0 && digest !== stated, `bit ${bit} went unnoticed`);
      if (damage.some((line) => line.includes('context://'))) named++;
    } catch (error) {
      assert.ok(error instanceof BundleError);
    }
  }
  assert.ok(named > 100, `only ${named} of 300 were named`);
});

test('verify reports all damaged documents, not only the first', () => {
  const bytes = large();
  const bundle = openBytes(bytes);
  const copy = Buffer.from(bytes);
  for (const name of ['module-3', 'module-77', 'module-200']) {
    const row = bundle.find(`context://module/${name}`)?.row;
    assert.ok(row);
    copy[row.offset + row.textAt + 5] = 0;
  }
  const { damage } = verifyBundle(openBytes(copy));
  assert.deepEqual(damage.map((line) => line.split(': ')[0]).sort(), [
    'context://module/module-200',
    'context://module/module-3',
    'context://module/module-77',
  ]);
});

test('a bundle crafted with a line break inside a text puts no line of its own on the wire', () => {
  const entry = { ...ENTRY, text: 'x' };
  const tables = tabulate(PROJECT, [entry]);
  const texts = tables.texts.map((text) =>
    text.key === entry.uri ? { ...text, stored: Buffer.from('"}]}}\n{"id":2}') } : text,
  );
  const bundle = openBytes(pack({ ...tables, texts }));
  assert.throws(() => bundle.findText(entry.uri), BundleError);
});
