// Prompts to entries: the list as prompts/list sends it, and each prompt's text under a key of its own. Two
// prompts are in every bundle, written from what this one holds: the way in for an agent that knows nothing.

import type { PhrasingContent } from 'mdast';
import { moduleUri } from '../runtime/uri.ts';
import { HELP_URI, OVERVIEW_URI } from '../runtime/ways-in.ts';
import { heading, markdown, paragraph, plain, rawLine, steps } from './markdown.ts';
import type { Project } from './project.ts';
import type { Prompt } from './read-prompts.ts';
import type { Entry } from './render.ts';

/** What the generated prompts may name; each URI must be readable in this bundle. */
export type Ways = {
  /** Read first: AGENTS.md where it is served, else the overview. */
  first?: string;
  /** Whether there is a guide, and so its help. */
  hasGuide?: boolean;
};

export function renderPrompts(written: readonly Prompt[], project: Project, ways: Ways = {}): Entry[] {
  const prompts = [discoverMcp(project, ways.first ?? OVERVIEW_URI), gettingStarted(project, ways), ...written];
  const { content } = project.prompts;
  const list = {
    prompts: prompts.map(listedPrompt),
    ...(content === 'block' ? {} : { content }),
  };
  return [
    entry('prompts', 'application/json', JSON.stringify(list)),
    ...prompts.map((prompt) => entry(`prompt/${prompt.name}`, 'text/markdown', prompt.body, prompt)),
  ];
}

function entry(key: string, mediaType: Entry['mediaType'], text: string, prompt?: Prompt): Entry {
  const name = prompt?.name ?? key;
  const title = prompt?.title ?? name;
  const description = prompt?.description ?? title;
  return { uri: key, name, title, description, mediaType, text, cuts: [], isListed: false };
}

function listedPrompt({ name, title, description, arguments: asked }: Prompt): Record<string, unknown> {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(asked.length === 0 ? {} : { arguments: asked }),
  };
}

function discoverMcp(project: Project, first: string): Prompt {
  const about = first === OVERVIEW_URI ? 'the stack, the architecture and the modules' : 'how to work here';
  return {
    name: 'discover-mcp',
    title: 'Discover this server',
    description: 'What this server has, in five requests and in their order',
    arguments: [],
    body: markdown([
      heading(1, plain('Discover this server')),
      paragraph(plain('It serves what the team knows about '), rawLine(project.name), plain('. In this order:')),
      steps([
        [code('resources/list'), plain(': everything that can be read.')],
        [code('resources/read'), plain(' of '), code(first), plain(`: ${about}.`)],
        [code('prompts/list'), plain(': the ways of working that are written down.')],
        [code('prompts/get'), plain(' of '), code('getting-started'), plain(': how to go on from there.')],
        [code('tools/list'), plain(': what can be called.')],
      ]),
      paragraph(plain('Nothing else is needed; read the rest when a task calls for it.')),
    ]),
  };
}

function gettingStarted(project: Project, { hasGuide = false }: Ways): Prompt {
  const [module] = project.modules;
  const guide: PhrasingContent[] = hasGuide
    ? [plain(' The resource '), code(HELP_URI), plain(' shows how the guide is asked.')]
    : [];
  return {
    name: 'getting-started',
    title: 'Getting started',
    description: 'Five steps from knowing nothing to a first change',
    arguments: [],
    body: markdown([
      heading(1, plain('Getting started with '), rawLine(project.name)),
      steps([
        [strong('What is here.'), plain(' List the resources: '), code('resources/list'), plain('.'), ...guide],
        [strong('The overview.'), plain(' Read '), code(OVERVIEW_URI), plain('.')],
        [strong('The module in question.'), ...moduleStep(module?.name)],
        [
          strong('Search.'),
          plain(' For anything else call the tool '),
          code('search'),
          plain(' with '),
          code('{"query": "…"}'),
          plain(', in a few words of what you look for.'),
        ],
        [
          strong('What you learned.'),
          plain(' A rule, a pattern, a decision, a known problem that was not written down: propose it with the tool '),
          code('record_discovery'),
          plain('. The person you work for is asked, and everybody reads it from then on.'),
        ],
      ]),
    ]),
  };
}

function moduleStep(name: string | undefined): PhrasingContent[] {
  if (name === undefined) return [plain(' None is described yet; the overview is all there is.')];
  return [
    plain(' Before you change a module, read its page for rules, patterns and known problems; for '),
    rawLine(name),
    plain(' it is '),
    code(moduleUri(name)),
    plain('.'),
  ];
}

function code(value: string): PhrasingContent {
  return { type: 'inlineCode', value };
}

function strong(value: string): PhrasingContent {
  return { type: 'strong', children: [plain(value)] };
}
