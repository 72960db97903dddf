// `fieldguide build`: builds or checks once, or at every change, and hands the outcome to the reporters.

import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../build/diagnostics.ts';
import { PROJECT_FILE } from '../../build/project-file.ts';
import { type Args, UsageError } from '../args.ts';
import { buildFolder, type Order } from '../build-folder.ts';
import { deliver } from '../deliver.ts';
import { OUTPUT_FOLDER } from '../find-project.ts';
import type { Outcome } from '../outcome.ts';
import { jsonLine } from '../reporters/json.ts';
import { type Report, requestedReports } from '../reports.ts';
import { rootOf } from '../where.ts';

export async function build(args: Args): Promise<number> {
  const reports = requestedReports(args);
  const order = orderOf(args);
  if (args.flags.has('watch')) return await buildAtChanges(order, reports);
  const { outcome } = await buildFolder(order);
  const isDelivered = deliver(reports, outcome, order.root);
  return outcome.ok && isDelivered ? 0 : 1;
}

/** To people a problem is shown when it appears, not at every build. */
async function buildAtChanges(order: Order, reports: readonly Report[]): Promise<number> {
  const { root, out } = order;
  const forPeople = reports.filter(({ name }) => name !== 'json');
  let before: readonly Diagnostic[] = [];
  const { watch } = await import('./watch.ts');
  return await watch({
    root,
    files: [join(root, PROJECT_FILE)],
    ignored: out,
    async build() {
      const { outcome, compiled } = await buildFolder(order);
      if (forPeople.length < reports.length) process.stdout.write(jsonLine(outcome));
      deliver(forPeople, withNew(outcome, before), root);
      if (forPeople.length > 0) process.stderr.write('Watching for changes; Ctrl-C ends.\n');
      before = outcome.diagnostics;
      return compiled.madeFrom.map((path) => join(root, path));
    },
  });
}

function withNew(outcome: Outcome, before: readonly Diagnostic[]): Outcome {
  const key = ({ file, code, what }: Diagnostic): string => JSON.stringify([file, code, what]);
  const known = new Set(before.map(key));
  return { ...outcome, diagnostics: outcome.diagnostics.filter((diagnostic) => !known.has(key(diagnostic))) };
}

function orderOf(args: Args): Order {
  const { flags, values } = args;
  const isCheck = flags.has('check');
  if (isCheck && flags.has('watch')) throw new UsageError('--check looks once; leave --watch out');
  const root = rootOf(args);
  const out = values.get('out');
  const command = ['fieldguide build', ...['root', 'out'].flatMap((name) => repeated(name, values.get(name)))];
  return {
    root,
    out: out === undefined ? resolve(root, OUTPUT_FOLDER) : resolve(out),
    isStrict: flags.has('strict'),
    isCheck,
    command: command.join(' '),
  };
}

/** An option as a shell takes it. */
function repeated(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return [`--${name}`, /^[\w./@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`];
}
