// Whatever is done to an audit by somebody who does not rewrite its heads too, it shows: tried for every line, every
// pair of lines, every byte and every cut of a small one that a real server wrote.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { type Checked, checkAudit } from '../../bin/audit/check-chains.ts';
import { auditedShop, ended, headsOf, linesOf } from '../support/audited.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { OVERVIEW } from '../support/served.ts';

/** An audit of one or more processes, one after the other, each with an opening, three reads and a closing. */
async function small(t: TestContext, processes = 1): Promise<string> {
  const { file, serve } = auditedShop(t);
  for (let n = 0; n < processes; n++) {
    const server = serve();
    for (const uri of [OVERVIEW, 'context://module/größe%20&%20co', 'context://module/nothing']) {
      await server.request('resources/read', { uri });
    }
    assert.equal(await ended(server), 0);
  }
  assert.equal(linesOf(file).length, 5 * processes);
  assert.deepEqual(checkAudit(file).problems, []);
  return file;
}

/** The audit with these bytes in place of its own. */
function tampered(file: string, bytes: string | Buffer): Checked {
  const whole = readFileSync(file);
  writeFileSync(file, bytes);
  try {
    return checkAudit(file);
  } finally {
    writeFileSync(file, whole);
  }
}

const join2 = (lines: readonly string[]): string => `\n${lines.join('\n')}\n`;
const kinds = ({ problems }: Checked): string[] => [...new Set(problems.map(({ kind }) => kind))].sort();

/** A line as somebody would edit it who knows of its checksum. */
function edited(line: string, edit: (text: string) => string): string {
  const open = edit(line.slice(0, line.lastIndexOf(',"sum":"')));
  return `${open},"sum":"${crc32(open).toString(16).padStart(8, '0')}"}`;
}

test('a line that was removed is missed, and it is said where', async (t) => {
  const file = await small(t, 2);
  const lines = linesOf(file);
  for (const n of lines.keys()) {
    const found = tampered(file, join2(lines.toSpliced(n, 1)));
    const isLast = n % 5 === 4;
    assert.deepEqual(kinds(found), [isLast ? 'cut' : 'removed'], `line ${n + 1}`);
    assert.equal(found.problems[0]?.writer, JSON.parse(lines[n] as string).writer);
    assert.match(found.problems[0]?.text ?? '', new RegExp(`number ${(n % 5) + 1} of its process is missing`));
  }
});

test('two lines of a process that were swapped show, and a line that was put in twice', async (t) => {
  const file = await small(t);
  const lines = linesOf(file);
  for (let n = 0; n + 1 < lines.length; n++) {
    const swapped = lines.toSpliced(n, 2, lines[n + 1] as string, lines[n] as string);
    assert.ok(kinds(tampered(file, join2(swapped))).includes('swapped'), `lines ${n + 1} and ${n + 2}`);
  }
  for (const [n, line] of lines.entries()) {
    for (const at of lines.keys()) {
      const found = kinds(tampered(file, join2(lines.toSpliced(at, 0, line))));
      assert.ok(
        found.includes('duplicated') || found.includes('swapped'),
        `line ${n + 1} again at ${at + 1}: ${found}`,
      );
    }
  }
});

test('a byte that was changed shows, whichever it is', async (t) => {
  const file = await small(t);
  const whole = readFileSync(file);
  for (const flip of [0x01, 0x20, 0xff]) {
    for (let at = 0; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ flip;
      assert.notDeepEqual(tampered(file, bytes).problems, [], `byte ${at} xor ${flip}`);
    }
  }
});

test('a tail that was cut shows, wherever', async (t) => {
  const file = await small(t);
  const whole = readFileSync(file);
  for (let length = 0; length < whole.length - 1; length++) {
    assert.ok(kinds(tampered(file, whole.subarray(0, length))).some((kind) => kind === 'cut' || kind === 'removed'));
  }
  const found = tampered(file, whole.subarray(0, -1));
  assert.deepEqual([found.problems, found.notes.map(({ kind }) => kind)], [[], ['unended']], 'nothing was lost');
});

