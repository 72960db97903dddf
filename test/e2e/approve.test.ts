// A request of an agent, seen and answered on the project's own terminal; and what was discovered, as a person sees it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Bound, requestApproval, respond, spend } from '../../runtime/approval.ts';
import { APPROVAL_MS, ApprovalFiles } from '../../runtime/sessions/approvals.ts';
import { Journal } from '../../runtime/sessions/journal.ts';
import { encodeRecord } from '../../runtime/sessions/record.ts';
import { type Ended, type Message, run } from '../support/command.ts';
import { discovery, record } from '../support/discovered.ts';
import { temporaryFolder } from '../support/folder.ts';
import { typed } from '../support/typist.ts';

const PROJECT = { 'project.yaml': 'version: "1.0"\nproject: { name: a }\n' };
const CALL: Bound = {
  tool: 'record_discovery',
  given: { type: 'rule', content: 'Breakers open for a minute', module: 'auth' },
  agent: 'reviewer',
};

type Asked = { root: string; approvals: ApprovalFiles; ask: (ago?: number, more?: Partial<Bound>) => Promise<string> };

function asked(t: TestContext): Asked {
  const root = temporaryFolder(t, PROJECT);
  const approvals = new ApprovalFiles(root);
  return {
    root,
    approvals,
    ask: async (ago = 0, more = {}) => await requestApproval(approvals, { ...CALL, ...more }, Date.now() - ago),
  };
}

function session(root: string, ...args: string[]): Ended {
  return run(['session', ...args, '--root', root]);
}

test('an approval on the terminal lets the call of any agent run, once', async (t) => {
  const { root, approvals, ask } = asked(t);
  const id = await ask();
  assert.match(id, /^[0-9a-f]{48}$/, 'a person may have to type it, and it is no option');
  await assert.rejects(() => spend(approvals, id, CALL, Date.now()), /Not approved/);
  const { code, stdout, stderr } = session(root, 'approve', id.slice(0, 6), '--yes');
  assert.deepEqual([code, stdout], [0, '']);
  assert.match(stderr, new RegExp(`^${id}  record_discovery  agent reviewer  \\S+Z  (?:300|29\\d) seconds left\\n`));
  assert.match(stderr, /\n {4}type: rule\n {4}content: Breakers open for a minute\n {4}module: auth\n/);
  assert.match(stderr, /\nApproved: record_discovery may run once\.\n$/);
  assert.equal((await approvals.find(id))?.answer?.by, 'terminal');
  await spend(approvals, id, CALL, Date.now());
  await assert.rejects(() => spend(approvals, id, CALL, Date.now()), /Not approved/);
});

test('a denial says what the agent is told', async (t) => {
  const { root, approvals, ask } = asked(t);
  const [first, second] = [await ask(), await ask()];
  const plain = session(root, 'deny', first, '--yes');
  assert.deepEqual([plain.code, plain.stdout], [0, '']);
  assert.match(plain.stderr, /\nDenied\. The agent is told: The user did not approve\. Ask what to change/);
  const { code, stdout, stderr } = session(root, 'deny', second, '--message', ' Name  the\tmodule ', '--yes', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout), { id: second, recorded: true, approved: false, message: 'Name the module' });
  assert.equal((await approvals.find(second))?.answer?.message, 'Name the module');
  for (const message of ['x'.repeat(501), 'a\u200bb', `AKIA${'QWERTYUI12345678'}`])
    assert.equal(session(root, 'deny', await ask(), '--message', message, '--yes').code, 1);
});

