// Absolute paths of the project's folder, as clients that run there may write it: as it was given, and as it
// really is when links lead there.

import { realpathSync } from 'node:fs';

export type Roots = () => readonly string[];

/** Looked at when it is first needed. */
export function rootsOf(root: string): Roots {
  let known: readonly string[] | undefined;
  return () => {
    known ??= [...new Set([root, realOf(root)])];
    return known;
  };
}

function realOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

/** A path from the root; undefined when it is not below it. Nothing is looked up. */
export function belowRoot(path: string, roots: Roots): string | undefined {
  const base = roots()
    .map((root) => (root.endsWith('/') ? root : `${root}/`))
    .find((one) => path.startsWith(one));
  return base === undefined ? undefined : path.slice(base.length);
}
