// Where the project is that something is called in: the nearest folder upward with a project.yaml or a bundle, in the
// same repository.

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUNDLE_FILE } from '../runtime/current.ts';

export const OUTPUT_FOLDER = 'dist-index';

export const SIGNS = ['project.yaml', join(OUTPUT_FOLDER, BUNDLE_FILE)];

export function findProject(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (SIGNS.some((sign) => statOf(join(folder, sign))?.isFile())) return folder;
    if (folder === dirname(folder) || statOf(join(folder, '.git')) !== undefined) return undefined;
  }
}

export function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
