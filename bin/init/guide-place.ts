// Where the first page of the guide goes: content/, unless that holds something else or is ignored. A page that an
// earlier `init` wrote is found again, and left as it is.

import type { Survey } from './survey.ts';

export type GuidePlace = {
  root: string;
  page: string;
  /** `write` it, `leave` the one that is there, or `none`, because there is no place or nobody wants it. */
  what: 'write' | 'leave' | 'none';
};

export const USUAL_ROOT = 'content';
const ROOTS = [USUAL_ROOT, 'fieldguide', 'agent-guide', ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `fieldguide-${n}`)];

export function findGuidePlace(survey: Survey): GuidePlace {
  for (const root of ROOTS) {
    const page = `${root}/guide/start.md`;
    if (survey.ignored.has(page)) continue;
    if (survey.isFolder(root) && survey.isFolder(`${root}/guide`) && survey.isFile(page))
      return { root, page, what: 'leave' };
    if (!survey.isTaken(root) || survey.isEmptyFolder(root)) return { root, page, what: 'write' };
  }
  survey.notes.push('No page is written: every folder that would be its place is taken, or ignored by git.');
  return { root: ROOTS.find((root) => !survey.isTaken(root)) ?? USUAL_ROOT, page: '', what: 'none' };
}
