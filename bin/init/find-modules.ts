// The parts of a project: packages of a workspace, else the folders that its sources stand in. Each has a key file
// that is there; what is said of it, its sources say.

import type { Found, Member } from './found.ts';
import { openingSentence } from './opening-comment.ts';
import { readReadme } from './readme.ts';
import { entryIn, sourceRoots, sourcesIn } from './source-folders.ts';
import { baseName, isPlainPath, joined, type Survey } from './survey.ts';

export type KeyFile = { path: string; role: 'entry' | 'config' | 'core' };

export type FoundModule = {
  name: string;
  folder: string;
  /** What its sources or its manifest say of it. */
  description?: string | undefined;
  keyFiles: readonly KeyFile[];
  dependencies: readonly string[];
};

const MOST_MODULES = 30;
const MOST_COMPARED = 200;

export function findModules(survey: Survey, found: Found, projectName: string): FoundModule[] {
  const members = found.members.filter(({ folder }) => isPlainPath(folder));
  const all = members.length > 0 ? packages(survey, members) : folders(survey, projectName);
  if (all.length > MOST_MODULES) {
    survey.notes.push(`There are ${all.length} parts; the first ${MOST_MODULES} are written under modules.`);
  }
  const kept = all.slice(0, MOST_MODULES);
  const names = new Set(kept.map(({ name }) => name));
  return kept.map((one) => ({ ...one, dependencies: one.dependencies.filter((name) => names.has(name)) }));
}

function packages(survey: Survey, members: readonly Member[]): FoundModule[] {
  const names = uniqueNames(members.map(({ folder }) => folder));
  const byPackage = new Map(
    members.flatMap(({ packageName, folder }) => (packageName === undefined ? [] : [[packageName, folder]])),
  );
  return members.map((member) => {
    const { folder, manifest, needs } = member;
    const entry = member.entries.find((path) => survey.isFile(path)) ?? entryOfPackage(survey, folder);
    const keyFiles: KeyFile[] = [
      ...(entry === undefined ? [] : [{ path: entry, role: 'entry' as const }]),
      { path: manifest, role: 'config' },
    ];
    const needed = needs.flatMap((name) => byPackage.get(name) ?? []).filter((other) => other !== folder);
    return {
      name: names.get(folder) as string,
      folder,
      description: member.description ?? describe(survey, folder, entry),
      keyFiles,
      dependencies: [...new Set(needed.map((other) => names.get(other) as string))],
    };
  });
}

function entryOfPackage(survey: Survey, folder: string): string | undefined {
  const places = [folder, ...['src', 'app', 'src/app', 'pages', 'lib'].map((name) => joined(folder, name))];
  return places.map((place) => entryIn(survey, place)).find((path) => path !== undefined);
}

function folders(survey: Survey, projectName: string): FoundModule[] {
  const { start, paths: every } = sourceRoots(survey);
  const paths = every.filter(isPlainPath);
  const own = entryIn(survey, start);
  const names = uniqueNames(paths);
  const modules = paths.map((folder) => moduleAt(survey, folder, names.get(folder) as string));
  if (own === undefined) return modules;
  const ownName = start === '' ? moduleName(projectName) : baseName(start);
  const isTaken = modules.some(({ name }) => name === ownName);
  const module = {
    name: isTaken ? `${ownName} itself` : ownName,
    folder: start,
    description: openingSentence(own, survey.text(own) ?? ''),
    keyFiles: [{ path: own, role: 'entry' as const }],
    dependencies: [],
  };
  return [module, ...modules];
}

function moduleAt(survey: Survey, folder: string, name: string): FoundModule {
  const entry = entryIn(survey, folder);
  const first = entry ?? largest(survey, sourcesIn(survey, folder));
  return {
    name,
    folder,
    description: describe(survey, folder, entry),
    keyFiles: first === undefined ? [] : [{ path: first, role: entry === undefined ? 'core' : 'entry' }],
    dependencies: [],
  };
}

/** A project may be called what no module can be. */
function moduleName(projectName: string): string {
  return isPlainPath(projectName) ? projectName : 'main';
}

/** Without a usual name to go by, the longest file says most. */
function largest(survey: Survey, paths: readonly string[]): string | undefined {
  const sizes = paths.slice(0, MOST_COMPARED).map((path) => ({ path, size: survey.size(path) }));
  return sizes.sort((a, b) => b.size - a.size)[0]?.path;
}

/** What the source, or a README beside it, says. */
function describe(survey: Survey, folder: string, entry: string | undefined): string | undefined {
  const said = entry === undefined ? undefined : openingSentence(entry, survey.text(entry) ?? '');
  if (said !== undefined) return said;
  const readme = survey.list(folder).files.find((name) => /^readme\.md$/i.test(name));
  return readme === undefined ? undefined : readReadme(survey.text(joined(folder, readme)) ?? '').description;
}

/** The last part of a path, or as many as it takes to tell it from the others. */
function uniqueNames(paths: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(baseName(path), (counts.get(baseName(path)) ?? 0) + 1);
  return new Map(paths.map((path) => [path, counts.get(baseName(path)) === 1 ? baseName(path) : path]));
}
