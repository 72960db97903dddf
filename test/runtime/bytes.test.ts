// One suite for both ways of reading a file.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BundleError } from '../../runtime/format.ts';
import { Mapper } from '../../runtime/map.ts';
import { withFile } from '../support/bytes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';

const WINDOW = 1 << 24;

for (const mode of ['mmap', 'pread'] as const) {
  test(`${mode}: views are the file's bytes, across windows too`, () => {
    const bytes = Buffer.alloc(WINDOW * 2 + 12_345);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, Math.min(at, bytes.length - 4));
    withFile(bytes, mode, (opened) => {
      assert.equal(opened.length, bytes.length);
      assert.equal(opened.mapped, mode === 'mmap');
      const next = random(4);
      const places = Array.from({ length: 500 }, () => [next(bytes.length - 5000), next(5000)] as const);
      for (const [at, length] of [...places, [WINDOW - 10, 20] as const, [bytes.length, 0] as const]) {
        assert.ok(opened.view(at, length).equals(bytes.subarray(at, at + length)));
      }
    });
  });

  test(`${mode}: what lies outside the file is refused`, () => {
    withFile(Buffer.from('hello'), mode, (opened) => {
      for (const [at, length] of [
        [0, 6],
        [6, 0],
        [-1, 2],
        [2, -1],
        [Number.NaN, 1],
        [2 ** 60, 1],
      ] as const) {
        assert.throws(() => opened.view(at, length), RangeError);
      }
    });
  });

  test(`${mode}: views outlive close, rename and unlink`, () => {
    withFile(Buffer.from('first'), mode, (opened, file) => {
      const view = opened.view(0, 5);
      writeFileSync(`${file}.new`, 'other');
      renameSync(`${file}.new`, file);
      assert.equal(opened.view(0, 5).toString(), 'first');
      unlinkSync(file);
      assert.equal(view.toString(), 'first');
    });
  });

  test(`${mode}: what is no file is refused at once, a named pipe too`, (t) => {
    const folder = temporaryFolder(t);
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const mapper = new Mapper(mode);
    for (const path of [folder, join(folder, 'pipe'), '/dev/zero']) {
      assert.throws(() => mapper.open(path), BundleError);
    }
    assert.throws(() => mapper.open(join(folder, 'nothing')), { kind: 'missing' });
    assert.throws(() => mapper.open(join(folder, 'pipe', 'below')), { kind: 'missing' });
  });
}

test('pread: a file that shrinks is an error, not the end of the process', () => {
  withFile(Buffer.alloc(10_000, 1), 'pread', (opened, file) => {
    truncateSync(file, 100);
    assert.throws(() => opened.view(0, 5000), { kind: 'damaged' });
    assert.equal(opened.view(0, 100).length, 100);
  });
});

test('where native code is not allowed, auto reads and mmap says so', (t) => {
  const folder = temporaryFolder(t, { a: 'hello' });
  const program = `
    import { Mapper } from ${JSON.stringify(join(import.meta.dirname, '../../runtime/map.ts'))};
    const bytes = new Mapper('auto').open(process.argv[1]);
    console.log(bytes.mapped, bytes.view(0, 5).toString());
    try { new Mapper('mmap').open(process.argv[1]); } catch (error) { console.log(error.kind, error.message); }`;
  const args = ['--no-addons', '--import', 'tsx', '--input-type=module', '-e', program, join(folder, 'a')];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stdout, 'false hello\nunreadable Memory mapping is not available here; use --map pread.\n');
});

test('maps that are not collected yet are bounded: beyond them a file is read', (t) => {
  const folder = temporaryFolder(t, { a: 'hello' });
  const mapper = new Mapper('mmap');
  const opened = Array.from({ length: 60 }, () => {
    const bytes = mapper.open(join(folder, 'a'));
    assert.equal(bytes.view(0, 5).toString(), 'hello');
    return bytes;
  });
  assert.equal(opened.filter((bytes) => bytes.mapped).length, 48);
  for (const bytes of opened) bytes.close();
});
