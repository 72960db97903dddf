// The files of prompts on disk: every markdown file directly in their folder, sorted by name.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, type Source } from './collect.ts';
import { problem, type Report } from './diagnostics.ts';
import { escapeGlob, listFiles, type Repository } from './list-files.ts';
import type { PromptsConfig } from './prompts-config.ts';
import { show } from './yaml.ts';

export function collectPrompts(repository: Repository, { folder, place }: PromptsConfig, report: Report): Source[] {
  const { root } = repository;
  if (folder === undefined) return [];
  if (!statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory()) {
    if (place !== undefined) {
      const what = `There is no folder ${show(folder)}.`;
      report(problem('prompts-missing', place, what, 'Make it, or mend the path.'));
    }
    return [];
  }
  return listFiles(repository, `${escapeGlob(folder)}/*.md`, report)
    .filter((path) => !/^[._]/.test(path.slice(folder.length + 1)))
    .flatMap((path) => readDocument(root, path, report) ?? []);
}