test('a line that was edited with its checksum does not fit the next, and the last not its head', async (t) => {
  const file = await small(t);
  const lines = linesOf(file);
  for (const [n, line] of lines.entries()) {
    const other = edited(line, (text) => text.replace(/"time":"20/, '"time":"21'));
    assert.notEqual(other, line);
    const found = tampered(file, join2(lines.with(n, other)));
    assert.deepEqual(kinds(found), ['edited'], `line ${n + 1}`);
  }
});

test('lines that were put in show: after the end, of a process that there never was, and what is no line', async (t) => {
  const file = await small(t);
  const lines = linesOf(file);
  const last = lines.at(-1) as string;
  const { writer, number } = JSON.parse(last);
  const after = edited(last, (text) =>
    text
      .replace(`"number":${number}`, `"number":${number + 1}`)
      .replace(/"previous":"[^"]*"/, `"previous":"${createHash('sha256').update(last).digest('hex')}"`),
  );
  assert.deepEqual(kinds(tampered(file, join2([...lines, after]))), ['inserted']);
  const foreign = edited(lines[0] as string, (text) => text.replace(writer, '0123456789abcdef'));
  assert.deepEqual(kinds(tampered(file, join2([...lines, foreign]))), ['no-head']);
  for (const text of ['hello', '{}', ' ', `${last}x`, '{"writer":"x"}', 'x'.repeat(200_000)]) {
    const found = tampered(file, join2(lines.toSpliced(2, 0, text)));
    assert.deepEqual([kinds(found), found.problems[0]?.line], [['damaged'], 4], text.slice(0, 30));
  }
});

test('a process whose lines were all removed is missed, and so are heads', async (t) => {
  const file = await small(t, 2);
  const lines = linesOf(file);
  const found = tampered(file, join2(lines.slice(5)));
  assert.deepEqual(kinds(found), ['removed']);
  assert.match(found.problems[0]?.text ?? '', /has a head but no lines: numbers 1 to 5/);
  assert.deepEqual(kinds(tampered(file, '')), ['removed']);
  const [one] = headsOf(file) as [string];
  const head = join(`${file}.heads`, one);
  const whole = readFileSync(head);
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(head, bytes);
    assert.deepEqual(kinds(checkAudit(file)), ['head-damaged'], `byte ${at} of the head`);
  }
  rmSync(head);
  assert.deepEqual(kinds(checkAudit(file)), ['no-head']);
  rmSync(`${file}.heads`, { recursive: true });
  assert.deepEqual(kinds(checkAudit(file)), ['no-heads']);
});

test('the command names lines, exits with 1, and says what an audit is when the file is none', async (t) => {
  const file = await small(t);
  assert.deepEqual(run(['audit', 'verify', file]), { code: 0, stdout: 'whole: 5 lines of 1 process\n', stderr: '' });
  const lines = linesOf(file);
  writeFileSync(file, join2(lines.toSpliced(2, 1)));
  const removed = run(['audit', 'verify', file]);
  assert.equal(removed.code, 1);
  assert.match(removed.stderr, /^removed: line 4, process [0-9a-f]{16} before it number 3 of its process is missing$/m);
  assert.equal(JSON.parse(run(['audit', 'verify', file, '--json']).stdout).ok, false);
  const folder = temporaryFolder(t);
  for (const command of ['verify', 'show']) {
    for (const path of [folder, join(folder, 'none')]) {
      const { code, stderr } = run(['audit', command, path]);
      assert.equal(code, 1);
      assert.match(stderr, /name the one that `fieldguide serve --audit` writes\.$/m);
    }
  }
  assert.equal(run(['audit', 'verify']).code, 2);
});

test('an audit that was moved together with its heads is as good as before', async (t) => {
  const file = await small(t, 2);
  const folder = join(temporaryFolder(t), 'kept');
  mkdirSync(folder);
  cpSync(`${file}.heads`, join(folder, 'old.log.heads'), { recursive: true });
  renameSync(file, join(folder, 'old.log'));
  assert.deepEqual(checkAudit(join(folder, 'old.log')).problems, []);
});
