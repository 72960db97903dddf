// What git ignores, as the compiler will see it: the .gitignore files from the root of the git repository down to
// the file. A key file or a page that is ignored would be a warning in the first build. Letters match whatever
// their case, because they do so there.

import { closeSync, constants, existsSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { compileGlob, type Glob, GlobError, MOST_PATTERN } from '../../runtime/glob.ts';

type Rule = { glob: Glob; isNegated: boolean; foldersOnly: boolean };

const MOST_BYTES = 256 * 1024;
const MOST_LEVELS = 64;

export class Ignored {
  /** Folder of the git repository that the root is in; undefined without one. */
  readonly gitRoot: string | undefined;
  readonly #base: string;
  /** From the base to the root, with a slash at the end, or nothing. */
  readonly #prefix: string;
  readonly #rules = new Map<string, readonly Rule[]>();

  constructor(root: string) {
    this.gitRoot = findGitRoot(root);
    this.#base = this.gitRoot ?? root;
    const below = relative(this.#base, root).split(sep).join('/');
    this.#prefix = below === '' ? '' : `${below}/`;
  }

  /** Whether a path from the root is ignored, by itself or with a folder that it is in. */
  has(path: string): boolean {
    const segments = `${this.#prefix}${path}`.toLowerCase().split('/');
    const names = `${this.#prefix}${path}`.split('/');
    for (let length = 1; length <= segments.length; length++) {
      if (this.#isIgnoredAt(segments.slice(0, length), names, length < segments.length)) return true;
    }
    return false;
  }

  /** The last rule that matches decides; those of nearer files come later. */
  #isIgnoredAt(segments: readonly string[], names: readonly string[], isFolder: boolean): boolean {
    let ignored = false;
    for (let depth = 0; depth < segments.length; depth++) {
      const below = segments.slice(depth).join('/');
      for (const { glob, isNegated, foldersOnly } of this.#rulesOf(names.slice(0, depth).join('/'))) {
        if (ignored === isNegated && (!foldersOnly || isFolder) && glob.matches(below)) ignored = !isNegated;
      }
    }
    return ignored;
  }

  #rulesOf(folder: string): readonly Rule[] {
    const known = this.#rules.get(folder);
    if (known !== undefined) return known;
    const rules = readRules(join(this.#base, folder, '.gitignore'));
    this.#rules.set(folder, rules);
    return rules;
  }
}

function findGitRoot(root: string): string | undefined {
  let folder = root;
  for (let level = 0; level < MOST_LEVELS; level++) {
    if (existsSync(join(folder, '.git'))) return folder;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

function readRules(path: string): Rule[] {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || stats.size > MOST_BYTES) return [];
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      return readFileSync(file, 'utf8')
        .replace(/^\ufeff/, '')
        .split(/\r?\n/)
        .flatMap(ruleOf);
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}

function ruleOf(line: string): Rule[] {
  const trimmed = line.trimEnd();
  const written = /(?<!\\)(?:\\\\)*\\$/.test(trimmed.slice(-MOST_PATTERN)) ? `${trimmed} ` : trimmed;
  if (written === '' || written.startsWith('#') || written.length > MOST_PATTERN) return [];
  const isNegated = written.startsWith('!');
  const pattern = (isNegated ? written.slice(1) : written).toLowerCase();
  const foldersOnly = pattern.endsWith('/');
  const path = foldersOnly ? pattern.slice(0, -1) : pattern;
  const anchored = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`;
  if (path === '') return [];
  try {
    return [{ glob: compileGlob(anchored.replace(/\{/g, '\\{')), isNegated, foldersOnly }];
  } catch (error) {
    if (error instanceof GlobError) return [];
    throw error;
  }
}
