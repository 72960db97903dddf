import assert from 'node:assert/strict';
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CurrentBundle } from '../../runtime/current.ts';
import { Mapper } from '../../runtime/map.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bundleBytes } from '../support/shop.ts';

function bundleNamed(name: string): Buffer {
  return bundleBytes(`version: "1.0"\nproject: { name: ${name} }\n`);
}

function fixture(t: TestContext, mode: 'mmap' | 'pread') {
  const folder = temporaryFolder(t);
  const file = join(folder, 'context.fgb');
  const logged: string[] = [];
  let now = 1000;
  const current = new CurrentBundle({
    path: folder,
    mapper: new Mapper(mode),
    log: (line) => logged.push(line),
    now: () => now,
  });
  return {
    file,
    logged,
    publish(bytes: Buffer) {
      writeFileSync(`${file}.tmp`, bytes);
      renameSync(`${file}.tmp`, file);
    },
    /** The name of the project being served after `ms` more. */
    after(ms: number): string {
      now += ms;
      try {
        const text = current.get().findText('context://project/overview');
        return /# Project: (\w+)/.exec(text?.stored.toString() ?? '')?.[1] ?? 'nothing';
      } catch (error) {
        return `${(error as Error & { kind: string }).kind}`;
      }
    },
  };
}

for (const mode of ['mmap', 'pread'] as const) {
  test(`${mode}: a new bundle is taken up, at most half a second later`, (t) => {
    const { publish, after } = fixture(t, mode);
    publish(bundleNamed('one'));
    assert.equal(after(0), 'one');
    publish(bundleNamed('two'));
    assert.equal(after(499), 'one');
    assert.equal(after(1), 'two');
  });

  test(`${mode}: without a bundle requests fail with what to run, until there is one`, (t) => {
    const { publish, after, logged } = fixture(t, mode);
    assert.equal(after(0), 'no_bundle');
    assert.equal(after(600), 'no_bundle');
    publish(bundleNamed('one'));
    assert.equal(after(600), 'one');
    assert.equal(logged.filter((line) => line.includes('fieldguide build')).length, 1);
  });

  test(`${mode}: a damaged or removed bundle never replaces a good one`, (t) => {
    const { publish, after, logged, file } = fixture(t, mode);
    publish(bundleNamed('one'));
    assert.equal(after(0), 'one');
    publish(bundleNamed('two').subarray(0, 5000));
    assert.equal(after(600), 'one');
    unlinkSync(file);
    assert.equal(after(600), 'one');
    publish(bundleNamed('three'));
    assert.equal(after(600), 'three');
    assert.equal(logged.filter((line) => line.includes('The last good bundle stays')).length, 2);
  });

  test(`${mode}: a damaged first bundle is said to be damaged, and mended by the next`, (t) => {
    const { publish, after } = fixture(t, mode);
    publish(Buffer.from('not a bundle at all'));
    assert.equal(after(0), 'damaged');
    publish(bundleNamed('one'));
    assert.equal(after(600), 'one');
  });
}
