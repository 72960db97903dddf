// Project to entries: the final text of every page, in labels and order that agents can rely on. A
// page is made of fragments, each naming the URI it depends on, so that what a reader may not see, or
// what changes live, can be told apart later.

import type { PhrasingContent, RootContent } from 'mdast';
import { CUT, type Cut } from '../runtime/format.ts';
import { pageStarts } from '../runtime/paginate.ts';
import { moduleUri } from '../runtime/uri.ts';
import { HELP_URI, OVERVIEW_URI } from '../runtime/ways-in.ts';
import type { Counted } from './counted.ts';
import { bullets, heading, labelled, lines, markdown, paragraph, plain, raw, rawLine } from './markdown.ts';
import { oneLine } from './one-line.ts';
import type { Issue, KeyFile, Module, Project } from './project.ts';

/** One served text: what it says, how it is listed. */
export type Entry = {
  uri: string;
  name: string;
  title: string;
  description: string;
  mediaType: string;
  text: string;
  /** For what is not text: how long it is, and its base64, unless that is more than an answer may hold. */
  blob?: { bytes: number; base64: string | undefined };
  /** In characters of the text, page cuts first; tabulate turns them into bytes. */
  cuts: readonly TextCut[];
  /** Its words, where they were counted with the source; else searchable counts those of the text. */
  counted?: Counted;
  isListed: boolean;
  /** Its text is made at request time. */
  isLive?: true;
  annotations?: Record<string, unknown> | undefined;
};

export type TextCut = { at: number; kind: Cut['kind']; level: number; label: string };

type Fragment = { text: string; dependsOn: string };

const NOT_STATED = plain('not stated');
const MOST_DESCRIPTION = 200;

export function render(project: Project): Entry[] {
  return [overviewEntry(project), ...project.modules.map((module) => moduleEntry(module, project))];
}

/** What nearly every client shows its model before the first request: the ways in come first. */
export function instructions(project: Project, hasGuide: boolean): string {
  const sentences = [
    `What the team knows about ${oneLine(project.name, 100)}. Start with ${OVERVIEW_URI}.`,
    'Before you change a file, read context://for/{path} (tool context_for): rules, patterns and known issues of its module.',
    `The tool search finds anything, read_resource reads a URI${hasGuide ? `, ${HELP_URI} explains the guide` : ''}.`,
  ];
  if (project.modules.length > 0) {
    const names = project.modules.map((module) => module.name).join(', ');
    sentences.push(`context://module/{name} tells all about a module. Modules: ${oneLine(names, 700)}.`);
  }
  if (project.description !== undefined) sentences.push(oneLine(project.description, 600));
  return sentences.join(' ');
}

function overviewEntry(project: Project): Entry {
  const head = fragment('', [
    heading(1, plain('Project: '), rawLine(project.name)),
    lines(labelled('Type', stated(project.type)), labelled('Path', rawLine(project.path))),
    heading(2, plain('Tech Stack')),
    ...bullets([
      labelled('Stack', project.stack.length === 0 ? NOT_STATED : rawLine(project.stack.join(', '))),
      labelled('Runtime', stated(project.runtime)),
      labelled('Package Manager', stated(project.packageManager)),
    ]),
    heading(2, plain('Architecture')),
    lines(labelled('Pattern', stated(project.pattern)), labelled('Description', stated(project.architecture))),
    heading(2, plain(`Modules (${project.modules.length})`)),
  ]);
  return {
    uri: OVERVIEW_URI,
    name: 'Project Overview',
    title: 'Project Overview',
    description: 'High-level project information, tech stack, and architecture',
    mediaType: 'text/markdown',
    isListed: true,
    ...pageOf(OVERVIEW_URI, [head, ...project.modules.map(moduleSummary)], project.limits.overview),
  };
}

function moduleSummary(module: Module): Fragment {
  return fragment(moduleUri(module.name), [
    heading(3, rawLine(module.name)),
    described(module.description),
    paragraph(
      ...labelled('Key Files', plain(module.keyFiles.length === 0 ? 'None' : '')).slice(
        0,
        module.keyFiles.length === 0 ? 3 : 1,
      ),
    ),
    ...bullets(module.keyFiles.map((file) => [rawLine(file.path), plain(' ('), stated(file.role), plain(')')])),
    lines(
      labelled('Patterns', plain(String(module.patterns.length))),
      labelled('Business Rules', plain(String(module.businessRules.length))),
      labelled('Common Issues', plain(String(module.commonIssues.length))),
    ),
  ]);
}

function moduleEntry(module: Module, project: Project): Entry {
  const uri = moduleUri(module.name);
  const page = fragment(uri, [
    heading(1, plain('Module: '), rawLine(module.name)),
    described(module.description),
    heading(2, plain('Key Files')),
    ...module.keyFiles.flatMap(keyFile),
    heading(2, plain(`Patterns (${module.patterns.length})`)),
    ...bullets(module.patterns.map((pattern) => [raw(pattern)])),
    heading(2, plain(`Business Rules (${module.businessRules.length})`)),
    ...bullets(module.businessRules.map((rule) => [raw(rule)])),
    heading(2, plain(`Common Issues (${module.commonIssues.length})`)),
    ...module.commonIssues.flatMap(issue),
    heading(2, plain('Dependencies')),
    paragraph(module.dependencies.length === 0 ? plain('None') : rawLine(module.dependencies.join(', '))),
  ]);
  return {
    uri,
    name: module.name,
    title: oneLine(`Module: ${module.name}`, MOST_DESCRIPTION),
    description: oneLine(module.description ?? `What the team knows about ${module.name}`, MOST_DESCRIPTION),
    mediaType: 'text/markdown',
    isListed: true,
    ...pageOf(uri, [page], project.limits.module),
  };
}

function keyFile(file: KeyFile): RootContent[] {
  const role = labelled('Role', stated(file.role));
  const about = file.description === undefined ? [] : [[raw(file.description)]];
  return [heading(3, rawLine(file.path)), lines(role, ...about)];
}

function issue(found: Issue): RootContent[] {
  const discovered: PhrasingContent[] = [
    ...labelled('Discovered', stated(found.discoveredAt)),
    plain(' (Session: '),
    stated(found.sessionId),
    plain(')'),
  ];
  return [heading(3, rawLine(found.description)), lines(labelled('Solution', stated(found.solution, raw)), discovered)];
}

function described(description: string | undefined): RootContent {
  return paragraph(description === undefined ? NOT_STATED : raw(description));
}

function stated(value: string | undefined, as = rawLine): PhrasingContent {
  return value === undefined || value.trim() === '' ? NOT_STATED : as(value);
}

function fragment(dependsOn: string, nodes: RootContent[]): Fragment {
  return { text: markdown(nodes), dependsOn };
}

/** Fragments joined, with the cuts where each starts and where a page must. */
function pageOf(uri: string, fragments: Fragment[], limit: number): { text: string; cuts: TextCut[] } {
  let text = '';
  const cuts: TextCut[] = [];
  for (const { text: part, dependsOn } of fragments) {
    if (text !== '') text += '\n\n';
    cuts.push({ at: text.length, kind: CUT.fragment, level: 0, label: dependsOn });
    text += part;
  }
  text += '\n';
  const pages = pageStarts(uri, text, limit).map((at) => ({ at, kind: CUT.page, level: 0, label: '' }));
  return { text, cuts: [...pages, ...cuts] };
}
