// Documents of the guide that no category takes in: one problem for each folder, at its first document. A project
// whose guide is the repository itself says with its categories what belongs to it, so there nothing is reported.

import { posix } from 'node:path';
import { problem, type Report } from '../diagnostics.ts';
import type { GuideConfig } from '../guide-config.ts';

const DOCUMENT = /\.(?:md|markdown|mdx|txt)$/i;

/** `paths` are those of the guide's texts, sorted; `isServed` knows those that can be read otherwise. */
export function checkUnserved(
  { root, categories, help }: GuideConfig,
  paths: readonly string[],
  isServed: (path: string) => boolean,
  report: Report,
): void {
  if (categories === undefined || root === '') return;
  const held = categories.map(({ dir }) => (dir === '' ? `${root}/` : `${root}/${dir}/`));
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    if (!DOCUMENT.test(path) || path === `${root}/${help?.path}` || isServed(path)) continue;
    if (held.some((folder) => path.startsWith(folder)) || isDraft(path.slice(root.length + 1))) continue;
    const folder = widestWithout(held, root, path);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [path]);
    else group.push(path);
  }
  for (const [folder, [first, ...more]] of groups) {
    const who =
      more.length === 0
        ? 'It is'
        : `It and ${more.length === 1 ? 'one other' : `${more.length} others`} in ${folder}/ are`;
    const dir = folder === root ? '.' : folder.slice(root.length + 1);
    const fix = `Give a category dir: ${dir}, or list it under files:, or start its name with _.`;
    report(problem('document-unserved', { file: first as string, line: 1, column: 1 }, `${who} in no category.`, fix));
  }
}

function isDraft(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('_'));
}

/** The outermost folder of a path that has no category in it; else the path's own folder. */
function widestWithout(held: readonly string[], root: string, path: string): string {
  const names = posix
    .dirname(path)
    .slice(root.length + 1)
    .split('/');
  const folders = names.map((_, n) => `${root}/${names.slice(0, n + 1).join('/')}`);
  const isFree = (folder: string): boolean => !held.some((one) => one.startsWith(`${folder}/`));
  return folders.find((folder) => folder !== `${root}/` && isFree(folder)) ?? posix.dirname(path);
}
