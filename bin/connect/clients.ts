// Every client as data: the files it reads, where an entry stands in them, and how the entry looks. A file
// that a client has for something else than servers is one more edit here.

import type { Launch } from './launch.ts';

/** What an entry is made of. */
export type Entry = Readonly<Record<string, string | readonly string[]>>;

export type Syntax =
  | { kind: 'toml' }
  /** What the client itself reads: a file with more than that is left alone. */
  | { kind: 'json'; comments: boolean; trailingCommas: boolean };

/** Where an entry stands: the key of the object that holds it, and its own. */
export type Spot = { container: string; key: string };

export type Edit = {
  scope: 'project' | 'user';
  /** With slashes, from the project or the user's folder; the first that is there, or else the first. */
  files: readonly [string, ...string[]];
  syntax: Syntax;
  spot: Spot;
  /** Where the client starts a server: that decides how paths are written. */
  startsIn: 'project' | 'workspace' | 'anywhere';
  entry(launch: Launch): Entry;
};

export type Client = { name: string; title: string; edits: readonly Edit[]; next: string };

const JSON_ONLY: Syntax = { kind: 'json', comments: false, trailingCommas: false };
const WITH_COMMENTS: Syntax = { kind: 'json', comments: true, trailingCommas: false };
const LENIENT: Syntax = { kind: 'json', comments: true, trailingCommas: true };

const KEY = 'fieldguide';

const commandAndArgs = ({ command, args }: Launch): Entry => ({ command, args });

/** Claude Code and Copilot CLI read one file, so it is one edit. */
const SHARED_FILE: Edit = {
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
    edits: [SHARED_FILE],
    next: 'start Claude Code in this folder and approve the server once',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    edits: [{ ...SHARED_FILE, scope: 'user', files: ['Claude/claude_desktop_config.json'], startsIn: 'anywhere' }],
    next: 'quit Claude Desktop and start it again',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    edits: [{ ...SHARED_FILE, files: ['.cursor/mcp.json'], startsIn: 'workspace' }],
    next: 'switch the server on in the MCP settings of Cursor',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    edits: [
      {
        scope: 'project',
        files: ['.vscode/mcp.json'],
        syntax: LENIENT,
        spot: { container: 'servers', key: KEY },
        startsIn: 'workspace',
        entry: (launch) => ({ type: 'stdio', ...commandAndArgs(launch) }),
      },
    ],
    next: 'run “MCP: List Servers”, start fieldguide and trust it once',
  },
  {
    name: 'codex',
    title: 'Codex',
    edits: [
      {
        scope: 'project',
        files: ['.codex/config.toml'],
        syntax: { kind: 'toml' },
        spot: { container: 'mcp_servers', key: KEY },
        startsIn: 'project',
        entry: commandAndArgs,
      },
    ],
    next: 'start Codex in this folder and trust the project; it reads the file in trusted projects only',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    edits: [{ ...SHARED_FILE, files: ['.gemini/settings.json'], syntax: WITH_COMMENTS }],
    next: 'start Gemini CLI in this folder and trust it; /mcp shows the server',
  },
  {
    name: 'zed',
    title: 'Zed',
    edits: [
      {
        scope: 'project',
        files: ['.zed/settings.json'],
        syntax: LENIENT,
        spot: { container: 'context_servers', key: KEY },
        startsIn: 'project',
        entry: commandAndArgs,
      },
    ],
    next: 'open the folder in Zed and trust it; the agent panel’s settings show the server',
  },
  {
    name: 'opencode',
    title: 'opencode',
    edits: [
      {
        scope: 'project',
        files: ['opencode.json', 'opencode.jsonc'],
        syntax: LENIENT,
        spot: { container: 'mcp', key: KEY },
        startsIn: 'project',
        entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
      },
    ],
    next: 'start opencode in this folder again',
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    edits: [SHARED_FILE],
    next: 'start copilot in this folder and trust it; /mcp show lists the server',
  },
];
