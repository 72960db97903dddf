// project.yaml as `init` writes it. It is also how most people meet the format, so each section says in a line what
// it is for, and shows as a comment what could stand there.

import type { FoundModule } from './find-modules.ts';
import type { FoundUpstream } from './find-upstreams.ts';
import { USUAL_ROOT } from './guide-place.ts';
import type { Outline } from './outline.ts';
import { yamlItem, yamlList, yamlText } from './yaml-text.ts';

const SCHEMA = './node_modules/fieldguide/dist/project.schema.json';

export function projectText(outline: Outline): string {
  const sections = [
    head(outline),
    project(outline),
    tech(outline),
    architecture(outline),
    modules(outline),
    guide(outline),
  ];
  return `${[...sections, files(outline), upstreams(outline), PROMPTS, BUDGET, ignore(outline), BUNDLE].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function head({ hasPackageJson }: Outline): string[] {
  const schema = hasPackageJson
    ? [
        `# yaml-language-server: $schema=${SCHEMA}`,
        '# (Editors complete and check this file by the line above, once fieldguide is a dev dependency.)',
      ]
    : [
        '# For completion in editors: fieldguide schema > project.schema.json, and this as the first line:',
        '#   yaml-language-server: $schema=./project.schema.json',
      ];
  return [
    ...schema,
    '#',
    '# What this team knows about its repository, for AI coding agents. It was written by `fieldguide init` from what',
    '# stands here, and is yours now: correct it, and add what no file says. `fieldguide build` compiles it.',
    'version: "1.0"',
  ];
}

function project({ name, type, description }: Outline): string[] {
  return [
    'project:',
    `  name: ${yamlText(name)}`,
    type === undefined
      ? '  # type: library  # or web-app, api, cli, fullstack, or a word of your own'
      : `  type: ${yamlText(type)}`,
    description === undefined
      ? '  # description: What it is for, in a sentence or two.'
      : `  description: ${yamlText(description)}`,
  ];
}

function tech({ stack, runtime, packageManager }: Outline): string[] {
  const rows = [
    ...(stack.length === 0 ? [] : [`  stack: ${yamlList(stack)}`]),
    ...(runtime === undefined ? [] : [`  runtime: ${yamlText(runtime)}`]),
    ...(packageManager === undefined ? [] : [`  packageManager: ${yamlText(packageManager)}`]),
  ];
  const example = ['# tech:', '#   stack: [TypeScript, React]', '#   runtime: Node.js 22', '#   packageManager: npm'];
  return ['# What it is made with.', ...(rows.length === 0 ? example : ['tech:', ...rows])];
}

function architecture({ isMonorepo, modules: parts }: Outline): string[] {
  const about = '# How its parts fit together: feature-based, layered, modular, monorepo, or a word of your own.';
  if (!isMonorepo) {
    return [
      about,
      '# architecture:',
      '#   pattern: layered',
      '#   description: Routes call services, services call the store, never the other way.',
    ];
  }
  const folders = [...new Set(parts.map(({ folder }) => folder.split('/').slice(0, -1).join('/') || '.'))];
  const where = folders.map((folder) => (folder === '.' ? 'the root' : `${folder}/`)).join(', ');
  return [
    about,
    'architecture:',
    '  pattern: monorepo',
    `  description: ${yamlText(`Several packages in one repository, under ${where}.`)}`,
  ];
}

function modules({ modules: parts }: Outline): string[] {
  const about = [
    '# Its parts; an agent reads one as context://module/<name>. Worth most is what no source file says, so add to',
    '# each what you would tell a new colleague:',
    '#',
    ...MODULE_EXAMPLE,
  ];
  return [...about, ...(parts.length === 0 ? [] : ['modules:', ...parts.flatMap(moduleLines)])];
}

/** Every key that a module may have; uncommented, it is a section of its own. */
const MODULE_EXAMPLE = [
  '# modules:',
  '#   auth:',
  '#     description: Sign-in, sessions, permissions',
  '#     keyFiles:',
  '#       - { path: src/auth/index.ts, role: entry, description: Where it starts }  # or config, core, test',
  '#     patterns:',
  '#       - Tokens live in httpOnly cookies, never in local storage',
  '#     businessRules:',
  '#       - A session ends after 30 minutes without activity',
  '#     commonIssues:',
  '#       - description: Refresh tokens race',
  '#         solution: Take the mutex in refresh.ts first',
  '#     dependencies: []  # names of other modules',
];

