// What project.yaml and the guide say about the repository, held against it: a document that was true when it was
// written sends agents astray when the code has moved on. Each check is a file of its own; all of them only warn.

import type { Report } from '../diagnostics.ts';
import type { Disk } from '../disk.ts';
import type { Parsed } from '../examine-all.ts';
import type { NearMisses } from '../near-misses.ts';
import type { Project } from '../project.ts';
import type { Guide } from '../resolve.ts';
import { checkAppliesTo } from './applies-to.ts';
import { checkCommands } from './check-commands.ts';
import { checkKeyFiles } from './key-files.ts';
import { checkUnserved } from './unserved.ts';

export type Checked = {
  project: Project;
  guide: Guide;
  documents: readonly Parsed[];
  /** Whitelisted files that are text. */
  fileTexts: readonly Parsed[];
  disk: Disk;
  near: NearMisses;
};

export function checkTruth({ project, guide, documents, fileTexts, disk, near }: Checked, report: Report): void {
  const files = new Set(fileTexts.map(({ source }) => source.path));
  const served = servedFrom(guide);
  checkKeyFiles(project.modules, disk, near, report);
  checkUnserved(
    project.guide,
    documents.map(({ source }) => source.path),
    (path) => files.has(path),
    report,
  );
  const read = [...documents.filter(({ source }) => served.has(source.path)), ...fileTexts];
  checkAppliesTo(
    read.flatMap(({ source: { path, text }, page, front: { appliesTo } }) =>
      appliesTo === undefined || !served.has(path) ? [] : [{ path, text, frontMatter: page?.frontMatter, appliesTo }],
    ),
    disk,
    near,
    report,
  );
  checkCommands(
    read.map(({ source: { path, text }, commands }) => ({ path, text, commands })),
    project.name,
    disk,
    near,
    report,
  );
}

/** The files of the guide that some category serves. */
export function servedFrom(guide: Guide): Set<string> {
  return new Set(guide.categories.flatMap(({ documents }) => documents.map(({ source }) => source)));
}
