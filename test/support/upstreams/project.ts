// A project with upstreams, built by the real command.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '../command.ts';
import { temporaryFolder } from '../folder.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol');

export const EVERYTHING = {
  command: process.execPath,
  args: [join(MODULES, 'server-everything/dist/index.js'), 'stdio'],
};

export function filesystem(folder: string): object {
  return { command: process.execPath, args: [join(MODULES, 'server-filesystem/dist/index.js'), folder] };
}

/** The server that can be bad; `log` gets what reaches it. */
export function bad(mode: string, log?: string): { command: string; args: string[] } {
  const server = join(import.meta.dirname, 'bad-server.mjs');
  return { command: process.execPath, args: [server, mode, ...(log === undefined ? [] : [log])] };
}

/** Lines that the bad server wrote. */
export function logged(log: string): string[] {
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
}

export function projectWith(
  t: TestContext,
  upstreams: Record<string, object>,
  more: Record<string, unknown> = {},
): string {
  const source = { version: '1.0', project: { name: 'Up' }, ...more, upstreams };
  const root = temporaryFolder(t, { 'project.yaml': JSON.stringify(source, null, 2), 'data/a.txt': 'in a file\n' });
  const { code, stderr } = run(['build', '--root', root]);
  if (code !== 0) throw new Error(stderr);
  return root;
}

/** What a list of all groups begins with. */
export const FROM_UPSTREAMS = 'dXBzdHJlYW0g';
