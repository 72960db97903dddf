// What may have been meant where there is no project.yaml: people call the file .yml.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FILE } from './project-file.ts';

export function withoutProjectFile(root: string): string {
  const misnamed = PROJECT_FILE.replace(/\.yaml$/, '.yml');
  if (existsSync(join(root, misnamed))) return `Rename ${misnamed}: it must be called ${PROJECT_FILE}.`;
  return 'Run `fieldguide init`, which writes one. Or name another folder with --root.';
}
