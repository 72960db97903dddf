// A folder to a bundle in memory: the stages that touch the disk around those that do not. What `build`
// publishes, and `--watch` makes again and again.

import { dirname } from 'node:path';
import { cacheKey, parserVersion, readCache, writeCache } from '../build/cache.ts';
import { collectGuide, type Input, readProject, type Source } from '../build/collect.ts';
import { collectFiles, type ListedFile } from '../build/collect-files.ts';
import { collectPrompts } from '../build/collect-prompts.ts';
import type { Diagnostics } from '../build/diagnostics.ts';
import { lookAt } from '../build/disk.ts';
import { examineAll, isMarkdown, WORKER_FILE } from '../build/examine-all.ts';
import type { Repository } from '../build/list-files.ts';
import { nearMisses, nearPattern } from '../build/near-misses.ts';
import { type Built, compile } from '../build/pipeline.ts';
import { type Project, project } from '../build/project.ts';
import { PROJECT_FILE } from '../build/project-file.ts';
import { isPrompt } from '../build/prompts-config.ts';
import { RESERVED_PROMPTS, readPrompts } from '../build/read-prompts.ts';
import { checkText } from '../build/text-checks.ts';
import { compileGlob, isGlob } from '../runtime/glob.ts';

export type Compiled = {
  /** Undefined when there was an error; the diagnostics say which. */
  built: Built | undefined;
  inputs: readonly Input[];
  /** How many documents of the guide were read. */
  documents: number;
  /** Documents of the guide and whitelisted files, as they were read. */
  sources: readonly Source[];
  files: readonly ListedFile[];
  /** Files and folders, from the root, in which a change may change the bundle, beside project.yaml. */
  madeFrom: readonly string[];
};

const NOTHING: Compiled = { built: undefined, inputs: [], documents: 0, sources: [], files: [], madeFrom: [] };

export type CompileOptions = {
  progress(done: number, all: number): void;
  /** Whether what was examined is written down for the next build; what is known is used anyway. */
  keepsCache: boolean;
};

export async function compileFolder(
  repository: Repository,
  diagnostics: Diagnostics,
  { progress, keepsCache }: CompileOptions,
): Promise<Compiled> {
  const { root } = repository;
  const source = readProject(root, diagnostics.report);
  const checked = source === undefined ? undefined : project(source.text, diagnostics.report);
  if (source === undefined || checked === undefined) return NOTHING;
  checkText(PROJECT_FILE, source.text, diagnostics.report);
  diagnostics.ignore(checked.ignore);
  const sources = collectGuide(repository, checked.guide, diagnostics.report, (path) =>
    isPrompt(path, checked.prompts),
  );
  const promptSources = collectPrompts(repository, checked.prompts, diagnostics.report);
  const prompts = readPrompts(promptSources, RESERVED_PROMPTS, diagnostics.report);
  const version = parserVersion(WORKER_FILE);
  const known = readCache(root, version);
  const disk = lookAt(repository);
  const near = nearMisses(disk);
  const files = collectFiles(repository, checked.files, diagnostics.report, (pattern) =>
    nearPattern('', pattern, disk, near),
  );
  const texts = files.flatMap(({ path, text, input }) => (text === undefined ? [] : [{ path, text, input }]));
  const parsed = await examineAll([...sources, ...texts], known, diagnostics.report, progress);
  const used = new Map(
    parsed.map(({ source: { path, input }, ...examined }) => [cacheKey(input.sha256, isMarkdown(path)), examined]),
  );
  const isKnown = used.size === known.size && [...used.keys()].every((key) => known.has(key));
  if (keepsCache && !isKnown) writeCache(root, version, used);
  const isDocument = new Set<Source>(sources);
  const documents = parsed.filter(({ source: one }) => isDocument.has(one));
  const fileTexts = parsed.filter(({ source: one }) => !isDocument.has(one));
  const built = compile(
    bound(checked, source.input.sha256),
    { documents, files, fileTexts, prompts, disk },
    diagnostics,
  );
  const { folder, place } = checked.prompts;
  return {
    built,
    documents: documents.length,
    sources,
    files,
    inputs: [source.input, ...[...sources, ...files, ...promptSources].map(({ input }) => input)],
    madeFrom: [
      checked.guide.root,
      ...(folder === undefined || (place === undefined && promptSources.length === 0) ? [] : [folder]),
      ...checked.files.map(({ text }) => (isGlob(text) ? dirname(`${compileGlob(text).prefix}x`) : text)),
    ],
  };
}

/** A bundle starts programs only beside the very project.yaml that names them, so it says which that is. */
function bound(project: Project, projectSha256: string): Project {
  const { serving } = project;
  return (serving?.upstreams ?? []).length === 0 ? project : { ...project, serving: { ...serving, projectSha256 } };
}
