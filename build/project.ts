// project.yaml to Project: every problem with its place, nothing else. The definition below is the one
// source of the file's shape; the editors' JSON Schema is made from it.

import { nearest } from '../runtime/nearest.ts';
import { check } from './check.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import { jsonSchema, list, map, names, size, text } from './shape.ts';
import { parseYaml, show } from './yaml.ts';

export const PROJECT_FILE = 'project.yaml';

export type KeyFile = { path: string; role?: string; description?: string };
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

export type Limits = { overview: number; module: number };

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
};

const KEY_FILE = map(
  'A file worth knowing.',
  {
    path: text('Path from the root of the repository.'),
    role: text('What it is to the module.', ['entry', 'config', 'core', 'test']),
    description: text('What is in it.'),
  },
  ['path'],
);

const ISSUE = map(
  'A known problem and its way out.',
  {
    description: text('What goes wrong.'),
    solution: text('What to do about it.'),
    discoveredAt: text('When it was found.'),
    sessionId: text('The session that found it.'),
  },
  ['description'],
);

const MODULE = map('One part of the project.', {
  description: text('What it is for.'),
  keyFiles: list('Files worth knowing.', KEY_FILE),
  patterns: list('How things are done here.', text('A pattern.')),
  businessRules: list('What must always hold.', text('A rule.')),
  commonIssues: list('Known problems and their solutions.', ISSUE),
  dependencies: list('Other modules that it needs.', text('Name of a module.')),
});

const PROJECT = map(
  'What a team knows about its repository.',
  {
    version: text('Version of this file: "1.0".', ['1.0']),
    project: map(
      'What the project is.',
      {
        name: text('Its name.'),
        type: text('Its kind.', ['web-app', 'api', 'cli', 'library', 'fullstack']),
        path: text('Where it is, as agents should see it; never an absolute path of one machine.'),
        description: text('A sentence or two.'),
      },
      ['name'],
    ),
    tech: map('What it is made with.', {
      stack: list('Languages, frameworks, libraries.', text('One of them.')),
      runtime: text('What it runs on.'),
      packageManager: text('How it is installed.', ['npm', 'yarn', 'pnpm', 'bun']),
    }),
    architecture: map('How it is built.', {
      pattern: text('Its overall pattern.', ['feature-based', 'layered', 'modular', 'monorepo', 'unknown']),
      description: text('How its parts fit together.'),
    }),
    modules: names('Its parts, by name.', MODULE),
    limits: map('How long a served text may be before it is split into pages.', {
      overview: size('The overview; 50KB unless said.'),
      module: size('A module page; 20KB unless said.'),
    }),
    metadata: map('Dates, for people.', {
      createdAt: text('When this file was made.'),
      updatedAt: text('When it was last changed.'),
      lastScanAt: text('When a tool last looked.'),
    }),
  },
  ['version', 'project'],
);

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
  if (tree.root === null) {
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
  for (const [name, module] of modules) {
    for (const [n, dependency] of (module.dependencies ?? []).entries()) {
      if (modules.has(dependency)) continue;
      const near = nearest(dependency, modules.keys());
      const what = `The module ${show(name)} depends on ${show(dependency)}, which is not a module.`;
      const fix = near === undefined ? 'Name a module of this file, or remove it.' : `Did you mean ${show(near)}?`;
      tell(problem('module-unknown', placeOf(['modules', name, 'dependencies', n]), what, fix));
    }
  }
  return failed ? undefined : assemble(found as Written, modules);
}

/** The file as checked: everything optional may be missing. */
type Written = {
  version: string;
  project: { name: string; type?: string; path?: string; description?: string };
  tech?: { stack?: string[]; runtime?: string; packageManager?: string };
  architecture?: { pattern?: string; description?: string };
  modules?: Map<string, Partial<Module> | undefined>;
  limits?: Partial<Limits>;
};

function assemble(found: Written, modules: Map<string, Partial<Module>>): Project {
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
      keyFiles: module.keyFiles ?? [],
      patterns: module.patterns ?? [],
      businessRules: module.businessRules ?? [],
      commonIssues: module.commonIssues ?? [],
      dependencies: module.dependencies ?? [],
    })),
    limits: { overview: found.limits?.overview ?? 50 * 1024, module: found.limits?.module ?? 20 * 1024 },
  };
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}

function checkVersion(version: string | undefined, place: Place, report: Report): void {
  if (version === undefined || version === '1.0') return;
  report(problem('value-wrong', place, `The version ${show(version)} is not known.`, 'Write version: "1.0".'));
}

/** A module's name becomes one segment of a URI. */
function checkName(name: string, place: Place, report: Report): void {
  const fault =
    name.trim() === ''
      ? 'is empty'
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
