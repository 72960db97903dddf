// From what was compiled to the files of an export, by its kind. Loaded when there is something to export.

import type { Source } from './collect.ts';
import type { ListedFile } from './collect-files.ts';
import { exportAgents } from './export-agents.ts';
import type { ExportKind } from './export-kinds.ts';
import { exportLlms } from './export-llms.ts';
import { type Destination, type Exported, type ExportSources, exportSources } from './export-sources.ts';
import type { Built } from './pipeline.ts';

const MAKERS: Record<ExportKind, (sources: ExportSources) => Exported[]> = { agents: exportAgents, llms: exportLlms };

export function exportFiles(
  kind: ExportKind,
  built: Built,
  { sources, files }: { sources: readonly Source[]; files: readonly ListedFile[] },
  destination: Destination,
): Exported[] {
  return MAKERS[kind](exportSources(built, sources, files, destination));
}
