// The folders that patterns of a workspace name (`packages/*`, `!packages/old`), found by walking only where a
// pattern leads, a few levels deep.

import { compileGlob, type Glob, GlobError, isGlob } from '../../runtime/glob.ts';
import { isPlainPath, joined, type Survey } from './survey.ts';

const MOST_PATTERNS = 100;
const MOST_MEMBERS = 200;
/** How far `**` reaches below the plain part of its pattern. */
const MOST_LEVELS = 4;

/** Folders that have a manifest, by the order of the patterns. */
export function workspaceFolders(survey: Survey, patterns: readonly string[], manifest: string): string[] {
  const found = new Set<string>();
  const isMember = (folder: string): boolean => isPlainPath(folder) && survey.isFile(joined(folder, manifest));
  const wanted = patterns.slice(0, MOST_PATTERNS).map((pattern) => pattern.trim());
  const excluded = wanted.flatMap((pattern) => (pattern.startsWith('!') ? (globOf(pattern.slice(1)) ?? []) : []));
  for (const pattern of wanted.filter((text) => !text.startsWith('!'))) {
    const glob = globOf(pattern);
    if (glob === undefined) continue;
    for (const folder of foldersMatching(survey, cleaned(pattern), glob)) {
      if (found.size >= MOST_MEMBERS) break;
      if (isMember(folder) && !excluded.some((one) => one.matches(folder))) found.add(folder);
    }
  }
  return [...found];
}

function foldersMatching(survey: Survey, pattern: string, glob: Glob): string[] {
  if (!isGlob(pattern)) return survey.isFolder(pattern) ? [pattern] : [];
  const start = glob.prefix.slice(0, Math.max(0, glob.prefix.lastIndexOf('/')));
  const levels = pattern.includes('**')
    ? MOST_LEVELS
    : pattern.split('/').length - (start === '' ? 0 : start.split('/').length);
  const found: string[] = [];
  let level = [start];
  for (let depth = 0; depth < Math.min(levels, MOST_LEVELS) && level.length > 0; depth++) {
    level = level.flatMap((folder) => survey.list(folder).folders.map((name) => joined(folder, name)));
    found.push(...level.filter((folder) => glob.matches(folder)));
  }
  return found;
}

/** Undefined for a pattern that cannot be used or leads out of the repository. */
function globOf(pattern: string): Glob | undefined {
  const path = cleaned(pattern);
  if (path === '' || path.startsWith('/') || path.split('/').includes('..')) return undefined;
  try {
    return compileGlob(path);
  } catch (error) {
    if (error instanceof GlobError) return undefined;
    throw error;
  }
}

function cleaned(pattern: string): string {
  return pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}
