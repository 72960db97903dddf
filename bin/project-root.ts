// The project that a command is called in: the nearest folder upward that has a project.yaml or a bundle.

import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BUNDLE_FILE } from '../runtime/current.ts';
import type { Args } from './args.ts';
import { OUTPUT_FOLDER } from './where.ts';

const SIGNS = ['project.yaml', join(OUTPUT_FOLDER, BUNDLE_FILE)];

/** What `--root` says, or else what is found from the current folder on; throws when there is none. */
export function projectRoot(args: Args): string {
  const given = args.values.get('root');
  if (given !== undefined) {
    const root = resolve(given);
    if (statOf(root)?.isDirectory()) return root;
    throw new Error(`there is no folder ${JSON.stringify(given)}`);
  }
  const found = findProjectRoot(process.cwd());
  if (found !== undefined) return found;
  throw new Error(
    `no project here: neither this folder nor one above it has a ${SIGNS.join(' or a ')}; name it with --root <folder>`,
  );
}

export function findProjectRoot(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (SIGNS.some((sign) => statOf(join(folder, sign))?.isFile())) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
