// The compiler's table of contents: one line for each stage. Read this first.

import type { Diagnostics } from './diagnostics.ts';
import type { Parsed } from './examine-all.ts';
import { indexWords } from './index-words.ts';
import { pack } from './pack.ts';
import type { Project } from './project.ts';
import { render } from './render.ts';
import { renderGuide } from './render-guide.ts';
import { resolve } from './resolve.ts';
import { searchable } from './searchable.ts';
import { tabulate } from './tabulate.ts';
import { verify } from './verify.ts';

export type Built = {
  bytes: Buffer;
  digest: string;
  name: string;
  modules: number;
  documents: number;
  resources: number;
};

/** Undefined when there was an error; the diagnostics say which. */
export function compile(
  project: Project,
  parsed: readonly Parsed[],
  exists: (path: string) => boolean,
  diagnostics: Diagnostics,
): Built | undefined {
  const guide = resolve(project.guide, parsed, exists, diagnostics.report);
  if (diagnostics.failed) return undefined;
  const entries = [...render(project), ...renderGuide(guide, project)];
  const tables = { ...tabulate(project, entries, guide), find: indexWords(entries.map(searchable)) };
  const bytes = pack(tables);
  const digest = verify(bytes, entries);
  const documents = guide.categories.reduce((sum, category) => sum + category.documents.length, 0);
  return {
    bytes,
    digest,
    name: project.name,
    modules: project.modules.length,
    documents,
    resources: tables.list.length,
  };
}
