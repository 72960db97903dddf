// The project whose sessions a command writes or shows: there must be one.

import { resolve } from 'node:path';
import type { Args } from './args.ts';
import { findProject, SIGNS, statOf } from './find-project.ts';

/** What `--root` says, or else what is found from the current folder on; throws when there is none. */
export function projectRoot(args: Args): string {
  const given = args.values.get('root');
  if (given !== undefined) {
    const root = resolve(given);
    if (statOf(root)?.isDirectory()) return root;
    throw new Error(`there is no folder ${JSON.stringify(given)}`);
  }
  const found = findProject(process.cwd());
  if (found !== undefined) return found;
  throw new Error(
    `no project here: neither this folder nor one above it has a ${SIGNS.join(' or a ')}; name it with --root <folder>`,
  );
}
