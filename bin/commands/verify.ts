// `fieldguide verify [bundle]`: every byte checked, each damaged thing named, the digest printed.

import { resolve } from 'node:path';
import { openBundle } from '../../runtime/current.ts';
import { BundleError } from '../../runtime/format.ts';
import { verifyBundle } from '../../runtime/verify.ts';
import type { Args } from '../args.ts';
import { bundlePathOf, mapperOf } from '../where.ts';

export function verify(args: Args): number {
  const [given] = args.positionals;
  const path = given === undefined ? bundlePathOf(args) : resolve(given);
  const { damage, digest, stated, records, resources } = examine(path, args);
  const ok = damage.length === 0;
  if (args.flags.has('json')) {
    const outcome = {
      ok,
      digest: digest && `sha256:${digest}`,
      stated: stated && `sha256:${stated}`,
      records,
      resources,
      damage,
    };
    process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  } else if (ok) {
    process.stdout.write(`whole: ${resources} resources, ${records} records\nsha256:${digest}\n`);
  } else {
    for (const line of damage) process.stderr.write(`damaged: ${line}\n`);
    process.stderr.write('fieldguide verify: the bundle is damaged; run `fieldguide build` to make it anew.\n');
  }
  return ok ? 0 : 1;
}

function examine(path: string, args: Args) {
  try {
    return verifyBundle(openBundle(path, mapperOf(args)));
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    if (error.kind === 'missing') throw new Error(`there is no bundle at ${path}; run \`fieldguide build\` first.`);
    return { damage: [error.message], digest: '', stated: '', records: 0, resources: 0 };
  }
}
