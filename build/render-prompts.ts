// Prompts to entries: the list as prompts/list sends it, and each prompt's text under a key of its own. Two
// prompts are in every bundle, written from what this one holds: the way in for an agent that knows nothing.

import type { PhrasingContent } from 'mdast';
import { moduleUri } from '../runtime/uri.ts';
import { HELP_URI, OVERVIEW_URI } from '../runtime/ways-in.ts';
import { heading, markdown, paragraph, plain, rawLine } from './markdown.ts';
import { always, instead, needing, type Piece, run } from './pieces.ts';
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
  const ours = [discoverMcp(project, ways.first ?? OVERVIEW_URI), gettingStarted(project, ways)];
  const prompts = [...ours.map(({ prompt }) => prompt), ...written];
  const { content } = project.prompts;
  const list = {
    prompts: prompts.map(listedPrompt),
    ...(content === 'block' ? {} : { content }),
  };
  return [
    entry('prompts', 'application/json', JSON.stringify(list)),
    ...ours.map(({ prompt, body }) => ({
      ...entry(`prompt/${prompt.name}`, 'text/markdown', body.text, prompt),
      cuts: body.cuts,
    })),
    ...written.map((prompt) => entry(`prompt/${prompt.name}`, 'text/markdown', prompt.body, prompt)),
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

/** A prompt of ours; what it names is left out for those who may not read it. */
type Generated = { prompt: Prompt; body: Piece };

function generated(name: string, title: string, description: string, body: Piece): Generated {
  return { prompt: { name, title, description, arguments: [], body: body.text }, body };
}

function discoverMcp(project: Project, first: string): Generated {
  const about = first === OVERVIEW_URI ? 'the stack, the architecture and the modules' : 'how to work here';
  const head = markdown([
    heading(1, plain('Discover this server')),
    paragraph(plain('It serves what the team knows about '), rawLine(project.name), plain('. In this order:')),
  ]);
  const body = run(
    always(head),
    '\n\n1. `resources/list`: everything that can be read.',
    '\n2. `resources/read` of ',
    instead('what its title says most about'),
    needing(first, `\`${first}\`: ${about}`),
    always('.'),
    '\n3. `prompts/list`: the ways of working that are written down.',
    '\n4. `prompts/get` of ',
    instead('one that suits the task'),
    needing('prompt/getting-started', '`getting-started`: how to go on from there'),
    always('.'),
    '\n5. `tools/list`: what can be called.',
    '\n\nNothing else is needed; read the rest when a task calls for it.',
  );
  return generated(
    'discover-mcp',
    'Discover this server',
    'What this server has, in five requests and in their order',
    body,
  );
}

function gettingStarted(project: Project, { hasGuide = false }: Ways): Generated {
  const [module] = project.modules;
  const body = run(
    always(markdown([heading(1, plain('Getting started with '), rawLine(project.name))])),
    '\n\n1. **What is here.** List the resources: `resources/list`.',
    ...(hasGuide ? [needing(HELP_URI, ` The resource \`${HELP_URI}\` shows how the guide is asked.`)] : []),
    always('\n2. **The overview.** '),
    instead('Read what the list says most about.'),
    needing(OVERVIEW_URI, `Read \`${OVERVIEW_URI}\`.`),
    always(run('\n3. **The module in question.** ', ...moduleStep(module?.name))),
    always('\n4. **Search.** '),
    instead('For anything else look through the list.'),
    needing(
      'tool/search',
      'For anything else call the tool `search` with `{"query": "…"}`, in a few words of what you look for.',
    ),
    always('\n5. **What you learned.** A rule, a pattern, a decision, a known problem that was not written down: '),
    instead('tell the person you work for.'),
    needing(
      'tool/record_discovery',
      'propose it with the tool `record_discovery`. The person you work for is asked, and everybody reads it from then on.',
    ),
  );
  return generated('getting-started', 'Getting started', 'Five steps from knowing nothing to a first change', body);
}

function moduleStep(name: string | undefined): (string | Piece)[] {
  if (name === undefined) return ['None is described yet; the overview is all there is.'];
  const example = markdown([paragraph(plain('; for '), rawLine(name), plain(' it is '), code(moduleUri(name)))]);
  return [
    'Before you change a module, read its page for rules, patterns and known problems',
    needing(moduleUri(name), example),
    always('.'),
  ];
}

function code(value: string): PhrasingContent {
  return { type: 'inlineCode', value };
}
