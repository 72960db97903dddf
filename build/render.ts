// Project to entries: the final text of every page, in labels and order that agents can rely on. A
// page is made of fragments, each naming the URI it depends on, so that what a reader may not see, or
// what changes live, can be told apart later.

import type { PhrasingContent, RootContent } from 'mdast';
import { CUT, type Cut } from '../runtime/format.ts';
import { pageStarts } from '../runtime/paginate.ts';
import { forUri, moduleUri } from '../runtime/uri.ts';
import { HELP_URI, OVERVIEW_URI } from '../runtime/ways-in.ts';
import type { Counted } from './counted.ts';
import { bullets, heading, labelled, lines, markdown, paragraph, plain, raw, rawLine } from './markdown.ts';
import { oneLine } from './one-line.ts';
import { always, instead, joined, needing, numberOf, type Piece, piece, run, section, withCounts } from './pieces.ts';
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

const NOT_STATED = plain('not stated');
const MOST_DESCRIPTION = 200;

export function render(project: Project): Entry[] {
  return [overviewEntry(project), ...project.modules.map((module) => moduleEntry(module, project))];
}

/** What nearly every client shows its model before the first request: the ways in come first. */
export function instructions(project: Project, hasGuide: boolean): Piece {
  const about = project.description === undefined ? '' : `\n${oneLine(project.description, 600)}`;
  return run(
    always(`What the team knows about ${oneLine(project.name, 100)}.`),
    needing(OVERVIEW_URI, ` Start with ${OVERVIEW_URI}.`),
    needing(forUri('*'), ' Before you change a file, read context://for/{path}'),
    needing(`${forUri('*')} tool/context_for`, ' (tool context_for)'),
    needing(forUri('*'), ': rules, patterns and known issues of its module.'),
    needing('tool/search', ' The tool search finds anything.'),
    needing('tool/read_resource', ' The tool read_resource reads a URI.'),
    ...(hasGuide ? [needing(HELP_URI, ` ${HELP_URI} explains the guide.`)] : []),
    ...(project.modules.length === 0 ? [] : namedModules(project.modules.map(({ name }) => name))),
    always(''),
    needing(OVERVIEW_URI, about),
  );
}

/** As many names as there is room for. */
function namedModules(names: readonly string[]): Piece[] {
  const pieces = [needing('*', ' context://module/{name} tells all about a module. Modules: ')];
  let room = 700;
  for (const name of names) {
    const shown = oneLine(name, room);
    room -= shown.length + 2;
    if (room < 0) return [...pieces, always('…')];
    pieces.push(pieces.length === 1 ? needing(moduleUri(name), shown) : needing(moduleUri(name), `, ${shown}`, 2));
  }
  return pieces;
}

function overviewEntry(project: Project): Entry {
  const head = run(
    piece([
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
    ]),
    '\n\n## Modules (',
    numberOf(project.modules),
    ')',
  );
  return {
    uri: OVERVIEW_URI,
    name: 'Project Overview',
    title: 'Project Overview',
    description: 'High-level project information, tech stack, and architecture',
    mediaType: 'text/markdown',
    isListed: true,
    ...pageOf(OVERVIEW_URI, [always(head), ...project.modules.map(moduleSummary)], project.limits.overview),
  };
}

function moduleSummary(module: Module): Piece {
  const [patterns, rules, issues] = [module.patterns, module.businessRules, module.commonIssues].map(
    ({ length }) => length,
  ) as [number, number, number];
  const counts = lines(
    labelled('Patterns', plain(String(patterns))),
    labelled('Business Rules', plain(String(rules))),
    labelled('Common Issues', plain(String(issues))),
  );
  const about = piece([
    heading(3, rawLine(module.name)),
    described(module.description),
    paragraph(
      ...labelled('Key Files', plain(module.keyFiles.length === 0 ? 'None' : '')).slice(
        0,
        module.keyFiles.length === 0 ? 3 : 1,
      ),
    ),
    ...bullets(module.keyFiles.map((file) => [rawLine(file.path), plain(' ('), stated(file.role), plain(')')])),
  ]);
  const counted = withCounts(markdown([counts]), [
    ['patterns', 'Patterns:** ', patterns],
    ['rules', 'Business Rules:** ', rules],
    ['issues', 'Common Issues:** ', issues],
  ]);
  return needing(moduleUri(module.name), run('\n\n', joined([about, counted])));
}

function moduleEntry(module: Module, project: Project): Entry {
  const uri = moduleUri(module.name);
  const { patterns, businessRules, commonIssues, dependencies } = module;
  const page = joined([
    piece([
      heading(1, plain('Module: '), rawLine(module.name)),
      described(module.description),
      heading(2, plain('Key Files')),
      ...module.keyFiles.flatMap(keyFile),
    ]),
    section('patterns', 2, patterns.length, bullets(patterns.map((pattern) => [raw(pattern)]))),
    section('rules', 2, businessRules.length, bullets(businessRules.map((rule) => [raw(rule)]))),
    section('issues', 2, commonIssues.length, commonIssues.flatMap(issue)),
  ]);
  const named = dependencies.map((name, n) =>
    needing(moduleUri(name), `${n === 0 ? '' : ', '}${name}`, n === 0 ? 0 : 2),
  );
  const none = dependencies.length === 0 ? 'None' : instead('None');
  return {
    uri,
    name: module.name,
    title: oneLine(`Module: ${module.name}`, MOST_DESCRIPTION),
    description: oneLine(module.description ?? `What the team knows about ${module.name}`, MOST_DESCRIPTION),
    mediaType: 'text/markdown',
    isListed: true,
    ...pageOf(uri, [needing(uri, page), always(run('\n\n## Dependencies\n\n', none)), ...named], project.limits.module),
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

/** A page with the cuts where each fragment starts and where a page must. */
function pageOf(uri: string, fragments: readonly Piece[], limit: number): Piece {
  const { text, cuts } = run(...fragments, always('\n'));
  const pages = pageStarts(uri, text, limit).map((at) => ({ at, kind: CUT.page, level: 0, label: '' }));
  return { text, cuts: [...pages, ...cuts] };
}
