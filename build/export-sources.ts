// What an export is made from: the compiled sources, without anything that an export made. An AGENTS.md of ours may
// stand under `files:`; it is neither linked nor read, so that nothing feeds on itself and running again changes
// nothing.

import { posix } from 'node:path';
import { encodePath, safeInLink } from '../runtime/uri.ts';
import type { Source } from './collect.ts';
import type { ListedFile } from './collect-files.ts';
import { oneLine } from './one-line.ts';
import type { Built } from './pipeline.ts';
import type { Project } from './project.ts';
import type { Document } from './resolve.ts';

export type ExportSources = {
  project: Project;
  /** Each document once, in the first category that holds it. */
  categories: readonly { name: string; description?: string; documents: readonly Document[] }[];
  files: readonly ListedFile[];
  /** The source of a document, from its first line after the front matter. */
  bodyOf(document: Document): string;
  /** Where a link to a path of the repository leads, and one to another file of the same export. */
  link(path: string): string;
  linkBeside(name: string): string;
};

/** Where an export goes, by paths from the root: its folder, and the files that are about to be written. */
export type Destination = {
  folder: string;
  files: readonly string[];
  /** Put before every path; without it links lead from the folder to the file. */
  baseUrl: string | undefined;
};

/** One file of an export, by its name in the folder it goes to. */
export type Exported = { name: string; text: string };

const MOST_DESCRIPTION = 300;

export function exportMarker(kind: string): string {
  return `<!-- Made by fieldguide export ${kind}; edit project.yaml and run it again. -->`;
}

/** Whether a text was made by an export: the marker is a line of its head. */
export function isExported(text: string): boolean {
  const [head = ''] = text.slice(0, 64 * 1024).split(/^## /m, 1);
  return /^<!-- Made by fieldguide export [a-z]+; [^\n]* -->\r?$/m.test(head);
}

export function exportSources(
  { project, guide }: Built,
  sources: readonly Source[],
  files: readonly ListedFile[],
  { folder, files: outputs, baseUrl }: Destination,
): ExportSources {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const isOurs = (path: string, text: string | undefined): boolean =>
    outputs.includes(path) || (text !== undefined && isExported(text));
  const link = (path: string): string => {
    const leads = baseUrl === undefined ? posix.relative(folder, path) || '.' : path;
    return `${baseUrl ?? ''}${safeInLink(encodePath(leads))}`;
  };
  const seen = new Set<string>();
  const isFirst = ({ source }: Document): boolean => !seen.has(source) && seen.add(source) !== undefined;
  return {
    project,
    categories: guide.categories.map((category) => ({
      ...category,
      documents: category.documents.filter(
        (document) => isFirst(document) && !isOurs(document.source, texts.get(document.source)),
      ),
    })),
    files: files.filter(({ path, text }) => !seen.has(path) && !isOurs(path, text)),
    bodyOf: ({ source, page }) => (texts.get(source) ?? '').slice(page?.bodyAt ?? 0),
    link,
    linkBeside: (name) => (baseUrl === undefined ? name : link(posix.join(folder, name))),
  };
}

/** `- [title](url): description`. A bracket in a title would end it for simple readers of llms.txt. */
export function linkLine(title: string, url: string, description: string | undefined): string {
  const label = oneLine(title, MOST_DESCRIPTION).replaceAll('[', '(').replaceAll(']', ')').replaceAll('\\', '\\\\');
  const about = oneLine(description ?? '', MOST_DESCRIPTION);
  return `- [${label}](${url})${about === '' ? '' : `: ${about}`}`;
}

/** What the project is, in one line. */
export function summaryOf({ name, description }: Project): string {
  return oneLine(description ?? '', 1000) || `What the team knows about ${oneLine(name, 200)}.`;
}
