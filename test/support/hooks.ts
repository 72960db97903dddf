// Hooks as agents run them: payloads from the fixtures, the command as a child process, and what it left behind.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Ended, START_FILE } from './command.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/hooks');

// biome-ignore lint/suspicious/noExplicitAny: payloads are changed freely by tests
export type Payload = any;

/** `agent/event`, sorted. */
export function fixtureNames(): string[] {
  return readdirSync(FIXTURES)
    .flatMap((agent) => readdirSync(join(FIXTURES, agent)).map((file) => `${agent}/${basename(file, '.json')}`))
    .sort();
}

/** The text of a payload that happened in `root`. */
export function fixtureText(name: string, root: string): string {
  return readFileSync(join(FIXTURES, `${name}.json`), 'utf8').replaceAll('{{root}}', root);
}

export function fixture(name: string, root: string): Payload {
  return JSON.parse(fixtureText(name, root));
}

/** Agents start hooks without waiting for one another; so do tests. */
export function startHook(
  input: string | Buffer,
  options: { args?: string[]; cwd?: string; env?: NodeJS.ProcessEnv; keepOpen?: boolean } = {},
): Promise<Ended> {
  const { args = [], keepOpen = false, env, ...rest } = options;
  const child = spawn(process.execPath, [START_FILE, 'session', 'hook', ...args], {
    ...rest,
    env: { ...environment(), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  if (keepOpen) child.stdin.write(input);
  else child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** What agents set must not come from the agent that runs the tests. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CLAUDE|GEMINI|COPILOT)/.test(name)));
}

/** Every record of a journal; anything that is not whole fails. */
export function recordsOf(file: string): Payload[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    if (line.slice(0, 8) !== crc32(line.slice(9)).toString(16).padStart(8, '0')) throw new Error(`not whole: ${line}`);
    return JSON.parse(line.slice(9));
  });
}

export function sessionRecords(root: string, sessionId: string): Payload[] {
  return recordsOf(join(root, '.fieldguide/sessions', `${sessionId}.journal`));
}

/** All bytes under `.fieldguide`, names included. */
export function everythingStored(root: string): string {
  const folder = join(root, '.fieldguide');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .map((entry) => `${entry.name}\n${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : ''}`)
    .join('\n');
}
