// What is heard in the payloads of each agent, one fixture for each event that matters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHook } from '../../runtime/sessions/hooks.ts';
import { fixture, fixtureNames } from '../support/hooks.ts';

const ROOT = '/repo';
const inRoot = (...paths: string[]): string[] => paths.map((path) => `${ROOT}/${path}`);

const WORK = { k: 'touch' };
const START = { k: 'start' };
const END = { k: 'end' };
const uses = (...files: string[]) => ({ k: 'touch', use: true, files });

/** By fixture: what must be heard, `use` being any. Undefined: nothing. */
const EXPECTED: Record<string, object | undefined> = {
  'claude/SessionStart': START,
  'claude/PostToolUse': uses(...inRoot('src/pay.ts')),
  'claude/PostToolUse-NotebookEdit': uses(...inRoot('notes/a.ipynb')),
  'claude/PostToolUse-Bash': uses(),
  'claude/PostToolUse-Grep': uses(),
  'claude/PostToolUse-outside': uses('/home/planted/.ssh/id_rsa'),
  'claude/PostToolUseFailure': uses(...inRoot('src/locked.ts')),
  'claude/UserPromptSubmit': WORK,
  'claude/Stop': WORK,
  'claude/StopFailure': WORK,
  'claude/SubagentStart': WORK,
  'claude/SubagentStop': WORK,
  'claude/SessionEnd': END,
  'claude/FileChanged': undefined,
  'claude/CwdChanged': undefined,
  'claude/WorktreeCreate': undefined,
  'codex/SessionStart': START,
  'codex/PostToolUse': uses(
    'src/new.ts',
    'src/old.ts',
    'src/moved.ts',
    ...inRoot('src/gone.ts'),
    '../outside/planted.ts',
  ),
  'codex/PostToolUse-Bash': uses(),
  'codex/Stop': WORK,
  'codex/SubagentStart': WORK,
  'codex/SubagentStop': WORK,
  'codex/SessionEnd': END,
  'gemini/SessionStart': START,
  'gemini/AfterTool': uses('src/relative.ts'),
  'gemini/AfterTool-error': uses(...inRoot('src/missing.ts')),
  'gemini/AfterAgent': WORK,
  'gemini/SessionEnd': END,
  'cursor/sessionStart': START,
  'cursor/postToolUse': uses(...inRoot('src/cart.ts')),
  'cursor/afterFileEdit': uses(...inRoot('src/cart.ts')),
  'cursor/postToolUseFailure': uses(...inRoot('src/none.ts')),
  'cursor/stop': WORK,
  'cursor/subagentStart': WORK,
  'cursor/subagentStop': WORK,
  'cursor/sessionEnd': END,
  'cursor/cli-postToolUse-Shell': uses(),
  'cursor/cli-postToolUse-Read': uses(...inRoot('docs/logo.png')),
  'copilot/sessionStart': START,
  'copilot/SessionStart-snake': START,
  'copilot/postToolUse': uses(...inRoot('src/tax.ts')),
  'copilot/postToolUse-string': uses(...inRoot('src/vat.ts')),
  'copilot/PostToolUse-snake': uses(...inRoot('src/tax.ts')),
  'copilot/postToolUseFailure': uses(...inRoot('src/no.ts')),
  'copilot/PostToolUseFailure-snake': uses(...inRoot('src/no.ts')),
  'copilot/agentStop': undefined,
  'copilot/Stop-snake': WORK,
  'copilot/subagentStart': undefined,
  'copilot/subagentStop': undefined,
  'copilot/SubagentStop-snake': WORK,
  'copilot/sessionEnd': END,
  'copilot/SessionEnd-snake': END,
  'vscode/SessionStart': START,
  'vscode/PostToolUse': uses('src/main.ts', ...inRoot('src/side.ts')),
  'vscode/PostToolUse-replacements': uses(...inRoot('src/one.ts', 'src/two.ts')),
  'vscode/UserPromptSubmit': WORK,
  'vscode/Stop': WORK,
  'vscode/SubagentStop': WORK,
};

function heard(name: string, changes: object = {}, env = {}) {
  return readHook({ ...fixture(name, ROOT), ...changes }, env);
}

function useOf(name: string, changes: object = {}): string | undefined {
  const event = heard(name, changes)?.event;
  return event?.k === 'touch' ? event.use : undefined;
}

test('every event of every agent is heard as what it is', () => {
  assert.deepEqual(Object.keys(EXPECTED).sort(), fixtureNames());
  for (const [name, expected] of Object.entries(EXPECTED)) {
    const event = heard(name)?.event;
    const seen =
      event?.k === 'touch' && event.use !== undefined ? { ...event, use: /^[0-9a-f]{12}$/.test(event.use) } : event;
    assert.deepEqual(seen, expected, name);
  }
});

