// The way from a request to other servers. It stands in the start file, so it only holds what a process has one of:
// whether programs may be started, who listens, and, once somebody asked, the groups themselves.

import type { Hub } from './hub.ts';

/** What a group says without being asked. */
export type UpstreamNotice =
  | { kind: 'updated'; group: string; original: string }
  | { kind: 'listChanged'; list: 'resources' | 'prompts' | 'tools' };

export type UpstreamsDoor = {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Programs are started whoever the bundle comes from. */
  readonly trustsAll: boolean;
  readonly listeners: Set<(notice: UpstreamNotice) => void>;
  hub?: Hub;
};

export function upstreamsDoor(root: string, env: NodeJS.ProcessEnv, trustsAll: boolean): UpstreamsDoor {
  return { root, env, trustsAll, listeners: new Set() };
}

/** Ends what was started; without anything started there is nothing to do. */
export async function endUpstreams(door: UpstreamsDoor | undefined): Promise<void> {
  await door?.hub?.end();
}
