// A bundle may come from anybody, so by itself it starts no program and sends no variable of the environment anywhere:
// its project.yaml must stand, byte for byte, at the root that is served.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings, UpstreamSettings } from '../settings.ts';
import type { UpstreamsDoor } from './door.ts';
import { Outage } from './outage.ts';
import { namesVariables } from './variables.ts';

const PROJECT_FILE = 'project.yaml';

/** Throws Outage for a group that may not be connected to. Looked at whenever a connection is made. */
export function checkTrust(one: UpstreamSettings, { projectSha256 }: Settings, door: UpstreamsDoor): void {
  if (door.trustsAll || !needsTrust(one)) return;
  const here = sha256At(door.root);
  if (here !== undefined && here === projectSha256) return;
  throw new Outage({
    brief: 'is not connected',
    reason:
      'command' in one
        ? 'Its program is not started: the bundle was made from another project.yaml than the one that stands here.'
        : 'It names variables of the environment, and the bundle was made from another project.yaml than the one that stands here.',
    word: 'not_trusted',
    advice: 'upstreamTrust',
  });
}

function needsTrust(one: UpstreamSettings): boolean {
  return 'command' in one || namesVariables([one.url, ...one.headers.map(([, value]) => value)]);
}

function sha256At(root: string): string | undefined {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, PROJECT_FILE)))
      .digest('hex');
  } catch {
    return undefined;
  }
}
