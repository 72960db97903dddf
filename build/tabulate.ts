// Entries to tables: texts escaped as answers need them, cuts in bytes, list entries as JSON. What
// comes out is everything the bundle will hold; pack only lays it out.

import { AS_LISTED, CUT, type Cut, DOC, encodeCuts, escapeText, type Group, MEDIA_TYPES } from '../runtime/format.ts';
import { SETTINGS_KEY, type Settings } from '../runtime/settings.ts';
import { categoryUri, collectionUri } from '../runtime/uri.ts';
import { VERSION } from '../runtime/version.ts';
import type { Note } from './concerns.ts';
import type { Project } from './project.ts';
import { type Entry, instructions, type TextCut } from './render.ts';
import { mediaTypeOf } from './render-guide.ts';
import type { Document, Guide } from './resolve.ts';

export type TextRecord = {
  key: string;
  stored: Buffer;
  rawLength: number;
  cuts: Buffer;
  paged: boolean;
  mediaType: number;
  blob?: 'served' | 'too large';
};

export type ValueRecord = { key: string; value: unknown };

/** A category or collection; its rows are counted in `documents` and `references`. */
export type GroupRecord = { key: string; group: Group };

export type DocumentRow = { path: Buffer; rawLength: number; category: number; flags: number; mediaType: number };

export type Tables = {
  texts: readonly TextRecord[];
  values: readonly ValueRecord[];
  groups: readonly GroupRecord[];
  documents: readonly DocumentRow[];
  references: readonly number[];
  /** The resource list in its order; each entry's URI is the key of a record. */
  list: readonly { uri: string; json: Buffer }[];
  /** The section `find`, made by index-words. */
  find?: Buffer;
};

const BOUNDARY = 'guide-boundary';
const NO_GUIDE: Guide = { categories: [], collections: [], help: undefined };

export function tabulate(
  project: Project,
  entries: readonly Entry[],
  guide: Guide = NO_GUIDE,
  files: readonly string[] = [],
  notes: readonly Note[] = [],
): Tables {
  const { groups, documents, references } = tabulateGuide(guide, project.limits.response);
  const hasAgents = project.serving?.agents !== undefined;
  const listed = entries
    .filter(({ isListed }) => isListed)
    .map((entry) => [entry.uri, listEntry(entry, hasAgents)] as const);
  const firstDocument = listed.findIndex(([uri]) => /^(guide:\/\/document\/|file:)/.test(uri));
  const at = firstDocument < 0 ? listed.length : firstDocument;
  const list = [...listed.slice(0, at), ...groupEntries(guide, hasAgents), ...listed.slice(at)];
  const about = {
    name: project.name,
    tool: VERSION,
    resources: list.length,
    modules: project.modules.length,
    documents: documents.length,
    prompts: entries.filter(({ uri }) => uri.startsWith('prompt/')).length,
  };
  const names = {
    categories: guide.categories.map(({ name }) => name),
    collections: guide.collections.map(({ id }) => id),
  };
  const extra = [
    { uri: 'instructions', ...instructions(project, guide.categories.length > 0) },
    { uri: 'guide', text: JSON.stringify(names) },
    { uri: 'files', text: JSON.stringify(files) },
    { uri: SETTINGS_KEY, text: JSON.stringify(settingsOf(project)) },
    ...notes,
  ];
  return {
    texts: [...entries, ...extra.map((one) => ({ cuts: [], ...one, mediaType: 'text/plain' }))].map(textRecord),
    values: [{ key: 'about', value: about }],
    groups,
    documents,
    references,
    list: list.map(([uri, entry]) => ({ uri, json: Buffer.from(JSON.stringify(entry), 'utf8') })),
  };
}

/** What serving needs to know of project.yaml. */
function settingsOf(project: Project): Omit<Partial<Settings>, 'limits'> & { limits: Partial<Settings['limits']> } {
  const { sessions, approval, serving } = project;
  const { response: _, ...limits } = project.limits;
  return { sessions, limits, approval, ...serving };
}

