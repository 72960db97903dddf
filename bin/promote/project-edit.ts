// project.yaml with discoveries added, in memory: read, checked as a build checks it, edited, and checked again. A
// file with errors, and an edit that would change anything else, are given back as what is wrong.

import { Diagnostics } from '../../build/diagnostics.ts';
import { project } from '../../build/project.ts';
import { PROJECT_FILE } from '../../build/project-file.ts';
import type { Discovery } from '../../runtime/sessions/store.ts';
import { type ConfigFile, readConfig } from '../connect/config-file.ts';
import { isUnfit, Unfit } from '../connect/unfit.ts';
import { prefixInRepository } from '../repository.ts';
import { allAdded } from './addition.ts';
import { insertions, parsed } from './insert.ts';
import { withInsertions } from './insertion.ts';
import { isInsertOnly, isOnlyAdded } from './same-otherwise.ts';
import { type Fate, sortOut } from './sort-out.ts';

export type Edit = {
  file: ConfigFile;
  before: string;
  after: string;
  fates: readonly Fate[];
  /** Errors of the file as it is; then nothing is edited. */
  diagnostics: Diagnostics | undefined;
};

export function editProject(root: string, discoveries: readonly Discovery[], module: string | undefined): Edit {
  const file = readProjectFile(root);
  const before = file.text as string;
  const diagnostics = new Diagnostics();
  const checked = project(before, diagnostics.report);
  if (checked === undefined) return { file, before, after: before, fates: [], diagnostics };
  const fates = sortOut(discoveries, checked, module);
  const additions = fates.filter((fate) => fate.is === 'added');
  if (additions.length === 0) return { file, before, after: before, fates, diagnostics: undefined };
  return { file, before, after: edited(before, allAdded(additions)), fates, diagnostics: undefined };
}

/** A link may lead to another file of the same repository, to none outside. */
export function readProjectFile(root: string): ConfigFile {
  const prefix = prefixInRepository(root, {});
  const isBelow = prefix !== '' && `${root}/`.endsWith(`/${prefix}`);
  const base = isBelow ? `${root}/`.slice(0, -prefix.length) : root;
  const place = { base, path: `${isBelow ? prefix : ''}${PROJECT_FILE}`, mayLeave: false };
  const file = saying(() => readConfig(place));
  if (file.text !== undefined) return file;
  throw new Error(`there is no ${PROJECT_FILE} here; \`fieldguide init\` writes one`);
}

function edited(before: string, added: ReturnType<typeof allAdded>): string {
  return saying(() => {
    const document = parsed(before);
    const after = withInsertions(before, insertions(before, document, added));
    const faults = new Diagnostics();
    const isSound = project(after, faults.report) !== undefined && isOnlyAdded(document, parsed(after), added);
    if (isSound && isInsertOnly(before, after)) return after;
    const [first] = faults.sorted();
    throw new Unfit(
      `cannot be added to without changing something else${first === undefined ? '' : `: ${first.what}`}`,
    );
  });
}

/** What is wrong with the file, as a sentence about it. */
function saying<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isUnfit(error)) throw error;
    const at = error.at === undefined ? '' : `:${error.at.line}:${error.at.column}`;
    throw new Error(`${PROJECT_FILE}${at} ${error.message}. Nothing was written; add the texts by hand`);
  }
}
