// project.yaml to Project: every problem with its place, nothing else.

import { isScalar } from 'yaml';
import { nearest } from '../runtime/nearest.ts';
import { USUAL_SETTINGS } from '../runtime/settings.ts';
import { type AliasConfig, readAliases } from './aliases.ts';
import { check } from './check.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import {
  type FilePattern,
  type GuideConfig,
  readFilePatterns,
  readGuide,
  readIgnored,
  type WrittenGuide,
  type WrittenIgnored,
} from './guide-config.ts';
import { PROJECT_FILE } from './project-file.ts';
import { PROJECT } from './project-shape.ts';
import { type PromptsConfig, readPromptsConfig } from './prompts-config.ts';
import { checkStore, readServing, type Serving, type WrittenServing } from './serving-config.ts';
import { jsonSchema } from './shape.ts';
import type { Ignored } from './silences.ts';
import type { Budget } from './truth/budget.ts';
import { parseYaml, show } from './yaml.ts';

/** Near misses are looked for as often as problems of one kind are shown. */
const MOST_SUGGESTED = 50;

/** `place` is that of its path. */
export type KeyFile = { path: string; role?: string; description?: string; place: Place };
export type Issue = { description: string; solution?: string; discoveredAt?: string; sessionId?: string };

export type Module = {
  name: string;
  description?: string;
  keyFiles: readonly KeyFile[];
  patterns: readonly string[];
  businessRules: readonly string[];
  commonIssues: readonly Issue[];
  dependencies: readonly string[];
};

export type Limits = {
  overview: number;
  module: number;
  response: number;
  session: number;
  sessions: number;
  ratePerMinute?: number;
};

export type Project = {
  name: string;
  type?: string;
  path: string;
  description?: string;
  stack: readonly string[];
  runtime?: string;
  packageManager?: string;
  pattern?: string;
  architecture?: string;
  modules: readonly Module[];
  limits: Limits;
  sessions: { store: string; idleMinutes: number };
  approval: { allow: readonly string[] };
  serving?: Serving;
  guide: GuideConfig;
  files: readonly FilePattern[];
  aliases?: readonly AliasConfig[];
  prompts: PromptsConfig;
  ignore: readonly Ignored[];
  budget?: Budget;
};

export function projectSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fieldguide project.yaml',
    ...jsonSchema(PROJECT),
  };
}

