// Every client as data: the files it reads, where an entry stands in them, and how the entry looks. What
// clients have beside servers, so that sessions record themselves, is in agent-hooks.ts.

import { CLAUDE_HOOKS, CODEX_HOOKS, CURSOR_HOOKS, GEMINI_HOOKS, GITHUB_HOOKS } from './agent-hooks.ts';
import type { Launch } from './launch.ts';

/** What an entry is made of. */
export type Entry = Readonly<Record<string, string | readonly string[]>>;

export type Syntax =
  | { kind: 'toml' }
  /** What the client itself reads: a file with more than that is left alone. */
  | { kind: 'json'; comments: boolean; trailingCommas: boolean };

/** Where an entry stands: the key of the object that holds it, and its own. */
export type Spot = { container: string; key: string };

export type Edit = ServerEdit | HooksEdit | PluginEdit;

type FileOfClient = {
  scope: 'project' | 'user';
  /** With slashes, from the project or the user's folder; the first that is there, or else the first. */
  files: readonly [string, ...string[]];
};

export type ServerEdit = FileOfClient & {
  kind: 'server';
  syntax: Syntax;
  spot: Spot;
  /** Where the client starts a server: that decides how paths are written. */
  startsIn: 'project' | 'workspace' | 'anywhere';
  entry(launch: Launch): Entry;
};

export type HooksEdit = FileOfClient & {
  kind: 'hooks';
  syntax: Extract<Syntax, { kind: 'json' }>;
  /** A member that such a file starts with when it is made. */
  opening?: string;
  /** What a shell makes the root of the project, for a client that may run hooks elsewhere. */
  folder?: string;
  /** The item of each event's list. */
  events: Readonly<Record<string, (command: string) => object>>;
};

/** A file that is ours as a whole. */
export type PluginEdit = FileOfClient & { kind: 'plugin' };

export type Client = {
  name: string;
  title: string;
  server: ServerEdit;
  next: string;
  hooks?: { edit: HooksEdit | PluginEdit; next: string };
};

export function editsOf({ server, hooks }: Client): readonly Edit[] {
  return hooks === undefined ? [server] : [server, hooks.edit];
}

const JSON_ONLY: Syntax = { kind: 'json', comments: false, trailingCommas: false };
const WITH_COMMENTS: Syntax = { kind: 'json', comments: true, trailingCommas: false };
const LENIENT: Syntax = { kind: 'json', comments: true, trailingCommas: true };

const KEY = 'fieldguide';

const FROM_THE_NEXT_ON = 'sessions record themselves from the next one on';

const commandAndArgs = ({ command, args }: Launch): Entry => ({ command, args });

/** Claude Code and Copilot CLI read one file, so it is one edit. */
const SHARED_FILE: ServerEdit = {
  kind: 'server',
  scope: 'project',
  files: ['.mcp.json'],
  syntax: JSON_ONLY,
  spot: { container: 'mcpServers', key: KEY },
  startsIn: 'project',
  entry: commandAndArgs,
};

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    server: SHARED_FILE,
    next: 'start Claude Code in this folder and approve the server once',
    hooks: { edit: CLAUDE_HOOKS, next: FROM_THE_NEXT_ON },
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    server: { ...SHARED_FILE, scope: 'user', files: ['Claude/claude_desktop_config.json'], startsIn: 'anywhere' },
    next: 'quit Claude Desktop and start it again',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    server: { ...SHARED_FILE, files: ['.cursor/mcp.json'], startsIn: 'workspace' },
    next: 'switch the server on in the MCP settings of Cursor',
    hooks: { edit: CURSOR_HOOKS, next: FROM_THE_NEXT_ON },
  },
  {
    name: 'vscode',
    title: 'VS Code',
    server: {
      kind: 'server',
      scope: 'project',
      files: ['.vscode/mcp.json'],
      syntax: LENIENT,
      spot: { container: 'servers', key: KEY },
      startsIn: 'workspace',
      entry: (launch) => ({ type: 'stdio', ...commandAndArgs(launch) }),
    },
    next: 'run “MCP: List Servers”, start fieldguide and trust it once',
    hooks: { edit: GITHUB_HOOKS, next: FROM_THE_NEXT_ON },
  },
  {
    name: 'codex',
    title: 'Codex',
    server: {
      kind: 'server',
      scope: 'project',
      files: ['.codex/config.toml'],
      syntax: { kind: 'toml' },
      spot: { container: 'mcp_servers', key: KEY },
      startsIn: 'project',
      entry: commandAndArgs,
    },
    next: 'start Codex in this folder and trust the project; it reads the file in trusted projects only',
    hooks: { edit: CODEX_HOOKS, next: 'start Codex in this folder and trust each hook once, in /hooks' },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    server: { ...SHARED_FILE, files: ['.gemini/settings.json'], syntax: WITH_COMMENTS },
    next: 'start Gemini CLI in this folder and trust it; /mcp shows the server',
    hooks: { edit: GEMINI_HOOKS, next: 'hooks run in a trusted folder only' },
  },
  {
    name: 'zed',
    title: 'Zed',
    server: {
      kind: 'server',
      scope: 'project',
      files: ['.zed/settings.json'],
      syntax: LENIENT,
      spot: { container: 'context_servers', key: KEY },
      startsIn: 'project',
      entry: commandAndArgs,
    },
    next: 'open the folder in Zed and trust it; the agent panel’s settings show the server',
  },
  {
    name: 'opencode',
    title: 'opencode',
    server: {
      kind: 'server',
      scope: 'project',
      files: ['opencode.json', 'opencode.jsonc'],
      syntax: LENIENT,
      spot: { container: 'mcp', key: KEY },
      startsIn: 'project',
      entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
    },
    next: 'start opencode in this folder again',
    hooks: {
      edit: { kind: 'plugin', scope: 'project', files: ['.opencode/plugins/fieldguide.js'] },
      next: FROM_THE_NEXT_ON,
    },
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    server: SHARED_FILE,
    next: 'start copilot in this folder and trust it; /mcp show lists the server',
    hooks: { edit: GITHUB_HOOKS, next: FROM_THE_NEXT_ON },
  },
];
