// URIs that project.yaml and prompts name, held against what the bundle answers: nobody is sent where nothing is.

import { type AliasConfig, meant } from './aliases.ts';
import { problem, type Report } from './diagnostics.ts';
import { didYouMean, type NearMisses } from './near-misses.ts';
import { hasArgument } from './prompt-embeds.ts';
import type { Prompt } from './read-prompts.ts';
import { isServed } from './served.ts';
import { show } from './yaml.ts';

/** Those whose targets are served. */
export function checkAliases(
  aliases: readonly AliasConfig[],
  served: ReadonlySet<string>,
  near: NearMisses,
  report: Report,
): AliasConfig[] {
  return aliases.filter(({ uri, target, place }) => {
    if (isServed(target, served)) return true;
    const what = `The alias ${show(uri)} stands for ${show(target)}, which is not there.`;
    const fix = didYouMean(near.name(target, served), 'Name a URI as `fieldguide list` shows it.');
    report(problem('alias-broken', place, what, fix));
    return false;
  });
}

export function checkEmbeds(
  prompts: readonly Prompt[],
  served: ReadonlySet<string>,
  aliases: readonly AliasConfig[],
  near: NearMisses,
  report: Report,
): void {
  for (const { uri, place } of prompts.flatMap(({ embeds = [] }) => embeds)) {
    if (hasArgument(uri) || isServed(meant(uri, aliases), served)) continue;
    const fix = didYouMean(near.name(uri, served), 'Name a URI as `fieldguide list` shows it, or remove it.');
    report(problem('prompt-embed-broken', place, `The prompt embeds ${show(uri)}, which is not there.`, fix));
  }
}
