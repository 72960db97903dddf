// AGENTS.md from the same sources as the bundle: short, because clients load it whole into every conversation. What
// it leaves out it links to, by path and by URI.

import type { PhrasingContent, RootContent } from 'mdast';
import { categoryUri, moduleUri } from '../runtime/uri.ts';
import { HELP_URI, OVERVIEW_URI } from '../runtime/ways-in.ts';
import { type Exported, type ExportSources, exportMarker, linkLine } from './export-sources.ts';
import { bullets, heading, labelled, markdown, paragraph, plain, rawLine } from './markdown.ts';
import type { Issue, KeyFile, Module, Project } from './project.ts';
import type { Document } from './resolve.ts';

/** Of a larger guide, the documents that its authors rank highest. */
const MOST_DOCUMENTS = 50;
const USUAL_PRIORITY = 0.5;

export function exportAgents(sources: ExportSources): Exported[] {
  const { project, files, link } = sources;
  const parts = [
    exportMarker('agents'),
    markdown([...head(project), ...modules(project.modules)]),
    ...documents(sources),
    ...(files.length === 0
      ? []
      : ['## Files', files.map(({ path }) => linkLine(path, link(path), undefined)).join('\n')]),
    markdown(overMcp(sources)),
  ];
  return [{ name: 'AGENTS.md', text: `${parts.join('\n\n')}\n` }];
}

function head(project: Project): RootContent[] {
  const facts: [label: string, value: string | undefined][] = [
    ['Type', project.type],
    ['Stack', project.stack.join(', ')],
    ['Runtime', project.runtime],
    ['Package manager', project.packageManager],
  ];
  const architecture: [label: string, value: string | undefined][] = [
    ['Pattern', project.pattern],
    ['Description', project.architecture],
  ];
  return [
    heading(1, rawLine(project.name)),
    ...(isStated(project.description) ? [paragraph(rawLine(project.description))] : []),
    ...stated(facts),
    ...titled(heading(2, plain('Architecture')), stated(architecture)),
  ];
}

function modules(all: readonly Module[]): RootContent[] {
  return titled(heading(2, plain('Modules')), all.flatMap(module));
}

function module(one: Module): RootContent[] {
  const lists: [label: string, items: PhrasingContent[][]][] = [
    ['Key files', one.keyFiles.map(keyFile)],
    ['Rules', one.businessRules.map((rule) => [rawLine(rule)])],
    ['Patterns', one.patterns.map((pattern) => [rawLine(pattern)])],
    ['Known issues', one.commonIssues.map(issue)],
  ];
  return [
    heading(3, rawLine(one.name)),
    ...(isStated(one.description) ? [paragraph(rawLine(one.description))] : []),
    ...lists.flatMap(([label, items]) => titled(paragraph(plain(`${label}:`)), bullets(items))),
    ...(one.dependencies.length === 0 ? [] : [paragraph(plain('Depends on: '), rawLine(one.dependencies.join(', ')))]),
    paragraph(plain('More: '), code(moduleUri(one.name))),
  ];
}

function keyFile({ path, role, description }: KeyFile): PhrasingContent[] {
  return [
    code(path),
    ...(isStated(role) ? [plain(' ('), rawLine(role), plain(')')] : []),
    ...(isStated(description) ? [plain(': '), rawLine(description)] : []),
  ];
}

function issue({ description, solution }: Issue): PhrasingContent[] {
  return [rawLine(description), ...(isStated(solution) ? [plain(' — '), rawLine(solution)] : [])];
}

function documents({ categories, link }: ExportSources): string[] {
  const held = categories.filter((category) => category.documents.length > 0);
  if (held.length === 0) return [];
  const shown = highest(held.flatMap((category) => category.documents));
  const parts = held.map(({ name, description, documents: all }) => {
    const rows = all
      .filter((document) => shown.has(document))
      .map(({ source, title, front }) => linkLine(title, link(source), front.description));
    const more = all.length - rows.length;
    if (more > 0) rows.push(`- ${rows.length > 0 ? 'and ' : ''}${more} more`);
    const about = isStated(description) ? [plain(': '), rawLine(description)] : [];
    const uri = paragraph(plain('Over MCP: '), code(`${categoryUri(name)}/**`));
    return `${markdown([heading(3, rawLine(name), ...about), uri])}\n\n${rows.join('\n')}`;
  });
  return ['## Documents', ...parts];
}

function highest(all: readonly Document[]): ReadonlySet<Document> {
  const rank = ({ front }: Document): number => front.priority ?? USUAL_PRIORITY;
  return new Set([...all].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_DOCUMENTS));
}

function overMcp({ categories }: ExportSources): RootContent[] {
  const hasGuide = categories.length > 0;
  return [
    heading(2, plain('More over MCP')),
    paragraph(plain('Where the server fieldguide is connected, the same and more can be read when it is needed:')),
    ...bullets([
      [code(OVERVIEW_URI), plain(': the project as a whole')],
      [
        code('context://for/{path}'),
        plain(' (tool '),
        code('context_for'),
        plain('): before you change a file, its rules, patterns and known issues'),
      ],
      [code('context://module/{name}'), plain(': all about a module')],
      ...(hasGuide
        ? [[code(HELP_URI), plain(': how documents are asked for, as '), code('guide://document/{category}/{path}')]]
        : []),
      [plain('the tool '), code('search'), plain(': anything, by a few words')],
    ]),
  ];
}

function stated(rows: readonly (readonly [label: string, value: string | undefined])[]): RootContent[] {
  return bullets(rows.flatMap(([label, value]) => (isStated(value) ? [labelled(label, rawLine(value))] : [])));
}

/** Nothing at all when nothing stands under the title. */
function titled(title: RootContent, content: readonly RootContent[]): RootContent[] {
  return content.length === 0 ? [] : [title, ...content];
}

function isStated(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

function code(value: string): PhrasingContent {
  return { type: 'inlineCode', value: value.replace(/\s+/g, ' ') };
}
