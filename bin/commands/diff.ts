// `fieldguide diff <old> <new>`: what an agent would notice between two bundles.

import { resolve } from 'node:path';
import { openBundle } from '../../runtime/current.ts';
import { countedDigest } from '../../runtime/digest.ts';
import { BundleError } from '../../runtime/format.ts';
import { type Args, UsageError } from '../args.ts';
import { compare, type Side } from '../diff/compare.ts';
import type { Difference } from '../diff/difference.ts';
import { markdownReport } from '../diff/markdown-report.ts';
import { NOTHING, snapshot } from '../diff/snapshot.ts';
import { textReport } from '../diff/text-report.ts';
import { painter } from '../terminal.ts';
import { mapperOf } from '../where.ts';

export function diff(args: Args): number {
  const [old = '', fresh = ''] = args.positionals;
  if (args.flags.has('json') && args.values.has('reporter')) {
    throw new UsageError('--json is data and --reporter is text; give one of them');
  }
  const difference = withBoth(old, fresh, args);
  process.stdout.write(output(difference, args));
  return args.flags.has('exit-code') && difference.noticed ? 1 : 0;
}

function withBoth(old: string, fresh: string, args: Args): Difference {
  const before = readSide(old, args, args.flags.has('allow-missing'));
  const after = readSide(fresh, args, false);
  return read(`one of ${old} and ${fresh}`, () => compare(before, after as Side, NOTHING));
}

/** Undefined for a bundle that is missing and may be. */
function readSide(path: string, args: Args, mayBeMissing: boolean): Side | undefined {
  return read(path, () => {
    try {
      const bundle = openBundle(resolve(path), mapperOf(args));
      const digest = countedDigest(bundle);
      if (digest !== bundle.digest) throw new BundleError('damaged', 'Its bytes are not those of its digest.');
      return { seen: snapshot(bundle), digest };
    } catch (error) {
      if (mayBeMissing && error instanceof BundleError && error.kind === 'missing') return undefined;
      throw error;
    }
  });
}

function read<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const next: Partial<Record<BundleError['kind'], string>> = {
      missing: 'Run `fieldguide build` to make it, or, if it is the old one of a first build, give --allow-missing.',
      damaged: '`fieldguide verify` says what is damaged; `fieldguide build` makes it anew.',
    };
    throw new Error(
      [`the bundle ${path} cannot be compared.`, error.message, next[error.kind]].filter(Boolean).join(' '),
    );
  }
}

function output(difference: Difference, args: Args): string {
  if (args.flags.has('json')) return `${JSON.stringify(difference, null, 2)}\n`;
  if (args.values.get('reporter') === 'markdown') return markdownReport(difference);
  return textReport(difference, painter(process.stdout));
}
