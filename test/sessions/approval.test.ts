// Approvals: bound to one call of one agent, good once, for five minutes, whoever races.

import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bindingOf, requestApproval, respond, spend } from '../../runtime/approval.ts';
import { APPROVAL_MS, ApprovalFiles } from '../../runtime/sessions/approvals.ts';
import { signedState, verifiedState } from '../../runtime/sessions/signed-state.ts';
import { temporaryFolder } from '../support/folder.ts';

const BOUND = { tool: 'record_discovery', given: { type: 'rule', content: 'Sessions end' }, agent: 'local' };
const YES = { approved: true, by: 'client' };
const NO = { approved: false, by: 'client' };
const NOW = 1_700_000_000_000;

function word(expected: string): (error: { detail: { word: string } }) => boolean {
  return ({ detail }) => detail.word === expected;
}

test('an approved call runs once; before the answer, after its use and after five minutes it does not', async (t) => {
  const approvals = new ApprovalFiles(temporaryFolder(t));
  const id = await requestApproval(approvals, BOUND, NOW);
  await assert.rejects(spend(approvals, id, BOUND, NOW), word('approval_waiting'));
  assert.deepEqual(await respond(approvals, id, YES, 'local', NOW), {
    recorded: true,
    approved: true,
    message: 'Approved: record_discovery may run once.',
  });
  await spend(approvals, id, BOUND, NOW + APPROVAL_MS - 1);
  await assert.rejects(spend(approvals, id, BOUND, NOW + 1), word('approval_used'));
  const late = await requestApproval(approvals, BOUND, NOW);
  await respond(approvals, late, YES, 'local', NOW + 1);
  await assert.rejects(spend(approvals, late, BOUND, NOW + APPROVAL_MS), word('approval_expired'));
});

test('an approval is good for the same tool, arguments and agent only, and a wrong try does not spend it', async (t) => {
  const approvals = new ApprovalFiles(temporaryFolder(t));
  const id = await requestApproval(approvals, BOUND, NOW);
  await respond(approvals, id, YES, 'local', NOW);
  const other = { ...BOUND, given: { ...BOUND.given, content: 'Sessions never end' } };
  await assert.rejects(spend(approvals, id, other, NOW), word('approval_changed'));
  await assert.rejects(spend(approvals, id, { ...BOUND, tool: 'other' }, NOW), word('approval_changed'));
  await assert.rejects(spend(approvals, id, { ...BOUND, agent: 'else' }, NOW), word('approval_unknown'));
  await spend(approvals, id, { ...BOUND, given: { content: 'Sessions end', type: 'rule' } }, NOW);
});

test('a denial always says why, and the first answer counts', async (t) => {
  const approvals = new ApprovalFiles(temporaryFolder(t));
  const id = await requestApproval(approvals, BOUND, NOW);
  const { recorded, message } = await respond(approvals, id, NO, 'local', NOW);
  assert.ok(recorded && message.length > 20);
  const second = await respond(approvals, id, YES, 'local', NOW);
  assert.deepEqual([second.recorded, second.approved], [false, false]);
  await assert.rejects(spend(approvals, id, BOUND, NOW), word('approval_denied'));
  const expired = await requestApproval(approvals, BOUND, NOW);
  assert.equal((await respond(approvals, expired, YES, 'local', NOW + APPROVAL_MS)).recorded, false);
});

test('ids are random, and foreign, crafted and unknown ones are refused alike', async (t) => {
  const approvals = new ApprovalFiles(temporaryFolder(t));
  const ids = await Promise.all(Array.from({ length: 50 }, () => requestApproval(approvals, BOUND, NOW)));
  assert.equal(new Set(ids.map((id) => id.slice(0, 8))).size, 50);
  for (const id of [
    '../../etc/passwd',
    '',
    'x'.repeat(32),
    '__proto__',
    `${ids[0]}/`,
    ids[0]?.slice(0, 20) as string,
  ]) {
    await assert.rejects(respond(approvals, id, YES, 'local', NOW), word('approval_unknown'));
    await assert.rejects(spend(approvals, id, BOUND, NOW), word('approval_unknown'));
  }
  await assert.rejects(respond(approvals, ids[0] as string, YES, 'another', NOW), word('approval_unknown'));
});

test('a restart forgets nothing; a damaged file is no approval', async (t) => {
  const root = temporaryFolder(t);
  const id = await requestApproval(new ApprovalFiles(root), BOUND, NOW);
  await respond(new ApprovalFiles(root), id, YES, 'local', NOW);
  await spend(new ApprovalFiles(root), id, BOUND, NOW);
  await assert.rejects(spend(new ApprovalFiles(root), id, BOUND, NOW), word('approval_used'));
  const damaged = await requestApproval(new ApprovalFiles(root), BOUND, NOW);
  writeFileSync(join(root, '.fieldguide/approvals', `${damaged}.answer`), '{"approved":true}');
  await assert.rejects(spend(new ApprovalFiles(root), damaged, BOUND, NOW), word('approval_waiting'));
});

test('of a thousand races between answers, and between calls, each has exactly one winner', async (t) => {
  const root = temporaryFolder(t);
  const stores = Array.from({ length: 4 }, () => new ApprovalFiles(root));
  for (let n = 0; n < 1000; n++) {
    const id = await requestApproval(stores[0] as ApprovalFiles, BOUND, NOW + n);
    const answers = await Promise.all(stores.map((store, k) => store.answer(id, { ...(k % 2 ? YES : NO), t: NOW })));
    assert.equal(answers.filter(Boolean).length, 1);
    const uses = await Promise.all(stores.map((store) => store.use(id, NOW)));
    assert.equal(uses.filter(Boolean).length, 1);
    if (n % 100 === 99) rmSync(join(root, '.fieldguide'), { recursive: true });
  }
});

test('requests of yesterday are swept away, and nothing is left lying about', async (t) => {
  const root = temporaryFolder(t);
  const approvals = new ApprovalFiles(root);
  const id = await requestApproval(approvals, BOUND, NOW);
  await respond(approvals, id, YES, 'local', NOW);
  await requestApproval(approvals, BOUND, NOW + 25 * 60 * 60_000);
  assert.equal(readdirSync(join(root, '.fieldguide/approvals')).length, 1);
  assert.equal((await approvals.list()).length, 1);
});

test('the order of arguments does not matter to what an approval is bound to; anything else does', () => {
  const reordered = { ...BOUND, given: { content: 'Sessions end', type: 'rule' } };
  assert.equal(bindingOf(BOUND), bindingOf(reordered));
  for (const other of [
    { tool: 'x' },
    { agent: 'x' },
    { given: { type: 'rule' } },
    { given: { ...BOUND.given, module: 'a' } },
  ])
    assert.notEqual(bindingOf(BOUND), bindingOf({ ...BOUND, ...other }));
});

test('a state that a client carries is good only as it was signed, and until it expires', async (t) => {
  const key = await new ApprovalFiles(temporaryFolder(t)).key();
  const state = signedState('abcdefghijklmnop', NOW + 10, key);
  assert.equal(verifiedState(state, NOW, key), 'abcdefghijklmnop');
  assert.equal(verifiedState(state, NOW + 10, key), undefined);
  const other = await new ApprovalFiles(temporaryFolder(t)).key();
  for (const wrong of [
    state.replace('a', 'b'),
    `${state}x`,
    state.replace(String(NOW + 10), String(NOW + 9999)),
    '',
    5,
    null,
  ])
    assert.equal(verifiedState(wrong, NOW, key), undefined);
  assert.equal(verifiedState(state, NOW, other), undefined);
});
