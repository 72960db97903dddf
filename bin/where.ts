// Where a command looks, from the options that several share.

import { resolve } from 'node:path';
import { type Access, LOCAL_USER } from '../runtime/access.ts';
import type { Context } from '../runtime/context.ts';
import { CurrentBundle, type CurrentOptions } from '../runtime/current.ts';
import { liveOf } from '../runtime/live.ts';
import { type MapMode, Mapper } from '../runtime/map.ts';
import { nearest } from '../runtime/nearest.ts';
import { rootsOf } from '../runtime/roots.ts';
import { upstreamsDoor } from '../runtime/upstreams/door.ts';
import { type Args, UsageError } from './args.ts';
import { findProject, OUTPUT_FOLDER } from './find-project.ts';

/** The folder that is named, or the current one. */
export function folderOf(args: Args): string {
  return resolve(args.values.get('root') ?? '.');
}

/**
 * The project that is named, or the one that the current folder is in, or, for a server that a client starts
 * elsewhere, the one that the client works in.
 */
export function rootOf(args: Args): string {
  if (args.values.has('root')) return folderOf(args);
  const { CLAUDE_PROJECT_DIR: client } = process.env;
  return (
    findProject(process.cwd()) ?? (client === undefined ? undefined : findProject(resolve(client))) ?? folderOf(args)
  );
}

/** `--bundle` counts from the current folder, as every path on a command line; the default from the root. */
export function bundlePathOf(args: Args): string {
  const given = args.values.get('bundle');
  return given === undefined ? resolve(rootOf(args), OUTPUT_FOLDER) : resolve(given);
}

export function mapperOf(args: Args): Mapper {
  return new Mapper((args.values.get('map') ?? 'auto') as MapMode);
}

/** What is given must be of a kind that there is; whether it can be reached shows when it is used. */
export function storeOf(args: Args): string | undefined {
  const given = args.values.get('store');
  if (given === undefined || given === 'journal' || /^(?:postgres(?:ql)?:\/\/|\$\{[A-Za-z_]\w*\}$)/.test(given))
    return given;
  throw new UsageError(`--store is journal, postgres://… or the name of a variable, such as '\${FIELDGUIDE_STORE}'`);
}

export async function contextOf(
  args: Args,
  log: (line: string) => void,
  accept?: CurrentOptions['accept'],
): Promise<Context> {
  const bundle = new CurrentBundle({ path: bundlePathOf(args), mapper: mapperOf(args), log, accept });
  return {
    bundle,
    access: await accessOf(args.values.get('agent'), bundle),
    live: liveOf(rootOf(args), process.env, { store: storeOf(args), log }),
    notices: {},
    roots: rootsOf(rootOf(args)),
    upstreams: upstreamsDoor(rootOf(args), process.env, args.flags.has('trust-upstreams')),
    log,
  };
}

/** Who asks: the local user, or the agent that is named. One that a bundle there does not know is a slip. */
async function accessOf(name: string | undefined, current: CurrentBundle): Promise<Access> {
  if (name === undefined) return LOCAL_USER;
  const { agentAccess, findAgents } = await import('../runtime/agents.ts');
  const bundle = current.find();
  if (bundle === undefined) return agentAccess(current, name);
  const names = findAgents(bundle)?.map((agent) => agent.name);
  if (names?.includes(name)) return agentAccess(current, name);
  const near = nearest(name, names ?? []);
  const known = names?.length ? `there are ${names.join(', ')}` : 'project.yaml has no agents: add them and build';
  throw new UsageError(
    `there is no agent ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`} (${known})`,
  );
}