test('the agent is known by its payload, the session by the id it gives, the place by its folder', () => {
  for (const name of fixtureNames()) {
    const payload = fixture(name, ROOT);
    const { sessionId, client, cwd } = heard(name) ?? {};
    if (sessionId === undefined) continue;
    assert.equal(sessionId, payload.conversation_id ?? payload.session_id ?? payload.sessionId, name);
    assert.equal(cwd, ROOT, name);
    if (/start/i.test(name)) assert.equal(client, name.split('/')[0], name);
  }
});

test('an event that the payload does not name is said on the command line', () => {
  for (const name of ['agentStop', 'subagentStart', 'subagentStop']) {
    assert.deepEqual(readHook(fixture(`copilot/${name}`, ROOT), {}, { event: name })?.event, WORK);
  }
  assert.deepEqual(readHook(fixture('claude/Stop', ROOT), {}, { event: 'sessionEnd' })?.event, END);
  assert.equal(readHook(fixture('claude/Stop', ROOT), {}, { event: 'Notification' }), undefined);
  assert.equal(readHook(fixture('claude/SessionStart', ROOT), {}, { agent: 'opencode' })?.client, 'opencode');
  assert.equal(readHook(fixture('claude/SessionStart', ROOT), {}, { agent: '../x' })?.client, 'claude');
});

test('where the payload has no folder, the environment has one', () => {
  const env = { CLAUDE_PROJECT_DIR: '/claude', GEMINI_PROJECT_DIR: '/gemini' };
  assert.equal(heard('cursor/cli-postToolUse-Read')?.cwd, ROOT);
  assert.equal(heard('cursor/cli-postToolUse-Read', { workspace_roots: [] }, env)?.cwd, '/claude');
  assert.equal(heard('gemini/SessionStart', { cwd: '' }, { GEMINI_PROJECT_DIR: '/gemini' })?.cwd, '/gemini');
  assert.equal(heard('claude/SessionStart', { cwd: 7 })?.cwd, undefined);
});

test('a session without an id is passed over', () => {
  for (const id of [undefined, '', null, 7, {}, []])
    assert.equal(heard('claude/SessionStart', { session_id: id }), undefined);
});

test('the same use has the same mark however it is told, another use another', () => {
  assert.equal(useOf('cursor/postToolUse'), useOf('cursor/afterFileEdit'));
  assert.equal(useOf('copilot/postToolUse'), useOf('copilot/PostToolUse-snake'));
  assert.equal(useOf('claude/PostToolUse'), useOf('claude/PostToolUse', { hook_event_name: 'PostToolUseFailure' }));
  assert.equal(useOf('gemini/AfterTool'), useOf('gemini/AfterTool'));
  const all = fixtureNames().flatMap((name) => useOf(name) ?? []);
  assert.equal(new Set(all).size, all.length - 2);
  assert.notEqual(useOf('gemini/AfterTool'), useOf('gemini/AfterTool', { timestamp: '2026-08-20T10:11:12.346Z' }));
  assert.notEqual(useOf('gemini/AfterTool'), useOf('gemini/AfterTool', { tool_input: { file_path: 'src/other.ts' } }));
  assert.notEqual(useOf('cursor/afterFileEdit'), useOf('cursor/afterFileEdit', { generation_id: 'next' }));
  assert.notEqual(
    useOf('claude/PostToolUse', { tool_use_id: undefined }),
    useOf('claude/PostToolUse', { tool_use_id: undefined, tool_name: 'Read' }),
  );
});

test('marks of a hundred thousand uses are as good as all different', () => {
  const marks = new Set<string | undefined>();
  for (let n = 0; n < 100_000; n++) marks.add(useById(`toolu_${n.toString(36)}`));
  assert.equal(marks.size, 100_000);
});

function useById(id: string): string | undefined {
  const event = readHook({ session_id: 's', hook_event_name: 'PostToolUse', tool_use_id: id }, {})?.event;
  return event?.k === 'touch' ? event.use : undefined;
}

test('anything else is heard as nothing, and nothing throws', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  const proto = JSON.parse('{"__proto__":{"session_id":"x","hook_event_name":"SessionStart"}}');
  for (const payload of [undefined, null, 1, 'x', true, [], [{}], {}, proto, deep]) {
    assert.equal(readHook(payload, {}), undefined);
  }
  assert.equal(({} as { session_id?: string }).session_id, undefined);
  const base = { session_id: 's', hook_event_name: 'PostToolUse' };
  for (const input of [
    undefined,
    null,
    1,
    'x',
    '{',
    '{"a":',
    [],
    [null],
    deep,
    { path: 7 },
    { files: [null, 7, {}] },
    { edits: 'x' },
  ]) {
    assert.equal(readHook({ ...base, tool_input: input, timestamp: {} }, {})?.event.k, 'touch');
    assert.equal(
      readHook({ ...base, conversation_id: 'c', tool_input: input, workspace_roots: 'x' }, {})?.event.k,
      'touch',
    );
  }
  assert.equal(readHook({ ...base, hook_event_name: 'constructor' }, {}), undefined);
});
