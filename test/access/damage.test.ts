// A damaged bundle and an agent: whatever bit is flipped, it hears what it may hear, exactly, or that the bundle is
// damaged. Never more: rules that cannot be read allow nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentAccess } from '../../runtime/agents.ts';
import { answerValue } from '../../runtime/answer.ts';
import type { Bundle } from '../../runtime/bundle.ts';
import type { Context } from '../../runtime/context.ts';
import { bundleFailure, type CurrentBundle } from '../../runtime/current.ts';
import { Failure } from '../../runtime/failure.ts';
import { BundleError } from '../../runtime/format.ts';
import { liveOf } from '../../runtime/live.ts';
import { dispatch } from '../../runtime/wire/dispatch.ts';
import { openBytes } from '../support/bytes.ts';
import { bundleBytes, SHOP } from '../support/shop.ts';

const AGENTS =
  'agents: { half: { resources: ["**", "!context://module/auth", "!context://for/**"], prompts: ["*"] } }\n';
const REQUESTS: [method: string, params?: object][] = [
  ['initialize', {}],
  ['resources/list'],
  ['tools/list'],
  ['prompts/list'],
  ['prompts/get', { name: 'getting-started' }],
  ['resources/read', { uri: 'context://project/overview' }],
  ['resources/read', { uri: 'context://module/auth' }],
  ['resources/read', { uri: 'context://module/users' }],
  ['tools/call', { name: 'search', arguments: { query: 'teams' } }],
  ['tools/call', { name: 'search', arguments: { query: 'mutex' } }],
  ['tools/call', { name: 'list_resources', arguments: {} }],
];

function contextOf(bundle: Bundle): Context {
  const current = { inService: bundle, get: () => bundle, find: () => bundle } as unknown as CurrentBundle;
  const access = agentAccess(current, 'half');
  return { bundle: current, access, live: liveOf('/nowhere', {}), notices: {}, roots: () => ['/'], log: () => {} };
}

async function answers(bundle: Bundle): Promise<string[]> {
  const context = contextOf(bundle);
  const all: string[] = [];
  for (const [method, params = {}] of REQUESTS) {
    const outcome = await dispatch(context, { id: 1, method, params: { ...params } });
    all.push(JSON.stringify('answer' in outcome ? answerValue(outcome.answer) : outcome.error));
  }
  return all;
}

test('every so many bits of a bundle, an agent hears what it may, or of the damage', async () => {
  const bytes = bundleBytes(SHOP + AGENTS);
  const expected = await answers(openBytes(bytes));
  assert.match(expected[5] as string, /Modules \(2\)/);
  assert.doesNotMatch(expected.join(''), /mutex locks|JWT|Authentication/);
  let damaged = 0;
  for (let bit = 0; bit < bytes.length * 8; bit += 307) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
    const opened = openedOrFailure(copy);
    if (opened instanceof Failure) continue;
    for (const [n, answer] of (await answers(opened)).entries()) {
      if (answer === expected[n]) continue;
      damaged++;
      const isHandshake = REQUESTS[n]?.[0] === 'initialize' && !answer.includes('"instructions"');
      assert.ok(isHandshake || /"kind":"damaged"|\\"error\\":\\"damaged\\"/.test(answer), `bit ${bit}: ${answer}`);
    }
  }
  assert.ok(damaged > 100, String(damaged));
});

function openedOrFailure(bytes: Buffer): Bundle | Failure {
  try {
    return openBytes(bytes);
  } catch (error) {
    if (error instanceof BundleError) return bundleFailure(error);
    throw error;
  }
}
