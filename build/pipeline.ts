// The compiler's table of contents: one line for each stage. Read this first.

import { fileUri } from '../runtime/uri.ts';
import type { ListedFile } from './collect-files.ts';
import { concerns } from './concerns.ts';
import type { Diagnostics } from './diagnostics.ts';
import { type Disk, NO_DISK } from './disk.ts';
import type { Parsed } from './examine-all.ts';
import { held } from './held.ts';
import { indexWords } from './index-words.ts';
import { nearMisses } from './near-misses.ts';
import { pack } from './pack.ts';
import type { Project } from './project.ts';
import type { Prompt } from './read-prompts.ts';
import { render } from './render.ts';
import { renderFiles } from './render-files.ts';
import { renderGuide } from './render-guide.ts';
import { renderLive } from './render-live.ts';
import { renderPrompts } from './render-prompts.ts';
import { type Guide, resolve } from './resolve.ts';
import { isSearched, searchable, searchableApart } from './searchable.ts';
import { type Tables, tabulate } from './tabulate.ts';
import { checkBudget } from './truth/budget.ts';
import { checkTruth, servedFrom } from './truth/check.ts';
import { reportUnused } from './truth/unused-ignores.ts';
import { verify } from './verify.ts';

export type Built = {
  bytes: Buffer;
  digest: string;
  name: string;
  modules: number;
  documents: number;
  resources: number;
  prompts: number;
  /** Of the texts of all listed resources, as they are read. */
  textBytes: number;
  /** What the bundle was made from, for other things that are. */
  project: Project;
  guide: Guide;
};

/** What a bundle is made from beside project.yaml. */
export type Sources = {
  documents: readonly Parsed[];
  files: readonly ListedFile[];
  /** Of the files that are text. */
  fileTexts: readonly Parsed[];
  prompts: readonly Prompt[];
  /** Undefined: nothing is held against it. */
  disk: Disk | undefined;
};

export const NO_SOURCES: Sources = {
  documents: [],
  files: [],
  fileTexts: [],
  prompts: [],
  disk: undefined,
};

/** Undefined when there was an error; the diagnostics say which. */
export function compile(
  project: Project,
  { documents: parsed, files, fileTexts, prompts, disk }: Sources,
  diagnostics: Diagnostics,
): Built | undefined {
  const paths = files.map(({ path }) => path);
  const near = nearMisses(disk ?? NO_DISK);
  for (const { source, silenced } of [...parsed, ...fileTexts]) diagnostics.ignoreLines(source.path, silenced);
  const around = { files: new Set(paths), disk: disk ?? NO_DISK, near };
  const guide = resolve(project.guide, parsed, around, diagnostics.report);
  if (disk !== undefined) checkTruth({ project, guide, documents: parsed, fileTexts, disk, near }, diagnostics.report);
  if (diagnostics.failed) return undefined;
  const prompted = renderPrompts(prompts, project, {
    hasGuide: guide.categories.length > 0,
    ...(paths.includes('AGENTS.md') ? { first: fileUri('AGENTS.md') } : {}),
  });
  const entries = [
    ...render(project),
    ...renderLive(),
    ...renderGuide(guide, project),
    ...renderFiles(files, fileTexts, project, diagnostics.report),
    ...prompted,
  ];
  const searched = entries.filter(isSearched);
  checkBudget(project, guide, searched, diagnostics.report);
  if (disk !== undefined)
    reportUnused(diagnostics.silences, new Set([...servedFrom(guide), ...paths]), disk, diagnostics.report);
  const find = indexWords(searched.map(project.serving?.agents === undefined ? searchable : searchableApart));
  const notes = [...concerns(project, guide, disk ?? NO_DISK), ...held(project)];
  const tables = { ...tabulate(project, entries, guide, paths, notes), find };
  const bytes = pack(tables);
  const digest = verify(bytes, tables.texts);
  const documents = guide.categories.reduce((sum, category) => sum + category.documents.length, 0);
  return {
    bytes,
    digest,
    name: project.name,
    modules: project.modules.length,
    documents,
    resources: tables.list.length,
    prompts: prompted.length - 1,
    textBytes: listedBytes(tables),
    project,
    guide,
  };
}

function listedBytes({ list, texts }: Tables): number {
  const listed = new Set(list.map(({ uri }) => uri));
  return texts.reduce((sum, { key, blob, rawLength }) => sum + (listed.has(key) && !blob ? rawLength : 0), 0);
}
