// Where sources stand in a repository of one package: the folders of src/, else those at the top, and which file of
// a folder is the one to read first.

import { baseName, joined, type Survey } from './survey.ts';

const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rs|go|rb|php|java|kt|scala|groovy|cs|fs|swift|c|cc|cpp|h|hpp|ex|exs|erl|hs|ml|clj|dart|lua|zig|nim|jl|r)$/i;
const TEST =
  /(?:^|[._-])(?:test|tests|spec|stories|bench)[._-][^/]*$|^test_|_test\.|Tests?\.(?:java|kt|cs)$|^conftest\.py$|\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$/;
/** By what an entry is called, the best first. */
const ENTRIES = ['index', 'main', 'mod', 'lib', '__init__', '__main__', 'app', 'server', 'cli', 'page', 'root', 'doc'];
/** Folders that are about the sources, not part of them. */
const BESIDE =
  /^(?:tests?|__tests__|__mocks__|specs?|e2e|fixtures?|testdata|docs?|examples?|samples?|demos?|benches|benchmarks?|content|public|static|assets|images|resources|migrations|tmp|temp|prompts)$/i;
const JVM_ROOTS = ['src/main/java', 'src/main/kotlin', 'src/main/scala'];
const MOST_CHAIN = 12;

/** The folder that sources start in, and the folders below it that are parts, sorted. */
export function sourceRoots(survey: Survey): { start: string; paths: string[] } {
  const jvm = JVM_ROOTS.find((folder) => survey.isFolder(folder));
  const top = jvm ?? (survey.isFolder('src') ? 'src' : '');
  const start = top === '' ? '' : chained(survey, top);
  const paths = partsIn(survey, start, start === '' ? 2 : 1);
  const [only] = paths;
  if (paths.length !== 1 || only === undefined) return { start, paths };
  const inner = partsIn(survey, only, 1);
  return { start, paths: inner.length > 1 ? [only, ...inner] : paths };
}

/** Folders with sources; where one has none itself, those in it, so many levels further. */
function partsIn(survey: Survey, folder: string, further: number): string[] {
  const names = survey.list(folder).folders.filter((name) => !BESIDE.test(name));
  return names.flatMap((name) => {
    const path = joined(folder, name);
    if (sourcesIn(survey, path).length > 0) return [path];
    return further > 0 ? partsIn(survey, path, further - 1) : [];
  });
}

/** A folder, or the first below it that has more in it than one other folder. */
function chained(survey: Survey, folder: string): string {
  let path = folder;
  for (let depth = 0; depth < MOST_CHAIN; depth++) {
    const { files, folders } = survey.list(path);
    const [only] = folders;
    if (
      files.length > 0 ||
      folders.length !== 1 ||
      only === undefined ||
      sourcesIn(survey, joined(path, only)).length > 0
    )
      return path;
    path = joined(path, only);
  }
  return path;
}

/** Source files directly in a folder that are no tests, sorted. */
export function sourcesIn(survey: Survey, folder: string): string[] {
  return survey
    .list(folder)
    .files.filter((name) => SOURCE.test(name) && !TEST.test(name))
    .map((name) => joined(folder, name));
}

/** The file that a folder is read from: one with a usual name, or called as the folder is. */
export function entryIn(survey: Survey, folder: string): string | undefined {
  const sources = sourcesIn(survey, folder);
  const stems = new Map(sources.toReversed().map((path) => [stem(path), path]));
  const wanted = [...ENTRIES, ...(folder === '' ? [] : [baseName(folder).toLowerCase()])];
  return wanted.map((name) => stems.get(name)).find((path) => path !== undefined);
}

function stem(path: string): string {
  return baseName(path)
    .replace(/\.[^.]+$/, '')
    .toLowerCase();
}
