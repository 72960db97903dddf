// A folder to a bundle in memory: the stages that touch the disk around those that do not. What `build`
// publishes, and `--watch` makes again and again.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheKey, parserVersion, readCache, writeCache } from '../build/cache.ts';
import { collectGuide, type Input, readProject, type Source } from '../build/collect.ts';
import { collectFiles } from '../build/collect-files.ts';
import type { Diagnostics } from '../build/diagnostics.ts';
import { examineAll, isMarkdown, WORKER_FILE } from '../build/examine-all.ts';
import { type Built, compile } from '../build/pipeline.ts';
import { project } from '../build/project.ts';

export type Compiled = {
  /** Undefined when there was an error; the diagnostics say which. */
  built: Built | undefined;
  inputs: readonly Input[];
  /** Folder of the guide, from the root; undefined when project.yaml could not be read. */
  guideRoot: string | undefined;
};

export async function compileFolder(
  root: string,
  diagnostics: Diagnostics,
  progress: (done: number, all: number) => void,
): Promise<Compiled> {
  const source = readProject(root, diagnostics.report);
  const checked = source === undefined ? undefined : project(source.text, diagnostics.report);
  if (source === undefined || checked === undefined) return { built: undefined, inputs: [], guideRoot: undefined };
  diagnostics.ignore(checked.ignore);
  const sources = collectGuide(root, checked.guide, diagnostics.report);
  const version = parserVersion(WORKER_FILE);
  const known = readCache(root, version);
  const files = collectFiles(root, checked.files, diagnostics.report);
  const texts = files.flatMap(({ path, text, input }) => (text === undefined ? [] : [{ path, text, input }]));
  const parsed = await examineAll([...sources, ...texts], known, diagnostics.report, progress);
  const used = new Map(
    parsed.map(({ source: { path, input }, page, front, counted, problems }) => [
      cacheKey(input.sha256, isMarkdown(path)),
      { page, front, counted, problems },
    ]),
  );
  if (used.size !== known.size || [...used.keys()].some((key) => !known.has(key))) writeCache(root, version, used);
  const exists = (path: string): boolean => existsSync(join(root, path));
  const isDocument = new Set<Source>(sources);
  const documents = parsed.filter(({ source: one }) => isDocument.has(one));
  const fileTexts = parsed.filter(({ source: one }) => !isDocument.has(one));
  const built = compile(checked, { documents, files, fileTexts, exists }, diagnostics);
  const inputs = [source.input, ...[...sources, ...files].map(({ input }) => input)];
  return { built, inputs, guideRoot: checked.guide.root };
}
