// Projects whose live data is kept in a database, and servers of them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Message, Served } from './command.ts';
import { builtShop } from './served.ts';
import { SHOP } from './shop.ts';

/** What every shop of these tests names; a server needs it in its environment. */
export const STORE_VARIABLE = 'FIELDGUIDE_STORE_OF_TEST';

export const SHOP_IN_DATABASE = `${SHOP}sessions: { store: "\${${STORE_VARIABLE}}" }\n`;

/** Machines of their own: a folder for each, the same bundle, one database. */
export function replica(
  t: TestContext,
  url: string,
  source = SHOP_IN_DATABASE,
): { root: string; env: NodeJS.ProcessEnv } {
  const root = builtShop(t, source);
  writeFileSync(join(root, 'AGENTS.md'), '# Agents\n');
  return { root, env: { [STORE_VARIABLE]: url } };
}

export function servedReplica(t: TestContext, url: string, source?: string): { root: string; server: Served } {
  const { root, env } = replica(t, url, source);
  return { root, server: new Served(t, ['--root', root], { env }) };
}

export async function readText(server: Served, uri: string): Promise<string> {
  const { result, error } = await server.request('resources/read', { uri });
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result.contents[0].text;
}

export async function readError(server: Served, uri: string): Promise<Message> {
  return (await server.request('resources/read', { uri })).error;
}

export async function callTool(server: Served, name: string, given: object): Promise<Message> {
  return (await server.request('tools/call', { name, arguments: given })).result;
}
