// The two eras of the protocol, read off each request: modern ones carry their version in `_meta`,
// legacy ones follow a handshake. Here, and only here, kinds of failure become numbers, and answers
// get the stamps that the modern era asks for.

import { advise } from '../advice.ts';
import type { Answer } from '../answer.ts';
import { Failure, type FailureKind, type Foreign } from '../failure.ts';
import { SERVER_INFO } from '../version.ts';

export type Era = 'legacy' | 'modern';

/** How long a modern client may keep an answer; undefined: the answer is not for keeping. */
export type Caching = { ttlMs: number } | undefined;

export const NOT_KEPT: Caching = { ttlMs: 0 };

export const MODERN_VERSIONS = ['2026-07-28'];
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const CODES: Record<FailureKind, { legacy: number; modern: number }> = {
  not_found: { legacy: -32002, modern: -32602 },
  not_in_context: { legacy: -32602, modern: -32602 },
  unknown_resource: { legacy: -32600, modern: -32602 },
  access_denied: { legacy: -32003, modern: -32602 },
  too_large: { legacy: -32602, modern: -32602 },
  invalid_uri: { legacy: -32602, modern: -32602 },
  invalid_scheme: { legacy: -32602, modern: -32602 },
  invalid_params: { legacy: -32602, modern: -32602 },
  approval: { legacy: -32602, modern: -32602 },
  store: { legacy: -32603, modern: -32603 },
  upstream: { legacy: -32603, modern: -32603 },
  upstream_unsupported: { legacy: -32601, modern: -32601 },
  upstream_error: { legacy: -32603, modern: -32603 },
  rate_limited: { legacy: -32603, modern: -32603 },
  unauthorized: { legacy: -32600, modern: -32600 },
  forbidden: { legacy: -32600, modern: -32600 },
  header_mismatch: { legacy: -32020, modern: -32020 },
  unsupported_media: { legacy: -32600, modern: -32600 },
  session_not_found: { legacy: -32001, modern: -32001 },
  no_such_page: { legacy: -32600, modern: -32600 },
  not_allowed: { legacy: -32600, modern: -32600 },
  body_too_large: { legacy: -32600, modern: -32600 },
  damaged: { legacy: -32603, modern: -32603 },
  no_bundle: { legacy: -32603, modern: -32603 },
  unknown_method: { legacy: -32601, modern: -32601 },
  unsupported_version: { legacy: -32022, modern: -32022 },
  invalid_request: { legacy: -32600, modern: -32600 },
  parse_error: { legacy: -32700, modern: -32700 },
  internal: { legacy: -32603, modern: -32603 },
};

/** The word that clients see where the kind is finer than the contract's vocabulary. */
const WORDS: Partial<Record<FailureKind, string>> = { not_in_context: 'not_found' };

/** What a request without a handshake says that its client can do. */
export function capabilitiesOf(params: Record<string, unknown>): Record<string, unknown> | undefined {
  const meta = params._meta as Record<string, unknown> | undefined;
  return meta?.[CAPABILITIES_KEY] as Record<string, unknown> | undefined;
}

/** The era of a request by its params; throws Failure for an envelope that is incomplete or foreign. */
export function eraOf(params: Record<string, unknown>): Era {
  const meta = params._meta;
  if (typeof meta !== 'object' || meta === null) return 'legacy';
  const envelope = meta as Record<string, unknown>;
  const version = envelope[VERSION_KEY];
  const capabilities = envelope[CAPABILITIES_KEY];
  if (version === undefined && capabilities === undefined) return 'legacy';
  if (typeof version !== 'string') throw badEnvelope(`${VERSION_KEY} must be a string.`);
  if (!MODERN_VERSIONS.includes(version)) {
    throw new Failure('unsupported_version', 'Unsupported protocol version', {
      reason: `This server speaks ${MODERN_VERSIONS.join(', ')} without a handshake.`,
      supported: MODERN_VERSIONS,
      requested: version,
    });
  }
  if (typeof capabilities !== 'object' || capabilities === null || Array.isArray(capabilities)) {
    throw badEnvelope(`${CAPABILITIES_KEY} must be an object.`);
  }
  return 'modern';
}

function badEnvelope(reason: string): Failure {
  return new Failure('invalid_params', 'Invalid request envelope', {
    reason,
    ...advise('envelope'),
  });
}

export function errorWord(kind: FailureKind): string {
  return WORDS[kind] ?? kind;
}

/** A failure as a JSON-RPC error object of the request's era. */
export function errorObject(
  error: unknown,
  era: Era,
): { code: number; message: string; data: Record<string, unknown> } {
  const failure = error instanceof Failure ? error : internalFailure();
  const { word, uri, reason, ...more } = failure.detail;
  if (failure.foreign !== undefined) return foreignError(failure.message, failure.foreign, era);
  return {
    code: CODES[failure.kind][era],
    message: failure.message,
    data: {
      ...(uri === undefined ? {} : { uri, resource: uri }),
      kind: word ?? errorWord(failure.kind),
      reason,
      ...more,
    },
  };
}

/** As the upstream said it, but for what a client would take for a word about its connection to us. */
function foreignError(message: string, { code, data }: Foreign, era: Era): ReturnType<typeof errorObject> {
  const isOfConnection = code <= -32020 && code >= -32022;
  const own = code === -32002 && era === 'modern' ? CODES.not_found.modern : code;
  return { code: isOfConnection ? CODES.upstream_error[era] : own, message, data: data as Record<string, unknown> };
}

/** What a bug looks like from outside: nothing of the machine shows. */
function internalFailure(): Failure {
  return new Failure('internal', 'Failed to read resource', { reason: 'The server failed; its log says how.' });
}

/** The members every modern result carries, as JSON without braces. */
export function stamps(
  caching: Caching,
  cacheScope: 'public' | 'private',
  { meta, resultType }: Pick<Answer, 'meta' | 'resultType'> = {},
): string {
  const kept = caching === undefined ? '' : `"ttlMs":${caching.ttlMs},"cacheScope":"${cacheScope}",`;
  const own = meta === undefined ? META : metaJson(meta);
  return `"resultType":"${resultType ?? 'complete'}",${kept}${own}`;
}

function metaJson(more: Record<string, unknown>): string {
  return `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': SERVER_INFO, ...more })}`;
}

const META = metaJson({});
