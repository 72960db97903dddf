// What a request asks for, as far as the audit writes it down: a URI, or the name of a tool or a prompt. Words of a
// search, values to complete and all other arguments are nobody's to keep.

import { secretIn } from '../secrets.ts';
import { plainPath } from '../tools/plain-path.ts';
import { forUri } from '../uri.ts';

type Params = Record<string, unknown>;

export type Target = { uri?: string | undefined; name?: string | undefined };

const MOST_URI = 2048;
const MOST_NAME = 128;
const OURS = /^(?:context|guide|file|upstream):\/\//i;
const CUT = '…';

export function targetOf(method: string, params: Params): Target {
  if (method === 'tools/call') return ofTool(params.name, objectOf(params.arguments));
  if (method === 'prompts/get') return { name: plainName(params.name) };
  if (method === 'completion/complete') {
    const { uri, name } = objectOf(params.ref);
    return { uri: plainUri(uri), name: plainName(name) };
  }
  if (method === 'subscriptions/listen') {
    const uris = objectOf(params.notifications).resourceSubscriptions;
    return { uri: Array.isArray(uris) && uris.length === 1 ? plainUri(uris[0]) : undefined };
  }
  if (typeof params.group !== 'string') return { uri: plainUri(params.uri) };
  return { uri: plainUri(`upstream://${params.group}${params.uri === undefined ? '' : `/${params.uri}`}`) };
}

/** Asked for through a tool or not, a resource is known by its URI. */
function ofTool(tool: unknown, { uri, path }: Params): Target {
  const name = plainName(tool);
  if (name === 'read_resource') return { name, uri: plainUri(uri) };
  if (name === 'context_for' && typeof path === 'string') return { name, uri: plainUri(forUri(plainPath(path))) };
  return { name };
}

/** Of what is no URI of ours the scheme at most: it may be any text. */
function plainUri(uri: unknown): string | undefined {
  if (typeof uri !== 'string') return undefined;
  if (!OURS.test(uri)) return `${/^[a-z][a-z0-9+.-]{0,20}:/i.exec(uri)?.[0] ?? ''}${CUT}`;
  if (secretIn(uri) !== undefined) return `${uri.slice(0, uri.indexOf('://') + 3)}${CUT}`;
  const shown = /^upstream:/i.test(uri) ? withoutCredentials(uri) : uri;
  return shown.length > MOST_URI ? `${shown.slice(0, MOST_URI)}${CUT}` : shown;
}

/** The address of an upstream may carry a user, a password, a key. */
function withoutCredentials(uri: string): string {
  return uri.replace(/[?#].*$/s, '').replace(/(?<=\/\/)[^/@]*@/g, '');
}

function plainName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  return name.length > MOST_NAME || secretIn(name) !== undefined ? CUT : name;
}

function objectOf(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}