function moduleLines({ name, folder, description, keyFiles, dependencies }: FoundModule): string[] {
  const where = folder === '' ? 'At the root of the repository.' : `The folder ${folder}.`;
  return [
    `  ${yamlText(name)}:`,
    `    description: ${yamlText(description ?? where)}`,
    ...(keyFiles.length === 0 ? [] : ['    keyFiles:']),
    ...keyFiles.map(({ path, role }) => `      - { path: ${yamlItem(path)}, role: ${role} }`),
    ...(dependencies.length === 0 ? [] : [`    dependencies: ${yamlList(dependencies)}`]),
  ];
}

function guide({ guide: { root, what }, docs }: Outline): string[] {
  const about = [
    `# The guide: markdown for agents, under ${root}/. Each folder in it is a category, guide://category/<name>, unless`,
    '# categories are named. Front matter may say appliesTo: [src/**], and the page comes with those files.',
    ...(docs === undefined
      ? []
      : [`# To make ${docs}/ the guide instead: root: ${docs}. Builds then check its links as well.`]),
  ];
  const more = [
    '  # categories:',
    '  #   guide: { description: How to work in this repository }',
    '  # collections:',
    '  #   onboarding: { categories: [guide], description: For the first day }',
  ];
  if (what === 'none' && root === USUAL_ROOT) return [...about, '# guide:', '#   root: content'];
  return [...about, 'guide:', `  root: ${yamlText(root)}`, ...(what === 'none' ? [] : more)];
}

function files({ files: paths }: Outline): string[] {
  const about = '# Files that are served as they are, file://<path>, in this order: paths and globs.';
  return paths.length === 0
    ? [about, '# files: [README.md, "docs/**/*.md"]']
    : [about, 'files:', ...paths.map((path) => `  - ${yamlText(path)}`)];
}

function upstreams({ upstreams: found }: Outline): string[] {
  const about = `# Other MCP servers, whose resources are served as upstream://<group>/<uri>; \${NAME} is a variable.`;
  if (found.length === 0) {
    return [
      about,
      '# upstreams:',
      `#   wiki: { url: "https://wiki.example/mcp", headers: { Authorization: "Bearer \${WIKI_TOKEN}" } }`,
    ];
  }
  return [about, 'upstreams:', ...found.flatMap(upstreamLines)];
}

function upstreamLines(one: FoundUpstream): string[] {
  const pairs = 'command' in one ? one.env : one.headers;
  return [
    `  ${yamlText(one.group)}:`,
    ...(one.description === undefined ? [] : [`    description: ${yamlText(one.description)}`]),
    ...('command' in one ? [`    command: ${yamlText(one.command)}`] : [`    url: ${yamlText(one.url)}`]),
    ...('command' in one && one.args.length > 0 ? [`    args: ${yamlList(one.args)}`] : []),
    ...(pairs.length === 0 ? [] : [`    ${'command' in one ? 'env' : 'headers'}:`]),
    ...pairs.map(([name, value]) => `      ${yamlText(name)}: ${yamlText(value)}`),
  ];
}

const PROMPTS = ['# Prompts that people call by name: markdown files of this folder.', '# prompts: prompts'];

const BUDGET = [
  '# How long texts may be, in tokens, before a build says so.',
  '# budget: { document: 8k, collection: 25k }',
];

function ignore({ promptProblems }: Outline): string[] {
  const about = '# Warnings of a build that are accepted, each with a reason.';
  if (promptProblems.length === 0) {
    return [
      about,
      '# ignore:',
      '#   - { rule: title-missing, files: ["content/parts/**"], reason: Fragments of other pages }',
    ];
  }
  const rows = promptProblems.map(
    (rule) => `  - { rule: ${rule}, files: ["prompts/*.md"], reason: These prompts were here before this file }`,
  );
  return [about, 'ignore:', ...rows];
}

const BUNDLE = [
  '# `fieldguide build` writes dist-index/. Usually git ignores it, and everybody or CI builds it; to ship it beside the',
  '# sources instead, see that .gitignore does not have /dist-index/, and commit it.',
];
