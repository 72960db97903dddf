// What a repository can run by name, read from its manifests when a command first asks for their kind. Those below
// the root are read only for a name that the one at the root does not have.

import { posix } from 'node:path';
import type { Disk } from '../disk.ts';
import { canRun, type Manifest, type Names, namesOfPackage, PACKAGE, packagesIn } from './manifests.ts';

export type Runnable = {
  /** The manifest at the root and its file; undefined when there is none. */
  atRoot(manifest: Manifest): { file: string; names: Names } | undefined;
  isKnownBelow(manifest: Manifest, name: string): boolean;
  /** What package.json calls the repository, in small letters. */
  ownNames: readonly string[];
  /** The last names of the packages that it names. */
  packages: ReadonlySet<string>;
};

const MOST_MANIFESTS = 500;

export function runnableIn(disk: Disk): Runnable {
  const roots = new Map<Manifest, ReturnType<Runnable['atRoot']>>();
  const below = new Map<Manifest, readonly Names[]>();
  const packageText = disk.textOf(PACKAGE.files[0] as string) ?? '';
  return {
    atRoot(manifest) {
      if (!roots.has(manifest)) roots.set(manifest, rootManifest(disk, manifest));
      return roots.get(manifest);
    },
    isKnownBelow(manifest, name) {
      const known = below.get(manifest) ?? manifestsIn(disk, manifest);
      below.set(manifest, known);
      return known.some((names) => canRun(names, name));
    },
    ownNames: namesOfPackage(packageText).map((name) => name.toLowerCase()),
    packages: new Set(packagesIn(packageText).map((name) => posix.basename(name))),
  };
}

function rootManifest(disk: Disk, { files, read }: Manifest): ReturnType<Runnable['atRoot']> {
  const file = files.find((name) => disk.namesIn('').has(name));
  const text = file === undefined ? undefined : disk.textOf(file);
  return file === undefined || text === undefined ? undefined : { file, names: read(text) };
}

function manifestsIn(disk: Disk, { files, read }: Manifest): Names[] {
  return disk
    .files()
    .filter((path) => files.includes(posix.basename(path)))
    .slice(0, MOST_MANIFESTS)
    .map((path) => read(disk.textOf(path) ?? ''));
}
