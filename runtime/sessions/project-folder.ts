// Which project a hook belongs to, and its files as the project names them. Only what is inside it has a name;
// everything else is counted, never written down.

import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** What makes a folder a project: its description, or a bundle. */
const MARKS = ['project.yaml', 'dist-index/context.fgb'];
const MOST_PATHS = 500;
const MOST_PATH_LENGTH = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x1f\x7f]/;

/** The nearest folder above, or the folder itself; undefined when none is a project. */
export function findProject(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (MARKS.some((mark) => isThere(join(at, mark)))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Relative to the project, with slashes, each once; `cwd` is where relative names start. */
export function pathsInside(root: string, cwd: string, files: readonly string[]): string[] {
  const paths = new Set<string>();
  for (const file of files) {
    if (file.length > MOST_PATH_LENGTH || CONTROL.test(file) || paths.size >= MOST_PATHS) continue;
    const full = resolve(cwd, file);
    const path = insideOf(root, full) ?? insideReally(root, full);
    if (path !== undefined && !isFolder(full)) paths.add(path.split(sep).join('/'));
  }
  return [...paths];
}

function insideOf(root: string, full: string): string | undefined {
  const path = relative(root, full);
  const isOutside = path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path;
}

/** The project, or the way to the file, may lead over a link. */
function insideReally(root: string, full: string): string | undefined {
  try {
    const realRoot = realpathSync(root);
    return (
      insideOf(realRoot, full) ??
      insideOf(realRoot, join(realpathSync(dirname(full)), full.slice(dirname(full).length)))
    );
  } catch {
    return undefined;
  }
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