/** Undefined when the file cannot be used; the reasons have then been reported. */
export function project(source: string, report: Report): Project | undefined {
  let failed = false;
  const tell: Report = (diagnostic) => {
    failed ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  const tree = parseYaml(PROJECT_FILE, source, tell);
  if (tree === undefined) return undefined;
  if (tree.root === null || (isScalar(tree.root) && tree.root.value === null)) {
    tell(
      problem(
        'key-missing',
        { file: PROJECT_FILE, line: 1, column: 1 },
        `${PROJECT_FILE} is empty.`,
        'Write version: "1.0" and project: { name: … }.',
      ),
    );
    return undefined;
  }
  const { value, placeOf } = check(tree, PROJECT, PROJECT_FILE, tell);
  const found = (value ?? {}) as Partial<Written>;
  const modules = new Map([...(found.modules ?? [])].map(([name, module]) => [name, module ?? {}]));
  checkVersion(found.version, placeOf(['version']), tell);
  if (found.project?.name?.trim() === '') {
    tell(problem('value-wrong', placeOf(['project', 'name']), 'The name of the project is empty.', 'Write its name.'));
  }
  for (const name of modules.keys()) checkName(name, placeOf(['modules', name, '#key']), tell);
  let unknown = 0;
  for (const [name, module] of modules) {
    for (const [n, dependency] of (module.dependencies ?? []).entries()) {
      if (modules.has(dependency)) continue;
      const near = unknown++ < MOST_SUGGESTED ? nearest(dependency, modules.keys()) : undefined;
      const what = `The module ${show(name)} depends on ${show(dependency)}, which is not a module.`;
      const fix = near === undefined ? 'Name a module of this file, or remove it.' : `Did you mean ${show(near)}?`;
      tell(problem('module-unknown', placeOf(['modules', name, 'dependencies', n]), what, fix));
    }
  }
  const guide = readGuide(found.guide, placeOf, tell);
  const files = readFilePatterns(found.files ?? [], placeOf, tell);
  const prompts = readPromptsConfig(found, guide.root, placeOf, tell);
  const aliases = readAliases(found.aliases ?? new Map(), placeOf, tell);
  const ignore = readIgnored(found.ignore ?? [], placeOf, tell);
  const serving = readServing(found, placeOf, tell);
  if (found.sessions?.store !== undefined) checkStore(found.sessions.store, placeOf(['sessions', 'store']), tell);
  if (failed) return undefined;
  const budget = readBudget(found.budget ?? {}, placeOf);
  return { ...assemble(found as Written, modules, placeOf), guide, files, aliases, prompts, ignore, budget, serving };
}

/** The file as checked: everything optional may be missing. */
type Written = {
  version: string;
  project: { name: string; type?: string; path?: string; description?: string };
  tech?: { stack?: string[]; runtime?: string; packageManager?: string };
  architecture?: { pattern?: string; description?: string };
  modules?: Map<string, WrittenModule | undefined>;
  limits?: Partial<Limits>;
  sessions?: { store?: string; idleMinutes?: number };
  approval?: { allow?: string[] };
  guide?: WrittenGuide;
  files?: string[];
  aliases?: Map<string, string | undefined>;
  prompts?: string;
  compat?: { promptContent?: string };
  budget?: Partial<Record<keyof Budget, number>>;
  ignore?: WrittenIgnored[];
} & WrittenServing;

type WrittenModule = Partial<Omit<Module, 'keyFiles'>> & { keyFiles?: readonly Omit<KeyFile, 'place'>[] };

type PlaceOf = (path: readonly (string | number)[]) => Place;

function assemble(
  found: Written,
  modules: Map<string, WrittenModule>,
  placeOf: PlaceOf,
): Omit<Project, 'guide' | 'files' | 'aliases' | 'prompts' | 'ignore' | 'serving'> {
  return {
    ...found.project,
    path: found.project.path ?? '.',
    stack: found.tech?.stack ?? [],
    ...optional('runtime', found.tech?.runtime),
    ...optional('packageManager', found.tech?.packageManager),
    ...optional('pattern', found.architecture?.pattern),
    ...optional('architecture', found.architecture?.description),
    modules: [...modules].map(([name, module]) => ({
      name,
      ...optional('description', module.description),
      keyFiles: (module.keyFiles ?? []).map((file, n) => ({
        ...file,
        place: placeOf(['modules', name, 'keyFiles', n, 'path']),
      })),
      patterns: module.patterns ?? [],
      businessRules: module.businessRules ?? [],
      commonIssues: module.commonIssues ?? [],
      dependencies: module.dependencies ?? [],
    })),
    limits: {
      overview: found.limits?.overview ?? USUAL_SETTINGS.limits.overview,
      module: found.limits?.module ?? USUAL_SETTINGS.limits.module,
      response: found.limits?.response ?? 100 * 1024,
      session: found.limits?.session ?? USUAL_SETTINGS.limits.session,
      sessions: found.limits?.sessions ?? USUAL_SETTINGS.limits.sessions,
      ...(found.limits?.ratePerMinute === undefined ? {} : { ratePerMinute: found.limits.ratePerMinute }),
    },
    sessions: { ...USUAL_SETTINGS.sessions, ...found.sessions },
    approval: { allow: found.approval?.allow ?? [] },
  };
}

function readBudget(written: NonNullable<Written['budget']>, placeOf: PlaceOf): Budget {
  return Object.fromEntries(
    Object.entries(written).map(([of, tokens]) => [of, { tokens, place: placeOf(['budget', of]) }]),
  );
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}

function checkVersion(version: string | undefined, place: Place, report: Report): void {
  if (version === undefined || version === '1.0') return;
  report(problem('value-wrong', place, `The version ${show(version)} is not known.`, 'Write version: "1.0".'));
}

/** A module's name becomes one segment of a URI. */
export function checkName(name: string, place: Place, report: Report): void {
  const fault =
    name.trim() === ''
      ? 'is empty'
      : name === '<<'
        ? 'is a merge key, which is not supported'
        : name === '.' || name === '..'
          ? 'is a dot segment'
          : // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
            /[\u0000-\u001f\u007f\\]/.test(name)
            ? 'has a control character or a backslash'
            : !name.isWellFormed()
              ? 'is not valid Unicode'
              : encodeURIComponent(name).length > 1024
                ? 'is too long'
                : /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(name)
                  ? 'has a dot segment'
                  : undefined;
  if (fault !== undefined)
    report(problem('name-wrong', place, `The module name ${show(name)} ${fault}.`, 'Choose a plain name.'));
}
