// Projects to connect clients to: a home and a PATH of their own, and what clients would read from their files.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse as parseJson } from 'jsonc-parser/lib/esm/main.js';
import { parse as parseToml } from 'smol-toml';
import { type Ended, run, START_FILE } from './command.ts';
import { temporaryFolder } from './folder.ts';

const USER_FOLDER = process.platform === 'darwin' ? 'home/Library/Application Support' : 'home/.config';

/** Where each client's file is in these tests. */
export const CLIENT_FILES: Readonly<Record<string, string>> = {
  claude: '.mcp.json',
  'claude-desktop': `${USER_FOLDER}/Claude/claude_desktop_config.json`,
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  zed: '.zed/settings.json',
  opencode: 'opencode.json',
  copilot: '.mcp.json',
};

export type Project = { root: string; connect(...args: string[]): Ended };

/** The command runs in the project, found on the PATH or not. */
export function projectToConnect(t: TestContext, root: string, { onPath = false, env = {} } = {}): Project {
  const bin = temporaryFolder(t);
  symlinkSync(onPath ? START_FILE : '/nowhere', join(bin, 'fieldguide'));
  mkdirSync(join(root, 'home'), { recursive: true });
  if (!existsSync(join(root, 'project.yaml'))) writeFileSync(join(root, 'project.yaml'), '');
  const own = {
    HOME: join(root, 'home'),
    XDG_CONFIG_HOME: '',
    APPDATA: join(root, 'home/.config'),
    PATH: [bin, process.env.PATH].join(delimiter),
    ...env,
  };
  return { root, connect: (...args) => run(['connect', ...args], { cwd: root, env: own }) };
}

type Started = { command: string; args: string[] };

/** The command of the entry, as the client would start it in this project. */
export function startedBy(client: string, root: string, file = CLIENT_FILES[client] as string): Started {
  const text = readFileSync(join(root, file), 'utf8');
  // biome-ignore lint/suspicious/noExplicitAny: files of clients are looked into freely by tests
  const value: any = file.endsWith('.toml') ? parseToml(text) : parseJson(text, [], { allowTrailingComma: true });
  const { mcpServers, servers, context_servers, mcp, mcp_servers } = value;
  const { command, args } = (mcpServers ?? servers ?? context_servers ?? mcp ?? mcp_servers).fieldguide;
  const words: string[] = [command, args ?? []].flat();
  const isFilledIn = client === 'vscode' || client === 'cursor';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
  const [first, ...rest] = words.map((word) => (isFilledIn ? word.replaceAll('${workspaceFolder}', root) : word));
  return { command: first as string, args: rest };
}
