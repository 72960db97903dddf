// The compiler's table of contents: one line for each stage. Read this first.

import type { Diagnostics } from './diagnostics.ts';
import type { Parsed } from './examine-all.ts';
import { pack } from './pack.ts';
import type { Project } from './project.ts';
import type { Prompt } from './read-prompts.ts';
import { render } from './render.ts';
import { renderGuide } from './render-guide.ts';
import { renderPrompts } from './render-prompts.ts';
import { resolve } from './resolve.ts';
import { tabulate } from './tabulate.ts';
import { verify } from './verify.ts';

export type Built = {
  bytes: Buffer;
  digest: string;
  name: string;
  modules: number;
  documents: number;
  resources: number;
  prompts: number;
};

/** Undefined when there was an error; the diagnostics say which. */
export function compile(
  project: Project,
  parsed: readonly Parsed[],
  exists: (path: string) => boolean,
  diagnostics: Diagnostics,
  prompts: readonly Prompt[] = [],
): Built | undefined {
  const guide = resolve(project.guide, parsed, exists, diagnostics.report);
  if (diagnostics.failed) return undefined;
  const prompted = renderPrompts(prompts, project, { hasGuide: guide.categories.length > 0 });
  const entries = [...render(project), ...renderGuide(guide, project), ...prompted];
  const tables = tabulate(project, entries, guide);
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
    prompts: prompted.length - 1,
  };
}
