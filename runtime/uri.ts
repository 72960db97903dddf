// The URI grammar: a raw string in, a typed address or a refusal out. URL parsers are not used: they
// take `project` in context://project/overview for a host and silently resolve dot segments. The raw
// text is checked, decoded once, and checked again, before anything is looked up.

import { advise } from './advice.ts';
import { Failure } from './failure.ts';
import { UPSTREAM_PREFIX, type UpstreamAddress, upstreamAddress } from './upstream-uri.ts';
import { checkCharacters, checkLength, invalid } from './uri-checks.ts';
import { HELP_URI, OVERVIEW_URI } from './ways-in.ts';

const USUAL_SESSIONS = 10;
export const DISCOVERY_TYPES: readonly string[] = ['pattern', 'rule', 'decision', 'issue'];

/** A scheme, its decoded path segments, and its query as written. */
type Parts = { scheme: string; segments: string[]; query: string };

export type ContextAddress =
  | { space: 'context'; kind: 'overview'; uri: string; page: number }
  | { space: 'context'; kind: 'module'; name: string; uri: string; page: number }
  | ForAddress;

/** Of the page about one file. */
export type ForAddress = { space: 'context'; kind: 'for'; path: string; uri: string; page: number };

/** Pages of live data. `shown` is the URI with the part of the query that chooses, as page notices write it. */
export type LiveAddress = { space: 'live'; uri: string; shown: string; page: number } & (
  | { kind: 'session' }
  | { kind: 'sessions'; limit: number }
  | { kind: 'discoveries'; type: string | undefined; module: string | undefined }
);

export type GuideAddress = {
  space: 'guide';
  kind: 'help' | 'collection' | 'category' | 'document';
  /** Of the collection, category or context. */
  name: string;
  /** A document's path, or a pattern; decoded. */
  docId?: string;
  uri: string;
  page: number;
};

export type FileAddress = {
  space: 'file';
  /** From the root of the project; or, `absolute`, of the machine that the client runs on. */
  path: string;
  absolute: boolean;
  /** Written without a scheme: a name of a file, or no URI at all. */
  bare: boolean;
  uri: string;
  page: number;
};

export type Address = ContextAddress | LiveAddress | GuideAddress | FileAddress | UpstreamAddress;

export const MODULE_PREFIX = 'context://module/';
export const DISCOVERIES_URI = 'context://discoveries';

/** The canonical spelling of a module's URI. */
export function moduleUri(name: string): string {
  return MODULE_PREFIX + encodeURIComponent(name);
}

export function categoryUri(name: string): string {
  return `guide://category/${encodeURIComponent(name)}`;
}

export function collectionUri(id: string): string {
  return `guide://collection/${encodeURIComponent(id)}`;
}

/** The canonical spelling of a guide document's URI: each segment encoded, slashes kept. */
export function documentUri(category: string, path: string): string {
  return `guide://document/${encodeURIComponent(category)}/${encodePath(path)}`;
}

/** The page about one file of the repository. */
export function forUri(path: string): string {
  return `context://for/${encodePath(path)}`;
}

/** The canonical spelling of a whitelisted file's URI. */
export function fileUri(path: string): string {
  return `file://${encodePath(path)}`;
}

