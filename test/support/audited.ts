// Servers that write an audit, and its lines as a test reads them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Message, run, Served } from './command.ts';
import { temporaryFolder } from './folder.ts';
import { builtShop } from './served.ts';

export type Audited = { root: string; file: string; serve(env?: NodeJS.ProcessEnv): Served };

export function auditedShop(t: TestContext, file = join(temporaryFolder(t), 'audit.log')): Audited {
  const root = builtShop(t);
  return { root, file, serve: (env = {}) => new Served(t, ['--root', root, '--audit', file], { env }) };
}

/** The lines as they stand, without those that are empty. */
export function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** Accesses only, in the order of the file; what a full disk tore is none. */
export function accessesIn(file: string): Message[] {
  return linesOf(file)
    .flatMap((line) => (line.endsWith('"}') ? [JSON.parse(line)] : []))
    .filter(({ event }) => event === undefined);
}

export function headsOf(file: string): string[] {
  return readdirSync(`${file}.heads`);
}

export function verify(file: string): Message {
  return JSON.parse(run(['audit', 'verify', file, '--json']).stdout);
}

export function show(file: string, ...more: string[]): Message {
  return JSON.parse(run(['audit', 'show', file, '--json', ...more]).stdout);
}

/** Ends the input and waits. */
export async function ended(server: Served): Promise<number | null> {
  server.child.stdin.end();
  return (await server.ended).code;
}
