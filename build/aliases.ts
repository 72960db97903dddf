// Other names of what a bundle serves, under schemes that are not ours, as project.yaml has them. Whether their targets
// are there is asked when all is known that is served.

import { type Alias, targetOf, VARIABLE, withPlainScheme } from '../runtime/aliases.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import { show } from './yaml.ts';

/** `place` is that of its target. */
export type AliasConfig = { uri: string; target: string; place: Place };

type PlaceOf = (path: readonly (string | number)[]) => Place;

/** Each is looked at, one after the other, when a scheme is not ours. */
const MOST_ALIASES = 1000;
/** Ours, and those whose addresses lead to somebody else whatever we say. */
const TAKEN = 'context guide file upstream prompt tool http https ws wss ftp data javascript'.split(' ');
const OWN = ['context', 'guide', 'file'];
const FORM = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/[^\s\\{}]*(?:\{[A-Za-z0-9_]+\}[^\s\\{}]*)?$/;

export function readAliases(
  written: ReadonlyMap<string, string | undefined>,
  placeOf: PlaceOf,
  report: Report,
): AliasConfig[] {
  const kept = new Map<string, AliasConfig>();
  if (written.size > MOST_ALIASES) {
    const what = `There are ${written.size} aliases.`;
    report(problem('value-wrong', placeOf(['aliases']), what, `Keep at most ${MOST_ALIASES}; a {name} saves many.`));
  }
  for (const [uri, target] of written) {
    const at = placeOf(['aliases', uri, '#key']);
    const fault = faultOfName(uri);
    if (fault !== undefined) {
      report(problem('name-wrong', at, `The alias ${show(uri)} ${fault[0]}`, fault[1]));
      continue;
    }
    const place = placeOf(['aliases', uri]);
    if (target === undefined) {
      report(problem('value-wrong', at, `The alias ${show(uri)} stands for nothing.`, 'Write the URI that is meant.'));
      continue;
    }
    const wrong = faultOfTarget(uri, target);
    if (wrong !== undefined) {
      report(problem('value-wrong', place, `The alias ${show(uri)} stands for ${show(target)}, ${wrong[0]}`, wrong[1]));
      continue;
    }
    const known = withPlainScheme(uri);
    const sameAs = known.replace(VARIABLE, '{}');
    const first = kept.get(sameAs);
    if (first !== undefined) {
      const what = `The alias ${show(uri)} means the same URIs as ${show(first.uri)}.`;
      report(problem('value-wrong', at, what, 'Keep one of the two.'));
    } else kept.set(sameAs, { uri: known, target, place });
  }
  return [...kept.values()];
}

/** What a URI stands for, if it is an alias. */
export function meant(uri: string, aliases: readonly AliasConfig[]): string {
  const known = aliases.map((alias): Alias => [alias.uri, alias.target]);
  return targetOf(uri, known) ?? uri;
}

type Fault = [what: string, fix: string];

function faultOfName(uri: string): Fault | undefined {
  const scheme = FORM.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) return ['is no URI.', 'Write scheme://path, with at most one {name}.'];
  if (TAKEN.includes(scheme)) return [`has the scheme ${scheme}, which is taken.`, 'Use a scheme of another server.'];
  return undefined;
}

function faultOfTarget(uri: string, target: string): Fault | undefined {
  const scheme = FORM.exec(target)?.[1];
  if (scheme === undefined || !OWN.includes(scheme))
    return [
      'which is no URI of this bundle.',
      `Write one that starts with ${OWN.map((one) => `${one}://`).join(', ')}.`,
    ];
  const [inUri, inTarget] = [VARIABLE.exec(uri)?.[0], VARIABLE.exec(target)?.[0]];
  if (inUri !== inTarget) {
    const what = inTarget === undefined ? `which has no ${inUri}.` : `but has no ${inTarget} itself.`;
    return [what, 'Write the same {name} in both, or in neither.'];
  }
  return undefined;
}
