// A repository as a literal: paths and texts, asked as the real one is.

import { posix } from 'node:path';
import { cleanPath, type Disk } from '../../build/disk.ts';

export function diskOf(files: Readonly<Record<string, string>>): Disk {
  const folders = new Map<string, Set<string>>([['', new Set()]]);
  for (const path of Object.keys(files)) {
    for (let name = path; name !== '.'; name = posix.dirname(name)) {
      const folder = posix.dirname(name) === '.' ? '' : posix.dirname(name);
      folders.set(folder, (folders.get(folder) ?? new Set()).add(posix.basename(name)));
    }
  }
  const folderAt = (path: string): boolean => folders.has(cleanPath(path) ?? '\0');
  return {
    exists: (path) => Object.hasOwn(files, cleanPath(path) ?? '\0') || folderAt(path),
    folderAt,
    namesIn: (path) => folders.get(cleanPath(path) ?? '\0') ?? new Set(),
    textOf: (path) => files[path],
    files: () => Object.keys(files).sort(),
  };
}