test('what cannot be answered is said in one line, with what to do', async (t) => {
  const { root, approvals, ask } = asked(t);
  const answered = await ask();
  await respond(approvals, answered, { approved: true, by: 'client' }, CALL.agent, Date.now());
  const denied = await ask();
  session(root, 'deny', denied, '--yes');
  const cases: [string, number, RegExp][] = [
    [
      'abcdefgh',
      1,
      /no request has an id that begins with "abcdefgh"; `fieldguide session discoveries` shows what waits/,
    ],
    ['../../../etc/passwd', 1, /no request has an id/],
    [answered, 1, /this request was approved already, by client; a new call makes a new one/],
    [denied, 1, /this request was denied already, by terminal/],
    [await ask(APPROVAL_MS), 1, /this request has expired; when the tool is called again, it asks anew/],
    [answered.slice(0, 5), 2, /an id is given by at least its first 6 characters/],
  ];
  for (const [id, code, message] of cases) {
    for (const command of ['approve', 'deny']) {
      const ended = session(root, command, id, '--yes');
      assert.deepEqual([ended.code, ended.stdout, ended.stderr.trimEnd().split('\n').length], [code, '', 1], id);
      assert.match(ended.stderr, message);
    }
  }
  for (const end of ['1', '2']) {
    const id = `same-start-of-an-id-${end}`;
    await approvals.open({ ...CALL, id, t: Date.now(), binding: '' });
  }
  assert.match(
    session(root, 'approve', 'same-start', '--yes').stderr,
    /2 requests have an id that begins with "same-start"; write more of it/,
  );
  const waiting = await ask();
  const unasked = session(root, 'approve', waiting);
  assert.equal(unasked.code, 1);
  assert.match(unasked.stderr, /a person has to answer: run it on a terminal, or add --yes\. Nothing was answered\n$/);
  assert.equal((await approvals.find(waiting))?.answer, undefined);
});

test('on a terminal the request is shown, then asked; anything but yes leaves it waiting', async (t) => {
  const { root, approvals, ask } = asked(t);
  const id = await ask();
  for (const key of ['\r', 'no\r', '\u0004', '\u0003']) {
    const ended = typed(t, ['session', 'approve', id, '--root', root], [key]);
    if (ended === undefined) return;
    assert.equal(ended.code, 1, JSON.stringify(key));
    assert.match(
      ended.shown,
      /Breakers open for a minute[\s\S]*Approve this, once\? \[y\/N\][\s\S]*the request waits on/,
    );
  }
  assert.equal((await approvals.find(id))?.answer, undefined);
  assert.equal(typed(t, ['session', 'approve', id, '--root', root], ['y\r'])?.code, 0);
  assert.equal((await approvals.find(id))?.answer?.approved, true);
  assert.match(
    typed(t, ['session', 'deny', await ask(), '--root', root], ['y\r'])?.shown ?? '',
    /Deny this\?[\s\S]*Denied\./,
  );
});

test('of answers that race exactly one counts', async (t) => {
  const { root, approvals, ask } = asked(t);
  const id = await ask();
  const outcomes = await Promise.all([
    respond(approvals, id, { approved: true, by: 'client' }, CALL.agent, Date.now()),
    respond(approvals, id, { approved: false, by: 'client' }, CALL.agent, Date.now()),
  ]);
  assert.deepEqual(outcomes.map(({ recorded }) => recorded).sort(), [false, true]);
  assert.equal(outcomes[0]?.approved, outcomes[1]?.approved);
  await assert.rejects(
    () => respond(approvals, id, { approved: true, by: 'x' }, 'another agent', Date.now()),
    /Unknown/,
  );
  assert.equal(session(root, 'approve', id, '--yes').code, 1);
});

