// What may have been meant where there is no project.yaml: people run commands in a folder of the project, or call
// the file .yml. A hint for messages; nothing is ever built from another folder than the one that was named.

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PROJECT_FILE } from './project-file.ts';

const INSTEAD = 'Run `fieldguide init`, which writes one. Or name another folder with --root.';

export function withoutProjectFile(root: string): string {
  const misnamed = PROJECT_FILE.replace(/\.yaml$/, '.yml');
  if (existsSync(join(root, misnamed))) return `Rename ${misnamed}: it must be called ${PROJECT_FILE}.`;
  const above = nearestAbove(root);
  if (above === undefined) return INSTEAD;
  const way = relative('', above) || '.';
  return /^[./]+$/.test(way) ? `There is one in ${way}: go there, or add --root ${way}.` : INSTEAD;
}

/** Within the repository: above it, a file of this name is somebody else's. */
function nearestAbove(root: string): string | undefined {
  for (let folder = root; !existsSync(join(folder, '.git')); ) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    if (existsSync(join(parent, PROJECT_FILE))) return parent;
    folder = parent;
  }
  return undefined;
}
