// Search is loaded on its first use, into a reader that is there already: it brings no second one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

test('the search brings no package and no second reader, and is small', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ['runtime/search/search.ts'],
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const names = inputs.map(([name]) => name);
  assert.ok(
    names.every((name) => /^runtime\/(search\/|format|nearest)/.test(name)),
    names.join(' '),
  );
  const text = outputFiles[0]?.text ?? '';
  assert.ok(text.length <= 20 * 1024, String(text.length));
});
