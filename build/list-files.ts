// Which files there are: globby lists them, what git ignores and our own output left out; a link to a file
// counts as that file as long as it stays inside the repository. What cannot be looked at is reported, and
// the rest is listed.

import { realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type GlobEntry, globbySync } from 'globby';
import { problem, type Report } from './diagnostics.ts';

export type Repository = {
  root: string;
  /** Folders that are never part of it, from the root: where bundles are written. */
  outputs: readonly string[];
};

const NEVER_LISTED = ['**/node_modules/**', '**/.git/**', '**/.fieldguide/**'];

/** Paths of regular files that a pattern of globby matches, from the root, by their bytes. */
export function listFiles({ root, outputs }: Repository, pattern: string, report: Report): string[] {
  const ignore = [...NEVER_LISTED, ...outputs.map((output) => `${escapeGlob(output)}/**`)];
  const list = (suppressErrors: boolean): GlobEntry[] =>
    globbySync(pattern, {
      cwd: root,
      gitignore: true,
      dot: true,
      objectMode: true,
      onlyFiles: false,
      followSymbolicLinks: false,
      suppressErrors,
      ignore,
    });
  return tolerant(root, list, report)
    .filter(({ path, dirent }) => dirent.isFile() || (dirent.isSymbolicLink() && leadsInside(root, path, report)))
    .map(({ path }) => path)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** A folder that cannot be opened is reported, and the others are listed. */
function tolerant(root: string, list: (suppressErrors: boolean) => GlobEntry[], report: Report): GlobEntry[] {
  try {
    return list(false);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined || path === undefined) throw error;
    report(unreadable(relative(root, path), code));
    return list(true);
  }
}

function leadsInside(root: string, path: string, report: Report): boolean {
  try {
    if (!statSync(join(root, path)).isFile()) return false;
    if (realpathSync(join(root, path)).startsWith(realpathSync(root) + sep)) return true;
  } catch (error) {
    report(unreadable(path, (error as NodeJS.ErrnoException).code));
    return false;
  }
  const place = { file: path, line: 1, column: 1 };
  report(problem('file-outside', place, 'It leads out of the repository.', 'Put a copy in its place, or remove it.'));
  return false;
}

export function unreadable(file: string, code: string | undefined) {
  const place = { file, line: 1, column: 1 };
  return problem('path-unreadable', place, `It cannot be read (${code}).`, 'Check what it is and its permissions.');
}

export function escapeGlob(path: string): string {
  return path.replace(/[()*?[\]{}!\\]/g, '\\$&');
}
