// A bundle as an agent sees it, by names: what can be read, how it is listed, prompts, instructions. Texts stay
// where they are and are fetched by the reader, as for an answer, when two of them are to be compared.

import type { Bundle } from '../../runtime/bundle.ts';
import { BundleError, FLAG, type Group, NOT_LISTED, unescapeText } from '../../runtime/format.ts';
import { GuideIndex } from '../../runtime/guide-index.ts';
import { documentUri } from '../../runtime/uri.ts';
import { decodeRecord } from '../../runtime/value.ts';

export type Entry = Record<string, unknown>;

export type Resource = { uri: string; bytes: number; pages: number; entry: Entry | undefined };
export type Members = { uri: string; documents: readonly string[]; limit: number; entry: Entry | undefined };
export type Argument = { name: string; description?: string; required?: boolean };
export type Prompt = { name: string; title?: string; description?: string; arguments?: readonly Argument[] };

type Catalogue = { prompts: Prompt[]; content?: string; embeds?: { prompt: string; uris: string[] }[] };

export type Snapshot = {
  /** Undefined: there is no bundle, which has nothing in it. */
  bundle: Bundle | undefined;
  name: string | undefined;
  tool: string | undefined;
  documents: number;
  resources: ReadonlyMap<string, Resource>;
  groups: ReadonlyMap<string, Members>;
  prompts: ReadonlyMap<string, Prompt>;
  /** What stands before the texts of prompts, by name. */
  embeds: ReadonlyMap<string, readonly string[]>;
  /** The shape of a prompt's messages. */
  content: string;
  /** Keys of the records that pages about one file are made of. */
  places: ReadonlySet<string>;
  /** URIs as resources/list has them. */
  listed: readonly string[];
};

export const NOTHING: Snapshot = {
  bundle: undefined,
  name: undefined,
  tool: undefined,
  documents: 0,
  resources: new Map(),
  groups: new Map(),
  prompts: new Map(),
  embeds: new Map(),
  content: 'block',
  places: new Set(),
  listed: [],
};

/** Throws BundleError for damage, wherever it is. */
export function snapshot(bundle: Bundle): Snapshot {
  const entries = listEntries(bundle);
  const index = new GuideIndex(bundle);
  const resources = new Map<string, Resource>();
  const groups = new Map<string, Members>();
  const places = new Set<string>();
  for (const key of keysOf(bundle)) {
    if (/^(?:for|brief)(?:\/|$)/.test(key)) places.add(key);
    if (!key.includes('://')) continue;
    const found = bundle.find(key);
    if (found === undefined) throw damaged(`${key} is not found under its own key`);
    const { flags, place, rawLength } = found.row;
    const entry = place === NOT_LISTED ? undefined : entries.get(key);
    const group = (flags & FLAG.group) === 0 ? undefined : bundle.findGroup(key);
    if (group !== undefined) groups.set(key, { uri: key, ...membersOf(index, group), limit: group.limit, entry });
    else resources.set(key, { uri: key, bytes: rawLength, pages: bundle.pages(key), entry });
  }
  const { prompts, content, embeds = [] } = readJson<Catalogue>(bundle, 'prompts') ?? { prompts: [] };
  if (!Array.isArray(prompts) || prompts.some((prompt) => typeof prompt?.name !== 'string'))
    throw damaged('its list of prompts cannot be read');
  const about = aboutOf(bundle);
  return {
    bundle,
    name: about.name === undefined ? undefined : String(about.name),
    tool: about.tool === undefined ? undefined : String(about.tool),
    documents: bundle.guideSize().documents,
    resources,
    groups,
    prompts: new Map(prompts.map((prompt) => [prompt.name, prompt])),
    embeds: new Map(whole('what its prompts embed', () => embeds.map(({ prompt, uris }) => [prompt, uris]))),
    content: String(content ?? 'block'),
    places,
    listed: [...entries.keys()],
  };
}

/** A text as it is stored, and how long it is; undefined when there is none of this key. */
export function storedText({ bundle }: Snapshot, key: string): { stored: Buffer; bytes: number } | undefined {
  const found = bundle?.find(key);
  if (found === undefined || (found.row.flags & FLAG.text) === 0) return undefined;
  const { textAt, textLength, rawLength } = found.row;
  return { stored: found.record.subarray(textAt, textAt + textLength), bytes: rawLength };
}

export function textOf(stored: Buffer): string {
  return whole('a text', () => unescapeText(stored));
}

export function readJson<T>(bundle: Bundle | undefined, key: string): T | undefined {
  const text = bundle?.findText(key);
  return text === undefined ? undefined : whole(`the record ${key}`, () => JSON.parse(unescapeText(text.stored)));
}

function keysOf(bundle: Bundle): Set<string> {
  const keys = new Set<string>();
  const stop = (where: string): never => {
    throw new BundleError('damaged', where);
  };
  for (const row of bundle.lookRows(stop)) {
    const record = bundle.record(row);
    keys.add(String(whole('a record', () => decodeRecord(record))[0]));
  }
  return keys;
}

function listEntries(bundle: Bundle): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let n = 0; n < bundle.listLength; n++) {
    const { json, uri } = bundle.entry(n);
    const entry: unknown = whole('an entry of its list', () => JSON.parse(json.toString('utf8')));
    if (typeof entry !== 'object' || entry === null) throw damaged('an entry of its list cannot be read');
    entries.set(uri, entry as Entry);
  }
  return entries;
}

function membersOf(index: GuideIndex, group: Group): { documents: string[] } {
  const categories = whole('its list of categories', () => [...index.names().categories]);
  return {
    documents: index.chosen(group).map(({ n, path }) => documentUri(categories[index.row(n).category] ?? '', path)),
  };
}

function aboutOf(bundle: Bundle): { name?: unknown; tool?: unknown } {
  const record = bundle.findValueRecord('about');
  const about = record === undefined ? undefined : whole('its description', () => decodeRecord(record))[1];
  return typeof about === 'object' && about !== null ? about : {};
}

/** What passed its checksum and cannot be decoded was not written by the compiler. */
function whole<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw damaged(`${what} cannot be decoded`);
  }
}

function damaged(what: string): BundleError {
  return new BundleError('damaged', `${what[0]?.toUpperCase()}${what.slice(1)}.`);
}
