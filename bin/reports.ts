// `--reporter name[=path]`: which reports are asked for, and where each goes. One without a path has stdout to
// itself. The default one is for people: it is there unless another takes stdout, and beside others it keeps to
// stderr.

import { resolve } from 'node:path';
import { nearest } from '../runtime/nearest.ts';
import { type Args, UsageError } from './args.ts';
import type { Outcome } from './outcome.ts';
import { concise } from './reporters/concise.ts';
import { github } from './reporters/github.ts';
import { gitlab } from './reporters/gitlab.ts';
import { json } from './reporters/json.ts';
import { markdown } from './reporters/markdown.ts';
import { sarif } from './reporters/sarif.ts';

/** Beside `default`, which looks at the sources too. */
export const REPORTERS: ReadonlyMap<string, (outcome: Outcome) => string> = new Map([
  ['concise', concise],
  ['json', json],
  ['github', github],
  ['gitlab', gitlab],
  ['sarif', sarif],
  ['markdown', markdown],
]);

const WITH_WATCH = ['default', 'concise', 'json'];

export type Report = { name: string; to: 'stdout' | 'stderr' | { file: string } };

export function requestedReports(args: Args): Report[] {
  const asked = [...(args.lists.get('reporter') ?? []), ...(args.flags.has('json') ? ['json'] : [])];
  const named = [...new Set(asked)].map(splitReport);
  const files = named.flatMap(({ path }) => (path === undefined ? [] : [resolve(path)]));
  const twice = files.find((file, n) => files.indexOf(file) !== n);
  if (twice !== undefined) throw new UsageError(`two reporters would write ${JSON.stringify(twice)}`);
  const alone = named.filter(({ name, path }) => path === undefined && name !== 'default');
  if (alone.length > 1) {
    const names = alone.map(({ name }) => name).join(' and ');
    throw new UsageError(`${names} cannot share stdout; give one a path: --reporter ${alone[1]?.name}=<path>`);
  }
  if (args.flags.has('watch')) refuseWithWatch(named);
  const isPlain = named.length === 0 || named.some(({ name, path }) => name === 'default' && path === undefined);
  const forPeople: Report[] =
    alone.length === 0 || isPlain ? [{ name: 'default', to: isPlain && alone.length === 0 ? 'stdout' : 'stderr' }] : [];
  const others = named.filter(({ name, path }) => path !== undefined || name !== 'default');
  return [
    ...forPeople,
    ...others.map(({ name, path }): Report => ({ name, to: path === undefined ? 'stdout' : { file: path } })),
  ];
}

function splitReport(given: string): { name: string; path: string | undefined } {
  const equals = given.indexOf('=');
  const name = equals < 0 ? given : given.slice(0, equals);
  const path = equals < 0 ? undefined : given.slice(equals + 1);
  const names = ['default', ...REPORTERS.keys()];
  if (!names.includes(name)) {
    const near = nearest(name, names);
    const hint = near === undefined ? `one of ${names.join(', ')}` : `did you mean ${near}?`;
    throw new UsageError(`there is no reporter ${JSON.stringify(name)}; ${hint}`);
  }
  if (path === '') throw new UsageError(`--reporter ${name}= needs a path`);
  return { name, path };
}

function refuseWithWatch(named: readonly { name: string; path: string | undefined }[]): void {
  for (const { name, path } of named) {
    if (!WITH_WATCH.includes(name)) throw new UsageError(`--watch knows the reporters ${WITH_WATCH.join(', ')} alone`);
    if (path !== undefined) throw new UsageError('--watch writes no report files; leave the path out');
  }
}