test('discoveries shows what waits, what was accepted and what was promoted', async (t) => {
  const { root, approvals, ask } = asked(t);
  const empty = session(root, 'discoveries');
  assert.deepEqual(empty, { code: 0, stdout: 'Waiting (0)\nAccepted (0)\nPromoted (0)\n', stderr: '' });
  const waiting = await ask(10_000);
  await ask(APPROVAL_MS);
  await respond(approvals, await ask(), { approved: true, by: 'client' }, CALL.agent, Date.now());
  await new Journal({ root }).append('f00dcafe-1234', { k: 'start', t: Date.now(), client: 'claude-code' });
  await record(
    root,
    discovery('pattern', 'An old pattern', 'auth', { id: '11111111-1' }),
    discovery('issue', 'The queue stalls', 'queue', { id: '22222222-2', solution: 'Restart it' }),
    discovery('rule', 'About nothing here', undefined, { id: '33333333-3' }),
  );
  await new Journal({ root }).promoted(['11111111-1'], Date.parse('2025-05-05T05:05:05Z'));
  const { code, stdout, stderr } = session(root, 'discoveries');
  assert.equal(code, 0);
  const left = /(\d+) seconds left/.exec(stdout)?.[1] ?? '';
  assert.ok(Number(left) <= 290 && Number(left) > 200, left);
  assert.equal(
    stdout.replace(/\S+Z {2}\d+ seconds left/, 'WHEN'),
    `Waiting (1)
  ${waiting}  record_discovery  agent reviewer  WHEN
      type: rule
      content: Breakers open for a minute
      module: auth
Accepted (2)
  33333333  rule  no module  2025-03-04T05:06:07Z  session f00dcafe (claude-code)
      About nothing here
  22222222  issue  queue  2025-03-04T05:06:07Z  session f00dcafe (claude-code)
      The queue stalls
      solution: Restart it
Promoted (1)
  11111111  pattern  auth  2025-03-04T05:06:07Z  session f00dcafe (claude-code)  promoted 2025-05-05T05:05:05Z
      An old pattern
`,
  );
  assert.match(
    stderr,
    /^Answer with `fieldguide session approve <id>`.*\n`fieldguide session promote` takes them over/,
  );
  const data = (...args: string[]): Message => JSON.parse(session(root, 'discoveries', '--json', ...args).stdout);
  const ids = ({ waiting: w, accepted, promoted }: Message): string[][] =>
    [w, accepted, promoted].map((list) => list.map(({ id }: Message) => id));
  assert.deepEqual(ids(data()), [[waiting], ['33333333-3', '22222222-2'], ['11111111-1']]);
  assert.deepEqual(ids(data('--type', 'rule')), [[waiting], ['33333333-3'], []]);
  assert.deepEqual(ids(data('--module', 'auth')), [[waiting], [], ['11111111-1']]);
  const { promoted, waiting: requests } = data();
  assert.deepEqual([promoted[0].promotedAt, promoted[0].client], ['2025-05-05T05:05:05Z', 'claude-code']);
  assert.deepEqual([requests[0].given, requests[0].agent], [CALL.given, 'reviewer']);
  assert.equal(session(root, 'discoveries', '--type', 'idea').code, 2);
});

test('hostile texts and files steer nothing and stop nothing', async (t) => {
  const { root, ask } = asked(t);
  const evil = 'x\u001b[2J\r\n\u202eAccepted (99)\u0007';
  const id = await ask(0, {
    tool: evil,
    agent: evil,
    given: { [evil]: evil, content: `${evil}${'y'.repeat(100_000)}` },
  });
  await record(root, discovery('rule', evil, evil, { id: evil, sessionId: evil, solution: evil }));
  const folder = join(root, '.fieldguide/approvals');
  writeFileSync(join(folder, `${'a'.repeat(20)}.request`), 'nothing whole');
  const crafted = { k: 'request', t: Date.now(), id: 'b'.repeat(20), given: null };
  writeFileSync(join(folder, `${'b'.repeat(20)}.request`), encodeRecord(crafted));
  for (const args of [
    ['discoveries'],
    ['approve', id],
    ['promote', '--all', '--dry-run'],
    ['approve', 'b'.repeat(20), '--yes'],
  ]) {
    const { stdout, stderr } = session(root, ...args);
    assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]|\u202e|^\s*Accepted \(99/mu, args.join(' '));
    assert.doesNotMatch(stderr, / at .*\.cjs:/);
    assert.ok(stdout.length + stderr.length < 20_000);
  }
  assert.match(session(root, 'discoveries').stdout, /^Waiting \(1\)\n/);
  const linked = temporaryFolder(t, PROJECT);
  mkdirSync(join(linked, '.fieldguide/approvals'), { recursive: true });
  symlinkSync('/etc/hostname', join(linked, '.fieldguide/approvals', `${'c'.repeat(20)}.request`));
  assert.match(session(linked, 'discoveries').stderr, /the journal cannot be used \(ELOOP\)/);
  const piped = temporaryFolder(t, PROJECT);
  mkdirSync(join(piped, '.fieldguide/approvals'), { recursive: true });
  if (spawnSync('mkfifo', [join(piped, '.fieldguide/approvals', `${'d'.repeat(20)}.request`)]).status === 0)
    assert.match(session(piped, 'discoveries').stderr, /the journal is not a file \(EINVAL\)/);
});
