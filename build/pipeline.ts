// The compiler's table of contents: one line for each stage. Read this first.

import type { Sources } from './collect.ts';
import type { Diagnostics } from './diagnostics.ts';
import { pack } from './pack.ts';
import { project } from './project.ts';
import { render } from './render.ts';
import { tabulate } from './tabulate.ts';
import { verify } from './verify.ts';

export type Built = { bytes: Buffer; digest: string; name: string; modules: number; resources: number };

/** Undefined when there was an error; the diagnostics say which. */
export function compile(sources: Sources, diagnostics: Diagnostics): Built | undefined {
  const checked = project(sources.project, diagnostics.report);
  if (checked === undefined || diagnostics.failed) return undefined;
  const entries = render(checked);
  const tables = tabulate(checked, entries);
  const bytes = pack(tables);
  const digest = verify(bytes, entries);
  return { bytes, digest, name: checked.name, modules: checked.modules.length, resources: entries.length };
}
