// The groups that a request may know of: what the bundle says of them, whom its agent may ask, and which of a group's
// own URIs project.yaml lets through. Everything about other servers asks here first.

import type { Context } from '../context.ts';
import { bundleFailure } from '../current.ts';
import { BundleError } from '../format.ts';
import { compileGlob, type Glob } from '../glob.ts';
import { readSettings, type UpstreamSettings } from '../settings.ts';
import { upstreamUri } from '../upstream-uri.ts';
import { parseUri } from '../uri.ts';
import type { Group } from './group.ts';
import { Hub } from './hub.ts';

/** In the order of project.yaml; none where nobody connects to other servers. */
export function groupsOf({ bundle, upstreams: door, log }: Context): readonly Group[] {
  if (door === undefined) return [];
  try {
    const settings = readSettings(bundle.find());
    if (settings.upstreams.length === 0 && door.hub === undefined) return [];
    door.hub ??= new Hub(door, log);
    return door.hub.groups(settings);
  } catch (error) {
    throw error instanceof BundleError ? bundleFailure(error) : error;
  }
}

export function findGroup(context: Context, name: string): Group | undefined {
  return groupsOf(context).find((group) => group.name === name);
}

/** Whether an agent may know that there is such a group: use its tools and prompts, and read how it is. */
export function mayKnow({ access }: Context, group: string): boolean {
  return access.everything || access.may(upstreamUri(group)) || access.may(upstreamUri(group, ''));
}

/** Whether an agent may use a prompt or a tool, by the name that it has here: the one place where that is asked. */
export function mayUse(context: Context, group: string, kind: 'prompts' | 'tools', name: string): boolean {
  const { access } = context;
  if (!mayKnow(context, group)) return false;
  // Who may read everything still calls only what its list names.
  return kind === 'prompts' ? access.everything || access.may(`prompt/${name}`) : (access.mayCall?.(name) ?? true);
}

/** Whether an agent may read a resource of a group, however its URI is spelt. False for what no URI of ours can hold. */
export function mayRead({ access }: Context, group: string, original: string): boolean {
  const address = addressOf(group, original);
  if (address === undefined) return false;
  return access.everything || (access.may(address.uri) && access.may(address.spelt));
}

/** Undefined for what the grammar refuses by its look: dot segments, control characters, too many of them. */
export function addressOf(group: string, original: string): { uri: string; spelt: string } | undefined {
  try {
    const address = parseUri(upstreamUri(group, original));
    return address.space === 'upstream' && address.original === original ? address : undefined;
  } catch {
    return undefined;
  }
}

type Globs = readonly { isTakenAway: boolean; glob: Glob }[];
const compiled = new WeakMap<UpstreamSettings, Globs>();

/** Whether the group's `resources` name a URI of its own. The last pattern that matches counts. */
export function isServed(settings: UpstreamSettings, original: string): boolean {
  if (settings.resources.length === 1 && settings.resources[0] === '**') return true;
  const globs = compiled.get(settings) ?? compile(settings);
  const spelt = addressOf(settings.group, original)?.spelt.slice(upstreamUri(settings.group, '').length);
  const passes = (uri: string): boolean => globs.findLast(({ glob }) => glob.matches(uri))?.isTakenAway === false;
  return passes(original) && (spelt === undefined || passes(spelt));
}

function compile(settings: UpstreamSettings): Globs {
  const globs = settings.resources.map((written) => {
    const isTakenAway = written.startsWith('!');
    return { isTakenAway, glob: compileGlob(isTakenAway ? written.slice(1) : written) };
  });
  compiled.set(settings, globs);
  return globs;
}
