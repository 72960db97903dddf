// All that `init` found, as it will be written: the one value between looking and writing.

import { findFiles } from './find-files.ts';
import { findGo } from './find-go.ts';
import { findJavascript } from './find-javascript.ts';
import { type FoundModule, findModules } from './find-modules.ts';
import { findJvm, findMake, findPhp, findRuby } from './find-others.ts';
import { findPython } from './find-python.ts';
import { findRust } from './find-rust.ts';
import { type FoundUpstream, findUpstreams } from './find-upstreams.ts';
import { foreignName } from './foreign-text.ts';
import { type Found, together, typeOf } from './found.ts';
import { findGuidePlace, type GuidePlace } from './guide-place.ts';
import { type Readme, readReadme } from './readme.ts';
import { baseName, joined, type Survey } from './survey.ts';

export type Outline = {
  name: string;
  type?: string | undefined;
  description?: string | undefined;
  stack: readonly string[];
  runtime?: string | undefined;
  packageManager?: string | undefined;
  isMonorepo: boolean;
  commands: readonly string[];
  modules: readonly FoundModule[];
  files: readonly string[];
  docs?: string | undefined;
  guide: GuidePlace;
  /** Whether node_modules is where the schema for editors will be. */
  hasPackageJson: boolean;
  /** Codes of problems in a folder prompts/ that was there before. */
  promptProblems: readonly string[];
  upstreams: readonly FoundUpstream[];
};

/** A heading longer than this is a slogan, not a name. */
const MOST_TITLE = 60;

export async function outlineOf(survey: Survey, { copiesUpstreams }: { copiesUpstreams: boolean }): Promise<Outline> {
  const findings = [
    findJavascript(survey),
    await findPython(survey),
    await findRust(survey),
    findGo(survey),
    findRuby(survey),
    findPhp(survey),
    findJvm(survey),
    findMake(survey),
  ].filter((found) => found !== undefined);
  const found = together(findings);
  const { readme: readmePath, files, docs } = await findFiles(survey);
  const readme = readmePath === undefined ? {} : readReadme(survey.text(readmePath) ?? '');
  const name = nameOf(survey, found, readme);
  return {
    name,
    type: typeOf(found),
    description: found.description ?? readme.description,
    stack: found.stack,
    runtime: found.runtime,
    packageManager: found.packageManager,
    isMonorepo: found.isMonorepo,
    commands: found.commands,
    modules: findModules(survey, found, name),
    files,
    docs,
    guide: findGuidePlace(survey),
    hasPackageJson: survey.isFile('package.json'),
    promptProblems: await promptProblemsIn(survey),
    upstreams: copiesUpstreams ? findUpstreams(survey) : [],
  };
}

function nameOf(survey: Survey, found: Found, { title }: Readme): string {
  const heading = title !== undefined && title.length <= MOST_TITLE ? title : undefined;
  return found.name ?? heading ?? foreignName(baseName(survey.root.replace(/[\\/]+$/, ''))) ?? 'project';
}

/** The usual folder of prompts is served without being named. */
async function promptProblemsIn(survey: Survey): Promise<string[]> {
  const paths = survey.list('prompts').files.filter((name) => name.endsWith('.md') && !name.startsWith('_'));
  const files = paths.flatMap((name) => {
    const path = joined('prompts', name);
    const text = survey.text(path);
    return text === undefined ? [] : [{ path, text }];
  });
  return files.length === 0 ? [] : (await import('./foreign-markdown.ts')).promptProblems(files);
}
