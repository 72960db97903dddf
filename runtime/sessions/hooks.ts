// What a coding agent's hook says, in the words of a session. Every agent has its own dialect of the same JSON;
// fields are looked for under all their names, because agents read each other's settings and mix them. Of all
// that is in it only ids, the kind of event and names of files are taken: no text, no output, no address.

import { filesOf, parsedArguments, patchFiles, writtenText } from './hook-files.ts';
import { shortHash } from './short-hash.ts';

export type Heard = {
  sessionId: string;
  /** `claude`, `codex`, `gemini`, `cursor`, `copilot`, `vscode`, or as the command line says. */
  client: string;
  /** Where it happened; undefined when only the process knows. */
  cwd: string | undefined;
  event: HeardEvent;
};

/** As a session's event, with files as the agent wrote them. A touch of nothing says that work goes on. */
export type HeardEvent = { k: 'start' } | { k: 'end' } | { k: 'touch'; use?: string; files?: readonly string[] };

/** What the command line says instead of the payload. */
export type Overrides = { event?: string | undefined; agent?: string | undefined };

type Payload = { readonly [name: string]: unknown };
type Environment = { readonly [name: string]: string | undefined };

/** Events by their names in small letters. Others say nothing about work: they are passed over. */
const TOOL_DONE = ['posttooluse', 'posttoolusefailure', 'aftertool'];
const WORK = [
  ...['userpromptsubmit', 'userpromptsubmitted', 'beforesubmitprompt', 'beforeagent'],
  ...['pretooluse', 'beforetool', 'permissionrequest', 'posttoolbatch', 'beforereadfile'],
  ...['beforeshellexecution', 'aftershellexecution', 'beforemcpexecution', 'aftermcpexecution'],
  ...['subagentstart', 'subagentstop', 'afteragentresponse', 'afteragentthought'],
  ...['stop', 'agentstop', 'stopfailure', 'afteragent', 'precompact', 'postcompact', 'precompress'],
];
const GEMINI_ONLY = ['beforetool', 'aftertool', 'beforeagent', 'afteragent', 'precompress'];
const AGENT_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Undefined when there is nothing to record: no session is named, or nothing was done. */
export function readHook(payload: unknown, env: Environment, overrides: Overrides = {}): Heard | undefined {
  if (!isPayload(payload)) return undefined;
  const sessionId = text(payload.conversation_id) ?? text(payload.session_id) ?? text(payload.sessionId);
  if (sessionId === undefined) return undefined;
  const said = overrides.event ?? text(payload.hook_event_name) ?? text(payload.hookEventName) ?? guessed(payload);
  const name = said.toLowerCase();
  const event = eventOf(name, payload);
  if (event === undefined) return undefined;
  return { sessionId, client: clientOf(payload, name, env, overrides.agent), cwd: cwdOf(payload, env), event };
}

function eventOf(name: string, payload: Payload): HeardEvent | undefined {
  if (name === 'sessionstart') return { k: 'start' };
  if (name === 'sessionend') return { k: 'end' };
  if (TOOL_DONE.includes(name)) return toolUse(payload);
  if (name === 'afterfileedit') return { k: 'touch', use: useOf(payload, payload), files: filesOf('', payload) };
  return WORK.includes(name) ? { k: 'touch' } : undefined;
}

function toolUse(payload: Payload): HeardEvent {
  const name = text(payload.tool_name) ?? text(payload.toolName) ?? '';
  const input = parsedArguments(payload.tool_input ?? payload.toolArgs);
  const files = [...filesOf(name, input), ...patchFiles(name, input)];
  return { k: 'touch', use: useOf(payload, input), files };
}

/**
 * Tells one use from another, the same for every delivery. Cursor tells of an edit twice, once without an id: what
 * was written where is the same in both. Agents without ids say when it was.
 */
function useOf(payload: Payload, input: unknown): string {
  const written = isCursor(payload) ? writtenText(input) : undefined;
  const turn = text(payload.generation_id) ?? text(payload.turn_id) ?? '';
  if (written !== undefined) return hashOf('edit', turn, filesOf('', input).join('\n'), written);
  const id = [payload.tool_use_id, payload.toolUseId, payload.tool_call_id, payload.toolCallId].find(text);
  if (id !== undefined) return hashOf('id', id as string);
  const at = timeOf(payload.timestamp);
  const name = text(payload.tool_name) ?? text(payload.toolName) ?? '';
  return at === undefined ? hashOf('use', turn, name, jsonOf(input)) : hashOf('at', String(at), jsonOf(input));
}

function hashOf(...parts: string[]): string {
  return shortHash(parts.join('\0'));
}

function timeOf(timestamp: unknown): number | undefined {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined;
}

/** What nests too deeply to be written is told apart by its time alone. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** Copilot's own form does not name its event. */
function guessed(payload: Payload): string {
  if ('toolName' in payload) return 'toolResult' in payload || 'error' in payload ? 'postToolUse' : 'preToolUse';
  if ('source' in payload) return 'sessionStart';
  return 'reason' in payload ? 'sessionEnd' : '';
}

function cwdOf(payload: Payload, env: Environment): string | undefined {
  const [workspace] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  return [payload.cwd, workspace, env.CLAUDE_PROJECT_DIR, env.GEMINI_PROJECT_DIR].map(text).find(Boolean);
}

/** By what only one of them says; where two say the same, by where the transcript lies or by the environment. */
function clientOf(payload: Payload, event: string, env: Environment, given: string | undefined): string {
  if (given !== undefined && AGENT_NAME.test(given)) return given;
  if (isCursor(payload)) return 'cursor';
  if ('hookEventName' in payload) return 'vscode';
  if ('sessionId' in payload || 'tool_result' in payload) return 'copilot';
  const transcript = text(payload.transcript_path)?.split(/[\\/]/) ?? [];
  const owner = ['claude', 'codex', 'gemini'].find((agent) => transcript.includes(`.${agent}`));
  if (owner !== undefined) return owner;
  if (GEMINI_ONLY.includes(event)) return 'gemini';
  if ('turn_id' in payload || ('model' in payload && 'permission_mode' in payload)) return 'codex';
  if (text(env.GEMINI_SESSION_ID) === text(payload.session_id)) return 'gemini';
  if ('timestamp' in payload) return 'transcript_path' in payload ? 'vscode' : 'copilot';
  return 'claude';
}

function isCursor(payload: Payload): boolean {
  return 'conversation_id' in payload || 'cursor_version' in payload;
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty is as good as absent. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
