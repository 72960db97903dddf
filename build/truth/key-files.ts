// Key files of modules that are not in the repository. A path is taken as it is written first: names such as
// `[id].ts` look like globs.

import { compileGlob, isGlob } from '../../runtime/glob.ts';
import { problem, type Report } from '../diagnostics.ts';
import { cleanPath, type Disk } from '../disk.ts';
import { didYouMean, type NearMisses, nearPattern } from '../near-misses.ts';
import type { Module } from '../project.ts';
import { show } from '../yaml.ts';
import { matcherOf } from './matches-some.ts';

export function checkKeyFiles(modules: readonly Module[], disk: Disk, near: NearMisses, report: Report): void {
  const matchesSome = matcherOf(disk);
  for (const { name, keyFiles } of modules) {
    for (const { path, place } of keyFiles) {
      const clean = cleanPath(path);
      if (clean !== undefined && (disk.exists(clean) || (isPattern(clean) && matchesSome(clean)))) continue;
      const what =
        clean === undefined
          ? `The key file ${show(path)} of the module ${show(name)} is not inside the repository.`
          : isGlob(clean)
            ? `The key files ${show(path)} of the module ${show(name)} match no file.`
            : `The key file ${show(path)} of the module ${show(name)} does not exist.`;
      const found = clean === undefined ? undefined : nearPattern('', clean, disk, near);
      report(problem('key-file-missing', place, what, didYouMean(found, 'Mend the path, or remove it.')));
    }
  }
}

/** Whether it is a pattern that can be used. */
function isPattern(path: string): boolean {
  try {
    return isGlob(path) && compileGlob(path).alternatives > 0;
  } catch {
    return false;
  }
}
