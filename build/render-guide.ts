// Guide to entries: every document under its canonical URI, the indexes of categories and collections
// as list entries, and the help that is generated from this very guide.

import type { RootContent } from 'mdast';
import { CUT } from '../runtime/format.ts';
import { pageStarts } from '../runtime/paginate.ts';
import { categoryUri, collectionUri } from '../runtime/uri.ts';
import { HELP_URI } from '../runtime/ways-in.ts';
import type { Collection } from './collections.ts';
import { bullets, heading, markdown, paragraph, plain, raw } from './markdown.ts';
import { oneLine } from './one-line.ts';
import { always, needing, numberOf, type Piece, run } from './pieces.ts';
import type { Project } from './project.ts';
import type { Entry, TextCut } from './render.ts';
import type { Document, Guide } from './resolve.ts';
import { sectionAnchors } from './slug.ts';

const MEDIA_TYPES: readonly [RegExp, Entry['mediaType']][] = [
  [/\.(md|markdown|mdx)$/i, 'text/markdown'],
  [/\.json$/i, 'application/json'],
];

const MOST_DESCRIPTION = 500;

export function renderGuide(guide: Guide, project: Project): Entry[] {
  if (guide.categories.length === 0) return [];
  const listed = new Set<string>();
  return [
    helpEntry(guide, project),
    ...guide.categories.flatMap(({ documents }) =>
      documents.map((document) => documentEntry(document, project, listed)),
    ),
  ];
}

export function mediaTypeOf(path: string): Entry['mediaType'] {
  return MEDIA_TYPES.find(([pattern]) => pattern.test(path))?.[1] ?? 'text/plain';
}

/** A document that several categories hold is listed once, under the first. */
function documentEntry(document: Document, project: Project, listed: Set<string>): Entry {
  const { counted, front, page, path, served, title, uri } = document;
  const { text } = served;
  const anchors = page === undefined ? [] : sectionAnchors(page.sections);
  const headings = (page?.sections ?? []).map(
    ({ from, level }, n): TextCut => ({
      at: served.placeOf(from),
      kind: CUT.heading,
      level,
      label: anchors[n] as string,
    }),
  );
  const pages = pageStarts(uri, text, project.limits.response).map(
    (at): TextCut => ({ at, kind: CUT.page, level: 0, label: '' }),
  );
  const isFirst = !listed.has(document.source);
  listed.add(document.source);
  return {
    uri,
    name: path,
    title,
    description: oneLine(front.description ?? title, MOST_DESCRIPTION),
    mediaType: mediaTypeOf(path),
    text,
    cuts: [...pages, ...headings],
    counted,
    isListed: isFirst,
    ...(annotations(document) === undefined ? {} : { annotations: annotations(document) }),
  };
}

function annotations({ front: { audience, priority, lastModified } }: Document): Record<string, unknown> | undefined {
  const found = Object.entries({ audience, priority, lastModified }).filter(([, value]) => value !== undefined);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function helpEntry(guide: Guide, project: Project): Entry {
  const supplement = guide.help === undefined ? '' : `\n${guide.help}`;
  const { text, cuts } = run(helpPage(guide, project), `\n${supplement}`);
  const pages = pageStarts(HELP_URI, text, project.limits.response).map(
    (at): TextCut => ({ at, kind: CUT.page, level: 0, label: '' }),
  );
  return {
    uri: HELP_URI,
    name: 'Guide URI Help',
    title: 'Guide URI Help',
    description: 'How guide:// URIs are written, and what categories and collections there are',
    mediaType: 'text/markdown',
    text,
    cuts: [...pages, ...cuts],
    isListed: true,
  };
}

function helpPage(guide: Guide, project: Project): Piece {
  const category = guide.categories.find(({ documents }) => documents.length > 0);
  const document = category?.documents[0];
  const collection = guide.collections.find(({ documents }) => documents.length > 0);
  const examples: [string, string][] = [[HELP_URI, 'this page']];
  if (collection !== undefined) examples.push([collectionUri(collection.id), 'all documents of a collection']);
  if (category?.documents.some(({ isDefault }) => isDefault)) {
    examples.push([categoryUri(category.name), 'the documents that a category answers with by default']);
  }
  if (category !== undefined && document !== undefined) {
    examples.push([`${categoryUri(category.name)}/**`, 'every document of a category that matches a pattern']);
    examples.push([document.uri, 'exactly one document']);
  }
  const hasAgents = project.serving?.agents !== undefined;
  const categories = guide.categories.map(({ name, description, documents }) => {
    const all = documents.some(({ isDefault }) => isDefault) ? '' : '/**';
    const uri = `${categoryUri(name)}${all}`;
    return item(uri, describeGroup(name, uri, documents.length, description, hasAgents));
  });
  const collections = guide.collections.map(({ id, description, documents }: Collection) => {
    const uri = collectionUri(id);
    return item(uri, describeGroup(id, uri, documents.length, description, hasAgents));
  });
  return run(
    always(markdown(formsPart(project.name))),
    list(examples.map(([uri, does]) => item(uri, `\`${uri}\`: ${does}`))),
    always(run('\n\n## Categories (', numberOf(categories), ')')),
    list(categories),
    always(run('\n\n## Collections (', numberOf(collections), ')')),
    list(collections),
    always(`\n\n${markdown(USES)}`),
  );
}

/** What stands first, up to the examples. */
function formsPart(name: string): RootContent[] {
  return [
    heading(1, plain(`The guide of ${name}`)),
    paragraph(plain('Every URI below can be read as it stands.')),
    heading(2, plain('Patterns')),
    ...bullets([
      [raw('`guide://help`: this page')],
      [raw('`guide://collection/{id}`: all documents of a collection')],
      [raw('`guide://category/{name}`: the documents that a category answers with by default')],
      [
        raw(
          '`guide://category/{name}/{docId}`: the document, and every document that docId matches as a pattern: `*` within a folder, `**` across folders, `[set]`, `{a,b}`, and `?`, written `%3F`',
        ),
      ],
      [
        raw(
          '`guide://document/{context}/{docId}`: exactly one document of a category or collection; an extension may be left out',
        ),
      ],
    ]),
    heading(2, plain('Examples')),
  ];
}

const USES: RootContent[] = [
  heading(2, plain('Common uses')),
  ...bullets([
    [plain('To see what there is: resources/list, or the categories above.')],
    [plain('To read one document: the URI that resources/list gives.')],
    [plain('To read a topic: its category with a pattern. Several documents come as one multipart/mixed text.')],
  ]),
];

/** An entry of a list, for those who may read its URI. */
function item(uri: string, text: string): Piece {
  return needing(uri, `\n${markdown(bullets([[raw(text)]]))}`);
}

function list(items: readonly Piece[]): Piece {
  return items.length === 0 ? run() : run('\n', ...items);
}

/** One without documents is named, and has no URI that could be read. Where some may not read all of them, none counts. */
function describeGroup(
  name: string,
  uri: string,
  count: number,
  description: string | undefined,
  hasAgents: boolean,
): string {
  const about = description === undefined ? '' : oneLine(description, MOST_DESCRIPTION);
  if (count === 0) return `${name}: ${about}${about === '' ? '' : ' '}(no document yet)`;
  if (hasAgents) return `\`${uri}\`${about === '' ? '' : `: ${about}`}`;
  return `\`${uri}\`: ${about}${about === '' ? '' : ' '}(${count} ${count === 1 ? 'document' : 'documents'})`;
}
