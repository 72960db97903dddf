// What concerns which file: an index of paths, made here so that the reader only looks up. A file has the
// modules it is a key file of and the documents that link to it; a folder has the modules whose key files
// lie in it; and globs stand in one list.

import { posix } from 'node:path';
import { tooManyNotice } from '../runtime/pages.ts';
import { encodePath, moduleUri } from '../runtime/uri.ts';
import { linkedPath } from './links.ts';
import { bullets, paragraph, plain, raw, rawLine } from './markdown.ts';
import { oneLine } from './one-line.ts';
import { joined, type Piece, piece, section, withCounts } from './pieces.ts';
import type { Module, Project } from './project.ts';
import type { TextCut } from './render.ts';
import type { Document, Guide } from './resolve.ts';

/** A text of the bundle that is not a resource, by its key. */
export type Note = { uri: string; text: string; cuts?: readonly TextCut[] };

/** What is on the disk, by paths from the root. */
type Disk = { exists(path: string): boolean; folderAt(path: string): boolean };

type DocumentNote = readonly [uri: string, title: string, description: string];
type Concern = { modules: [name: string, why: string][]; documents: DocumentNote[] };

const MOST_DESCRIPTION = 500;

export function concerns(project: Project, guide: Guide, { exists, folderAt }: Disk): Note[] {
  const places = new Map<string, Concern>();
  const at = (place: string): Concern => {
    const concern = places.get(place) ?? { modules: [], documents: [] };
    places.set(place, concern);
    return concern;
  };
  for (const { name, keyFiles } of project.modules) {
    for (const { path, role } of keyFiles) {
      const file = posix.normalize(path).replace(/\/$/, '');
      const isFolder = folderAt(file);
      if (!isFolder) at(file).modules.push([name, role ?? '']);
      const folder = isFolder ? file : posix.dirname(file);
      const { modules } = at(`${folder}/`);
      if (folder !== '.' && !modules.some(([known]) => known === name)) modules.push([name, file]);
    }
  }
  const globs: [pattern: string, ...DocumentNote][] = [];
  for (const document of listedDocuments(guide)) {
    const note: DocumentNote = [
      document.uri,
      document.title,
      oneLine(document.front.description ?? '', MOST_DESCRIPTION),
    ];
    for (const target of linkedFiles(document, { exists, folderAt })) at(target).documents.push(note);
    for (const pattern of document.front.appliesTo ?? []) globs.push([pattern, ...note]);
  }
  return [
    { uri: 'for', text: JSON.stringify({ globs, files: [...places.keys()].filter((place) => !place.endsWith('/')) }) },
    ...[...places]
      .filter(([, { modules, documents }]) => modules.length + documents.length > 0)
      .map(([place, concern]) => ({ uri: `for/${encodePath(place)}`, text: JSON.stringify(concern) })),
    ...project.modules.map((module) => ({
      uri: `brief/${encodeURIComponent(module.name)}`,
      ...brief(module, project),
    })),
  ];
}

/** Each document once, under the first category that holds it. */
function listedDocuments(guide: Guide): Document[] {
  const first = new Map<string, Document>();
  for (const { documents } of guide.categories) {
    for (const document of documents) if (!first.has(document.source)) first.set(document.source, document);
  }
  return [...first.values()];
}

/** Files of the repository that a document links to, each once; a folder ends in a slash. */
function linkedFiles({ source, page }: Document, { exists, folderAt }: Disk): Set<string> {
  const targets = new Set<string>();
  for (const { url } of page?.links ?? []) {
    const target = linkedPath(source, url)?.replace(/\/$/, '');
    if (target === undefined || target === source || !exists(target)) continue;
    targets.add(folderAt(target) ? `${target}/` : target);
  }
  return targets;
}

/** What somebody who changes a file of this module must know; the whole page is a read away. */
function brief(module: Module, project: Project): Piece {
  const { businessRules, patterns, commonIssues } = module;
  const whole = joined([
    piece([paragraph(module.description === undefined ? plain('not stated') : raw(module.description))]),
    section('rules', 3, businessRules.length, bullets(businessRules.map((rule) => [raw(rule)]))),
    section('patterns', 3, patterns.length, bullets(patterns.map((pattern) => [raw(pattern)]))),
    section(
      'issues',
      3,
      commonIssues.length,
      bullets(
        commonIssues.map(({ description, solution }) => [
          rawLine(description),
          ...(solution === undefined ? [] : [plain(' — '), rawLine(solution)]),
        ]),
      ),
    ),
  ]);
  if (Buffer.byteLength(whole.text) <= project.limits.module) return whole;
  const counts = { rules: businessRules.length, patterns: patterns.length, issues: commonIssues.length };
  return withCounts(tooManyNotice(moduleUri(module.name), counts), [
    ['rules', 'It has ', counts.rules],
    ['patterns', 'business rules, ', counts.patterns],
    ['issues', 'patterns, ', counts.issues],
  ]);
}
