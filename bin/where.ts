// Where a command looks, from the options that several share.

import { resolve } from 'node:path';
import { LOCAL_USER } from '../runtime/access.ts';
import type { Context } from '../runtime/context.ts';
import { CurrentBundle, type CurrentOptions } from '../runtime/current.ts';
import { liveOf } from '../runtime/live.ts';
import { type MapMode, Mapper } from '../runtime/map.ts';
import { rootsOf } from '../runtime/roots.ts';
import { upstreamsDoor } from '../runtime/upstreams/door.ts';
import type { Args } from './args.ts';
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

export function contextOf(args: Args, log: (line: string) => void, accept?: CurrentOptions['accept']): Context {
  const bundle = new CurrentBundle({ path: bundlePathOf(args), mapper: mapperOf(args), log, accept });
  return {
    bundle,
    access: LOCAL_USER,
    live: liveOf(rootOf(args), process.env),
    notices: {},
    roots: rootsOf(rootOf(args)),
    upstreams: upstreamsDoor(rootOf(args), process.env, args.flags.has('trust-upstreams')),
    log,
  };
}
