// Whether a pattern matches any file of the repository, within a bound: thousands of patterns over a large
// repository are not worth a stalled build. Beyond it, everything counts as matched.

import { compileGlob } from '../../runtime/glob.ts';
import type { Disk } from '../disk.ts';

const MOST_COMPARED = 20_000_000;

export function matcherOf(disk: Disk): (pattern: string) => boolean {
  const known = new Map<string, boolean>();
  let compared = 0;
  const look = (pattern: string): boolean => {
    if (compared > MOST_COMPARED) return true;
    const glob = compileGlob(pattern);
    const files = disk.files();
    compared += files.length * glob.alternatives;
    return files.some((file) => glob.matches(file));
  };
  return (pattern) => {
    const matched = known.get(pattern) ?? look(pattern);
    known.set(pattern, matched);
    return matched;
  };
}
