// The hooks of every client that has them, as data: the file, the events, and how an item of an event's list
// looks. With them a session records itself.

import type { HooksEdit } from './clients.ts';

type Events = HooksEdit['events'];

/** Claude Code's form, which Codex and Gemini CLI took over: groups, each with a matcher and its handlers. */
const group = (command: string, more: object, matcher?: string): object => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command, ...more }],
});

const EDITS_AND_READS = 'Edit|Write|MultiEdit|NotebookEdit|Read';

const CLAUDE_EVENTS: Events = {
  SessionStart: (command) => group(command, { timeout: 5 }),
  PostToolUse: (command) => group(command, { timeout: 5, async: true }, EDITS_AND_READS),
  SessionEnd: (command) => group(command, { timeout: 3 }),
};

/**
 * Claude Code may be in another folder by the time of a hook. Others read its file without setting its
 * variable: they run hooks at the root.
 */
export const CLAUDE_HOOKS: HooksEdit = {
  kind: 'hooks',
  scope: 'project',
  files: ['.claude/settings.json'],
  syntax: { kind: 'json', comments: false, trailingCommas: false },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
  folder: '"${CLAUDE_PROJECT_DIR:-.}"',
  events: CLAUDE_EVENTS,
};

const { folder: _, ...AT_THE_ROOT } = CLAUDE_HOOKS;

/** Codex waits for every hook: it has no `async`. */
export const CODEX_HOOKS: HooksEdit = {
  ...AT_THE_ROOT,
  files: ['.codex/hooks.json'],
  events: { ...CLAUDE_EVENTS, PostToolUse: (command) => group(command, { timeout: 5 }, EDITS_AND_READS) },
};

/** Its times are in milliseconds. Its variable for the folder is where the hook runs anyway. */
export const GEMINI_HOOKS: HooksEdit = {
  ...AT_THE_ROOT,
  files: ['.gemini/settings.json'],
  syntax: { kind: 'json', comments: true, trailingCommas: false },
  events: {
    SessionStart: (command) => group(command, { timeout: 5000 }),
    AfterTool: (command) => group(command, { timeout: 5000 }, 'write_file|replace|read_file'),
    SessionEnd: (command) => group(command, { timeout: 5000 }),
  },
};

const VERSION = '"version": 1';

/** `afterFileEdit` would tell of an edit a second time. */
export const CURSOR_HOOKS: HooksEdit = {
  ...AT_THE_ROOT,
  files: ['.cursor/hooks.json'],
  opening: VERSION,
  events: {
    sessionStart: (command) => ({ command }),
    postToolUse: (command) => ({ command }),
    sessionEnd: (command) => ({ command }),
  },
};

const withSeconds = (command: string): object => ({ type: 'command', command, timeoutSec: 5 });

/** Copilot and VS Code read every file of this folder, so ours is our own. */
export const GITHUB_HOOKS: HooksEdit = {
  ...AT_THE_ROOT,
  files: ['.github/hooks/fieldguide.json'],
  opening: VERSION,
  events: { SessionStart: withSeconds, PostToolUse: withSeconds, SessionEnd: withSeconds },
};
