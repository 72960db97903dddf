// The files of prompts on disk: every markdown file directly in their folder, sorted by name.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { globbySync } from 'globby';
import { escapeGlob, readDocument, type Source } from './collect.ts';
import { problem, type Report } from './diagnostics.ts';
import type { PromptsConfig } from './prompts-config.ts';
import { show } from './yaml.ts';

export function collectPrompts(root: string, { folder, place }: PromptsConfig, report: Report): Source[] {
  if (folder === undefined) return [];
  if (!statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory()) {
    if (place !== undefined) {
      const what = `There is no folder ${show(folder)}.`;
      report(problem('prompts-missing', place, what, 'Make it, or mend the path.'));
    }
    return [];
  }
  return globbySync(`${escapeGlob(folder)}/*.md`, { cwd: root, gitignore: true, followSymbolicLinks: false })
    .filter((path) => !path.slice(folder.length + 1).startsWith('_'))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .flatMap((path) => readDocument(root, path, report) ?? []);
}
