// llms.txt as llmstxt.org describes it (a title, a summary, sections that are lists of links, what may be left out
// under `Optional`), and llms-full.txt, every text one after the other under its path.

import { type Exported, type ExportSources, exportMarker, linkLine, summaryOf } from './export-sources.ts';
import { oneLine } from './one-line.ts';
import type { KeyFile, Project } from './project.ts';
import { render } from './render.ts';
import type { Document } from './resolve.ts';

/** Documents that their authors rank below this may be left out. */
const LEAST_PRIORITY = 0.5;
const MOST_FACT = 1000;
const FULL = 'llms-full.txt';

export function exportLlms(sources: ExportSources): Exported[] {
  return [
    { name: 'llms.txt', text: index(sources) },
    { name: FULL, text: full(sources) },
  ];
}

function head(project: Project): string[] {
  return [`# ${oneLine(project.name, 200)}`, `> ${summaryOf(project)}`, exportMarker('llms')];
}

function index({ project, categories, files, link, linkBeside }: ExportSources): string {
  const row = ({ source, title, front }: Document): string => linkLine(title, link(source), front.description);
  const optional = categories.flatMap(({ documents }) => documents.filter(isOptional)).map(row);
  const all = [
    ...head(project),
    facts(project),
    section('Modules', moduleRows(project, link)),
    ...categories.map(({ name, documents }) =>
      section(`Guide: ${name}`, documents.filter((document) => !isOptional(document)).map(row)),
    ),
    section(
      'Files',
      files.map(({ path }) => linkLine(path, link(path), undefined)),
    ),
    section('Optional', [...optional, linkLine(FULL, linkBeside(FULL), 'Every text in one file')]),
  ];
  return `${all.filter((part) => part !== '').join('\n\n')}\n`;
}

/** What a category does not answer with by default, or what its author ranks low. */
function isOptional({ isDefault, front }: Document): boolean {
  return !isDefault || (front.priority !== undefined && front.priority < LEAST_PRIORITY);
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `## ${title}\n\n${rows.join('\n')}`;
}

function facts({ stack, runtime, pattern, architecture }: Project): string {
  const rows = Object.entries({
    Stack: stack.join(', '),
    Runtime: runtime,
    Architecture: [pattern, architecture].filter((part) => part !== undefined).join('. '),
  });
  return rows
    .map(([label, value]) => [label, oneLine(value ?? '', MOST_FACT)])
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `- ${label}: ${value}`)
    .join('\n');
}

/** A module is not a file: its entry is linked, or the first file that is worth knowing. */
function moduleRows(project: Project, link: ExportSources['link']): string[] {
  return project.modules.flatMap(({ name, description, keyFiles }) => {
    const entry: KeyFile | undefined = keyFiles.find(({ role }) => role === 'entry') ?? keyFiles[0];
    return entry === undefined ? [] : [linkLine(name, link(entry.path), description)];
  });
}

function full({ project, categories, files, link, bodyOf }: ExportSources): string {
  const texts: [from: string, text: string][] = [
    ...render(project).map(({ uri, text }): [string, string] => [`project.yaml ${uri}`, text]),
    ...categories.flatMap(({ documents }) =>
      documents.map((document): [string, string] => [link(document.source), bodyOf(document)]),
    ),
    ...files.flatMap(({ path, text }): [string, string][] => (text === undefined ? [] : [[link(path), text]])),
  ];
  const parts = texts.map(([from, text]) => `---\n\n<!-- ${from.replaceAll('--', '-%2D')} -->\n\n${trimmed(text)}`);
  return `${[...head(project), ...parts].join('\n\n')}\n`;
}

function trimmed(text: string): string {
  return text.replace(/^\ufeff?(?:[ \t]*\r?\n)*/, '').trimEnd();
}