function tabulateGuide(guide: Guide, limit: number): Pick<Tables, 'groups' | 'documents' | 'references'> {
  const groups: GroupRecord[] = [];
  const documents: DocumentRow[] = [];
  const references: number[] = [];
  const rows = new Map<Document, number>();
  for (const [category, { name, documents: held }] of guide.categories.entries()) {
    const docsFrom = documents.length;
    for (const document of held) {
      rows.set(document, documents.length);
      const { text } = document.served;
      const flags = (document.isDefault ? DOC.default : 0) | (text.includes(BOUNDARY) ? DOC.boundary : 0);
      const mediaType = mediaTypeNumber(mediaTypeOf(document.path));
      documents.push({
        path: Buffer.from(document.path, 'utf8'),
        rawLength: Buffer.byteLength(text),
        category,
        flags,
        mediaType,
      });
    }
    const refsFrom = references.length;
    references.push(...held.filter(({ isDefault }) => isDefault).map((document) => rows.get(document) as number));
    const group = { docsFrom, docsTo: documents.length, refsFrom, refsTo: references.length, limit };
    groups.push({ key: categoryUri(name), group });
  }
  for (const { id, documents: held } of guide.collections) {
    const refsFrom = references.length;
    references.push(...held.map((document) => rows.get(document) as number));
    groups.push({
      key: collectionUri(id),
      group: { docsFrom: 0, docsTo: 0, refsFrom, refsTo: references.length, limit },
    });
  }
  return { groups, documents, references };
}

/** Where agents may not read all the same, none is told how much there is. */
function groupEntries(guide: Guide, hasAgents: boolean): (readonly [string, Record<string, unknown>])[] {
  const entry = (uri: string, name: string, what: string, description: string | undefined, count: number) =>
    [
      uri,
      {
        uri,
        name,
        title: `${what}: ${name}`,
        description: description ?? (hasAgents ? `Documents of the ${what.toLowerCase()}` : `${count} documents`),
        mimeType: 'text/markdown',
      },
    ] as const;
  return [
    ...guide.collections.map(({ id, description, documents }) =>
      entry(collectionUri(id), id, 'Collection', description, documents.length),
    ),
    ...guide.categories.map(({ name, description, documents }) =>
      entry(categoryUri(name), name, 'Category', description, documents.length),
    ),
  ];
}

function mediaTypeNumber(mediaType: string): number {
  const number = MEDIA_TYPES.indexOf(mediaType as (typeof MEDIA_TYPES)[number]);
  return number < 0 ? AS_LISTED : number;
}

function textRecord(entry: Pick<Entry, 'uri' | 'text' | 'cuts' | 'blob' | 'mediaType'>): TextRecord {
  const { uri, blob, mediaType } = entry;
  if (blob !== undefined) {
    return {
      key: uri,
      stored: Buffer.from(blob.base64 ?? '', 'latin1'),
      rawLength: blob.bytes,
      cuts: Buffer.alloc(0),
      paged: false,
      mediaType: mediaTypeNumber(mediaType),
      blob: blob.base64 === undefined ? 'too large' : 'served',
    };
  }
  const { stored, rawLength, cuts } = storedText(entry.text, entry.cuts);
  return {
    key: uri,
    stored,
    rawLength,
    cuts: encodeCuts(cuts),
    paged: cuts.some((cut) => cut.kind === CUT.page),
    mediaType: mediaTypeNumber(mediaType),
  };
}

/** Escaped piece by piece, from one cut to the next, so that every cut is known in bytes. */
function storedText(text: string, cuts: readonly TextCut[]): { stored: Buffer; rawLength: number; cuts: Cut[] } {
  const places = new Map<number, { at: number; rawAt: number }>();
  const pieces: Buffer[] = [];
  let from = 0;
  let at = 0;
  let rawAt = 0;
  for (const to of [...new Set([...cuts.map((cut) => cut.at), text.length])].sort((a, b) => a - b)) {
    const piece = text.slice(from, to);
    const escaped = escapeText(piece);
    pieces.push(escaped);
    at += escaped.length;
    rawAt += Buffer.byteLength(piece);
    from = to;
    places.set(to, { at, rawAt });
  }
  const inBytes = cuts.map(({ at: character, kind, level, label }): Cut => {
    const place = places.get(character) as { at: number; rawAt: number };
    return { ...place, kind, level, label };
  });
  return { stored: Buffer.concat(pieces), rawLength: rawAt, cuts: inBytes };
}

/** A text of which some may see only a part is listed without its size. */
function listEntry(entry: Entry, hasAgents: boolean): Record<string, unknown> {
  const isSized = entry.isLive !== true && !(hasAgents && entry.cuts.some(({ kind }) => kind === CUT.fragment));
  return {
    uri: entry.uri,
    name: entry.name,
    title: entry.title,
    description: entry.description,
    mimeType: entry.mediaType,
    ...(isSized ? { size: entry.blob?.bytes ?? Buffer.byteLength(entry.text) } : {}),
    ...(entry.annotations === undefined ? {} : { annotations: entry.annotations }),
  };
}
