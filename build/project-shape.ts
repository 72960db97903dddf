// What project.yaml may hold: the one definition behind its checks, its messages and the JSON Schema
// that editors use.

import { duration, either, flag, list, map, names, number, size, text, tokens } from './shape.ts';

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

const CATEGORY = map('One category of the guide.', {
  dir: text('Its folder under the guide; its name unless said.'),
  patterns: list('Which documents it answers with by default; **/*.md unless said.', text('A glob.')),
  description: text('What is in it.'),
});

const COLLECTION = map(
  'Documents of several categories under one name.',
  {
    categories: list('Categories, category/pattern, or other collections.', text('One of them.')),
    description: text('What it is for.'),
  },
  ['categories'],
);

const IGNORED = map(
  'A problem that is not reported.',
  {
    rule: text('The code of the problem.'),
    files: list('Globs of the files meant; every file unless said.', text('A glob.')),
    reason: text('Why it is accepted.'),
  },
  ['rule', 'reason'],
);

const GLOBS = either(
  'Globs of URIs, the last that matches counts, !glob takes away; "*" is everything.',
  text('A glob, or "*".'),
  list('Globs of URIs.', text('A glob.')),
);

const NAMES = either('Names; "*" is all.', text('A name, or "*".'), list('Names.', text('A name.')));

const AGENT = map('A named reader and what it may read.', {
  resources: GLOBS,
  tools: NAMES,
  prompts: NAMES,
  token: text(`The environment variable that holds its token on HTTP: \${NAME}, never the token itself.`),
});

const UPSTREAM = map('Another MCP server whose resources are served beside ours.', {
  description: text('What it knows.'),
  command: text('The program to start; or url.'),
  args: list(`Its arguments; \${NAME} stands for an environment variable.`, text('An argument.')),
  env: names('Environment variables that it gets.', text('A value.')),
  url: text('The address of a server that runs; or command.'),
  headers: names('Headers that are sent to it.', text('A value.')),
  enabled: flag('false: as if it were not here.'),
  features: map('What of it is served.', {
    resources: flag('Its resources; true unless said.'),
    prompts: flag('Its prompts; false unless said.'),
    tools: flag('Its tools; false unless said.'),
  }),
  resources: GLOBS,
  timeout: either(
    'How long it may take to answer.',
    duration('For everything.'),
    map('For each kind.', {
      resources: duration('10s unless said.'),
      prompts: duration('10s unless said.'),
      tools: duration('30s unless said.'),
    }),
  ),
  cacheTtl: duration('How long its answers are kept; as long as it allows unless said.'),
  maxSize: size('The longest answer that is passed on; 1MB unless said.'),
});

export const PROJECT = map(
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
    guide: map('The guide: markdown for agents, in categories.', {
      root: text('Folder of the guide; content unless said.'),
      categories: names('Categories by name; each folder of the guide unless said.', CATEGORY),
      collections: names('Collections by id.', COLLECTION),
      help: text('Markdown file, under the guide, that follows the generated guide://help.'),
    }),
    files: list('Files that are served as they are, in this order: paths and globs.', text('A path or a glob.')),
    aliases: names(
      'URIs of another scheme that agents know already, and what each stands for; one {name} may stand in both.',
      text('A URI of this bundle: guide://, file:// or context://.'),
    ),
    prompts: text('Folder of the prompts; prompts unless said.'),
    compat: map('For clients that insist on another shape than the protocol has.', {
      promptContent: text('What a message holds: one block, or a list of parts.', ['block', 'parts']),
    }),
    limits: map('How long a served text may be before it is split into pages.', {
      overview: size('The overview; 50KB unless said.'),
      module: size('A module page; 20KB unless said.'),
      response: size('Everything else; 100KB unless said.'),
      session: size('The page of the current session; 10KB unless said.'),
      sessions: size('The pages of recent sessions and of discoveries; 50KB unless said.'),
      ratePerMinute: number('Requests of one agent in a minute, on HTTP; 6000 unless said.', 1, 1_000_000),
    }),
    agents: names('Who may read what, by name of the agent; everybody everything unless said.', AGENT),
    upstreams: names('Other MCP servers, by the name of their group.', UPSTREAM),
    http: map('Who may come in by HTTP.', {
      hosts: list('Names under which the server is reached, beside localhost.', text('A host name.')),
      origins: list('Web pages that may call it, beside those of localhost.', text('A host name.')),
    }),
    sessions: map('Live data: what happens in sessions of agents.', {
      store: text(`Where it is kept: journal, the files under .fieldguide/; or postgres://…, best as \${NAME}.`, [
        'journal',
      ]),
      idleMinutes: number('Minutes without activity after which a session has ended; 30 unless said.', 1, 10_080),
    }),
    budget: map('How many tokens a text may cost an agent; over it, a build warns. No budget unless said.', {
      document: tokens('One document.'),
      collection: tokens('All documents of one collection.'),
      bundle: tokens('All texts of the bundle.'),
    }),
    approval: map('Tools that ask a person before they run.', {
      allow: list('Tools that need not ask.', text('The name of a tool.', ['record_discovery'])),
    }),
    ignore: list('Problems that are known and accepted.', IGNORED),
    metadata: map('Dates, for people.', {
      createdAt: text('When this file was made.'),
      updatedAt: text('When it was last changed.'),
      lastScanAt: text('When a tool last looked.'),
    }),
  },
  ['version', 'project'],
);