/** As the destination of a markdown link, which a parenthesis could end. */
export function safeInLink(uri: string): string {
  return uri.replaceAll('(', '%28').replaceAll(')', '%29');
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** What a raw URI addresses; throws Failure. `address.uri` is the canonical spelling, without query. */
export function parseUri(raw: string): Address {
  if (raw === OVERVIEW_URI) return { space: 'context', kind: 'overview', uri: raw, page: 1 };
  if (!raw.includes(':')) return bareAddress(raw);
  if (raw.slice(0, UPSTREAM_PREFIX.length).toLowerCase() === UPSTREAM_PREFIX) return upstreamAddress(raw);
  const { scheme, segments, query } = splitUri(raw);
  if (scheme === 'context') return contextAddress(segments, query, raw);
  if (scheme === 'guide') return guideAddress(segments, query, raw);
  if (scheme === 'file') return fileAddress(segments, query, raw);
  throw new Failure('invalid_scheme', 'Invalid URI scheme', {
    uri: raw,
    reason: `The scheme ${JSON.stringify(scheme)} is not served here.`,
    ...advise('scheme'),
  });
}

function guideAddress([kind = '', name = '', ...rest]: readonly string[], query: string, raw: string): GuideAddress {
  const page = pageOf(query, raw);
  const docId = rest.join('/');
  if (kind === 'help' && name === '' && rest.length === 0) return { space: 'guide', kind, name, uri: HELP_URI, page };
  if (name !== '' && rest.length === 0) {
    if (kind === 'collection') return { space: 'guide', kind, name, uri: collectionUri(name), page };
    if (kind === 'category') return { space: 'guide', kind, name, uri: categoryUri(name), page };
  }
  if (name !== '' && docId !== '') {
    if (kind === 'category')
      return { space: 'guide', kind, name, docId, uri: `${categoryUri(name)}/${encodePath(docId)}`, page };
    if (kind === 'document') return { space: 'guide', kind, name, docId, uri: documentUri(name, docId), page };
  }
  throw new Failure('not_found', 'Resource not found', {
    uri: raw,
    reason: 'No resource of the guide:// space has this form.',
    ...advise('guide'),
  });
}

/** The name of a file alone, as people write it. */
function bareAddress(raw: string): FileAddress {
  if (raw === '') throw notAUri(raw);
  const { segments, query } = splitUri(`file://${raw}`);
  return { ...fileAddress(segments, query, raw), absolute: false, bare: true };
}

/** `file://AGENTS.md`, `file://agents.md/` (what URL parsers make of it), `file:///home/me/shop/AGENTS.md`. */
function fileAddress([host = '', ...rest]: readonly string[], query: string, raw: string): FileAddress {
  const absolute = (host === '' || host === 'localhost') && rest.length > 0;
  const path = absolute ? `/${rest.join('/')}` : [host, ...rest].join('/').replace(/\/$/, '');
  return { space: 'file', path, absolute, bare: false, uri: fileUri(path), page: pageOf(query, raw) };
}

function contextAddress(segments: readonly string[], query: string, raw: string): ContextAddress | LiveAddress {
  const [kind, name, ...rest] = segments;
  const live = liveAddress(segments.join('/'), query, raw);
  if (live !== undefined) return live;
  if (rest.length === 0 && kind === 'project' && name === 'overview') {
    return { space: 'context', kind: 'overview', uri: OVERVIEW_URI, page: pageOf(query, raw) };
  }
  if (rest.length === 0 && kind === 'module' && name !== undefined && name !== '') {
    return { space: 'context', kind: 'module', name, uri: moduleUri(name), page: pageOf(query, raw) };
  }
  if (kind === 'for' && name !== undefined) {
    const path = [name, ...rest].join('/');
    return { space: 'context', kind: 'for', path, uri: forUri(path), page: pageOf(query, raw) };
  }
  throw new Failure('unknown_resource', `Unknown resource: ${raw}`, {
    uri: raw,
    reason: 'No resource of the context:// space has this form.',
    ...advise('context'),
  });
}

function liveAddress(path: string, query: string, raw: string): LiveAddress | undefined {
  if (path !== 'session/current' && path !== 'sessions/recent' && path !== 'discoveries') return undefined;
  const uri = `context://${path}`;
  const at = { space: 'live', uri, page: pageOf(query, raw) } as const;
  if (path === 'session/current') return { ...at, kind: 'session', shown: uri };
  if (path === 'sessions/recent') {
    const limit = queryValue(query, 'limit', raw);
    if (limit !== undefined && !/^(?:[1-9][0-9]?|100)$/.test(limit)) {
      throw invalid(raw, 'limit is a whole number from 1 to 100.');
    }
    const shown = limit === undefined ? uri : `${uri}?limit=${limit}`;
    return { ...at, kind: 'sessions', limit: Number(limit ?? USUAL_SESSIONS), shown };
  }
  const type = queryValue(query, 'type', raw);
  if (type !== undefined && !DISCOVERY_TYPES.includes(type)) {
    throw invalid(raw, `type is one of ${DISCOVERY_TYPES.join(', ')}.`);
  }
  const module = queryValue(query, 'module', raw);
  const chosen = Object.entries({ type, module }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return { ...at, kind: 'discoveries', type, module, shown: [uri, chosen.join('&')].filter(Boolean).join('?') };
}

/** Checks the raw text, splits it, decodes each segment once, checks again. */
function splitUri(raw: string): Parts {
  checkLength(raw);
  checkCharacters(raw, raw);
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/([^?#]*)(?:\?([^#]*))?/.exec(raw);
  if (match === null) throw notAUri(raw);
  const segments = (match[2] as string).split('/').map((segment) => decodeSegment(segment, raw));
  return { scheme: (match[1] as string).toLowerCase(), segments, query: match[3] ?? '' };
}

function decodeSegment(segment: string, raw: string): string {
  const decoded = decode(segment, raw);
  checkCharacters(decoded, raw);
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(decoded)) throw invalid(raw, 'It has a dot segment.');
  return decoded;
}

function decode(text: string, raw: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(raw, 'It has a percent sign that starts no valid escape.');
  }
}

/** The value of a query key that may stand once and not be empty; undefined when it is not there. */
function queryValue(query: string, key: string, raw: string): string | undefined {
  const values = query
    .split('&')
    .map((pair) => pair.split('='))
    .filter(([name]) => name !== undefined && decode(name, raw) === key)
    .map(([, ...rest]) => decode(rest.join('='), raw));
  if (values.length > 1) throw invalid(raw, `Its query has ${JSON.stringify(key)} more than once.`);
  if (values[0] === '') throw invalid(raw, `Its query has no value for ${JSON.stringify(key)}.`);
  return values[0];
}

function pageOf(query: string, raw: string): number {
  if (query === '') return 1;
  const value = queryValue(query, 'page', raw);
  if (value === undefined) return 1;
  if (!/^[1-9][0-9]{0,8}$/.test(value)) throw invalid(raw, 'A page is a whole number from 1.');
  return Number(value);
}

export function notAUri(raw: string): Failure {
  return invalid(raw, 'It is not of the form scheme://path.');
}
