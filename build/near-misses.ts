// What a misspelt name or path most likely meant. A hint is never worth a stalled build: each kind is looked for as
// often as problems of one code are shown.

import { posix } from 'node:path';
import { isGlob } from '../runtime/glob.ts';
import { nearest } from '../runtime/nearest.ts';
import { cleanPath, type Disk } from './disk.ts';
import { show } from './yaml.ts';

export type NearMisses = {
  name(name: string, candidates: Iterable<string>): string | undefined;
  /** A path that exists, from the root. */
  path(path: string): string | undefined;
};

const MOST_SUGGESTED = 50;
/** In headings and file names, which are long, a third of the letters would be another name. */
const MOST_SLIPS = 3;
/** So many files have these names that another one of the name says nothing. */
const COMMON_NAME = /^(?:_?index|readme|main|mod|__init__|package)\.[^.]+$/i;

export function nearMisses(disk: Disk): NearMisses {
  let names = 0;
  let paths = 0;
  let byName: Map<string, string[]> | undefined;
  /** The one file of that name, wherever it is. */
  const elsewhere = (path: string): string | undefined => {
    const name = posix.basename(path);
    if (COMMON_NAME.test(name)) return undefined;
    byName ??= groupByName(disk.files());
    const [only, other] = byName.get(name) ?? [];
    return other === undefined ? only : undefined;
  };
  return {
    name: (name, candidates) => (names++ < MOST_SUGGESTED ? close(name, candidates) : undefined),
    path(path) {
      const clean = cleanPath(path);
      if (clean === undefined || clean === '' || paths++ >= MOST_SUGGESTED) return undefined;
      return mended(clean, disk) ?? elsewhere(clean);
    },
  };
}

function close(name: string, candidates: Iterable<string>): string | undefined {
  return nearest(name, candidates, Math.min(MOST_SLIPS, Math.max(1, Math.floor(name.length / 3))));
}

/** The same path with one of its names mended. */
function mended(path: string, disk: Disk): string | undefined {
  const segments = path.split('/');
  const wrong = segments.findIndex((name, n) => !disk.namesIn(segments.slice(0, n).join('/')).has(name));
  if (wrong < 0) return undefined;
  const near = close(segments[wrong] as string, disk.namesIn(segments.slice(0, wrong).join('/')));
  if (near === undefined) return undefined;
  const found = [...segments.slice(0, wrong), near, ...segments.slice(wrong + 1)].join('/');
  return disk.exists(found) ? found : undefined;
}

function groupByName(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const name = posix.basename(path);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [path]);
    else group.push(path);
  }
  return groups;
}

/** A pattern relative to `base` with its folder mended; undefined when that is not what is wrong. */
export function nearPattern(base: string, pattern: string, disk: Disk, near: NearMisses): string | undefined {
  const literal = isGlob(pattern) ? pattern.slice(0, pattern.search(/[*?[{\\]/)) : pattern;
  const folder = isGlob(pattern) ? literal.slice(0, literal.lastIndexOf('/') + 1) : pattern;
  if (folder === '' || disk.exists(`${base}${folder}`)) return undefined;
  const found = near.path(`${base}${folder}`);
  if (found === undefined || !found.startsWith(base)) return undefined;
  return isGlob(pattern) ? `${found.slice(base.length)}/${pattern.slice(folder.length)}` : found.slice(base.length);
}

export function didYouMean(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `Did you mean ${show(near)}?`;
}
