// What must be true of a request before it is answered: its media type, its era, and that its headers say the same
// as its body. Everything here throws Failure.

import type { IncomingHttpHeaders } from 'node:http';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { Parsed } from '../wire/dispatch.ts';
import { type Era, eraOf, MODERN_VERSIONS, VERSION_KEY } from '../wire/eras.ts';
import { adviseHttp } from './advice.ts';
import { checkHeaders, checkVersion } from './modern-headers.ts';

/** They need somebody to tell later, whom only a session knows. */
const OF_A_SESSION: readonly string[] = ['resources/subscribe', 'resources/unsubscribe'];

export function notAllowed(method: string): Failure {
  return new Failure('not_allowed', 'Method not allowed', {
    reason: `${method.slice(0, 20)} needs a session here, and other methods than GET, POST and DELETE mean nothing.`,
    ...adviseHttp('post'),
  });
}

/** A form of a web page cannot send it, so no page sends anything without being asked for its origin. */
export function checkType(type: string | undefined): void {
  if (/^application\/json *(;|$)/i.test(type ?? '')) return;
  throw new Failure('unsupported_media', 'Unsupported media type', {
    reason: 'The Content-Type of a request is application/json.',
    ...adviseHttp('post'),
  });
}

/** The era of a message, with which its headers must agree. */
export function checkedEra(parsed: Parsed, headers: IncomingHttpHeaders): Era {
  const message = 'request' in parsed ? parsed.request : 'notification' in parsed ? parsed.notification : undefined;
  if (message === undefined) return 'legacy';
  if ('request' in parsed) checkVersion(headers, parsed.request);
  const era = eraOf(message.params);
  if (era === 'modern' && 'request' in parsed) checkHeaders(headers, parsed.request);
  const version = headers['mcp-protocol-version'];
  if (era === 'modern' || 'notification' in parsed || !MODERN_VERSIONS.includes(String(version))) return era;
  throw new Failure('invalid_params', 'Invalid request envelope', {
    reason: `MCP-Protocol-Version names a version without a handshake, and params._meta has no ${VERSION_KEY}.`,
    ...advise('envelope'),
  });
}

export function isHandshake(parsed: Parsed): boolean {
  return 'request' in parsed && parsed.request.method === 'initialize';
}

/** As the SDK's transport wants it. */
export function checkHandshake(message: unknown): void {
  if (isInitializeRequest(message)) return;
  throw new Failure('invalid_params', 'Invalid handshake', {
    reason: 'params has protocolVersion, capabilities, and clientInfo with name and version.',
    ...adviseHttp('handshake'),
  });
}

export function checkNeedsNoSession(method: string): void {
  if (!OF_A_SESSION.includes(method)) return;
  throw new Failure('invalid_request', 'A session is needed', {
    reason: `${method} is for clients that have shaken hands.`,
    ...adviseHttp('handshake'),
  });
}
