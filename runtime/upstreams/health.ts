// How a group is: one entry in the list, one page behind it. What a child wrote, and where it was started, is nobody's
// business but the log's.

import type { Feature } from '../settings.ts';
import { upstreamUri } from '../upstream-uri.ts';
import { originOf } from './entries.ts';
import type { Group } from './group.ts';
import { durationInWords, isOutage, type Outage } from './outage.ts';

/** The entry that every group keeps; `why` it gives nothing else, where that is so. */
export function healthEntry({ name, settings }: Group, why: string | undefined): Record<string, unknown> {
  const about = settings.description ?? 'Resources of another server.';
  const state = why === undefined ? 'connected' : 'failing';
  return {
    uri: upstreamUri(name),
    name: `Upstream ${name}`,
    title: `Upstream: ${name}`,
    description: why === undefined ? about : `${about} Not available: ${why}`,
    mimeType: 'text/markdown',
    _meta: originOf(name, { state }),
  };
}

/** The page; the group is asked how it is, unless it is being given time to recover. */
export async function healthPage(group: Group): Promise<string> {
  const why = await whyNot(group);
  const { name, settings, link } = group;
  const { transport, limits } = { transport: 'command' in settings ? 'program' : 'HTTP', limits: settings.timeoutMs };
  const features = (['resources', 'prompts', 'tools'] as const).filter((one) => settings.features[one]);
  const lines = [
    `# Upstream: ${name}`,
    '',
    ...(settings.description === undefined ? [] : [settings.description, '']),
    `**Status:** ${why === undefined ? 'connected' : 'failing'}`,
    ...(why === undefined ? [] : [`**Why:** ${why.detail.reason}`]),
    `**Reached by:** ${transport}`,
    ...(link === undefined ? [] : [`**Protocol:** ${link.version} (${link.era})`]),
    `**Passed on:** ${features.join(', ') || 'nothing'}`,
    `**Timeouts:** ${features.map((one) => `${one} ${durationInWords(limits[one])}`).join(', ') || 'none'}`,
    '',
    `Its resources are listed as ${upstreamUri(name)}/{uri of its own}.`,
    '',
  ];
  return lines.join('  \n').replace(/ {2}\n(?= {2}\n|$)|(?<=^|\n) {2}\n/g, '\n');
}

async function whyNot(group: Group): Promise<Outage | undefined> {
  const feature: Feature = 'resources';
  try {
    await group.connect(feature);
    return undefined;
  } catch (error) {
    if (isOutage(error)) return error;
    throw error;
  }
}
