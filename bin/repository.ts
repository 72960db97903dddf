// Where a project lies in its repository. CI systems know files by their path from there, and a project may
// be a folder of it: what they say the repository is counts, else the nearest folder that git keeps.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** `apps/shop/`, or empty when the root is the repository or belongs to none. */
export function prefixInRepository(root: string, env: NodeJS.ProcessEnv): string {
  const from = real(root);
  const workspaces = [env.GITHUB_WORKSPACE, env.CI_PROJECT_DIR].flatMap((folder) => (folder ? [real(folder)] : []));
  for (let folder = from; ; folder = dirname(folder)) {
    if (workspaces.includes(folder) || existsSync(join(folder, '.git'))) return withSlashes(relative(folder, from));
    if (folder === dirname(folder)) return '';
  }
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function withSlashes(path: string): string {
  return path === '' ? '' : `${path.split(sep).join('/')}/`;
}
