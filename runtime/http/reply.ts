// What goes back for one request: a message whose texts are slices of the bundle, sent as they lie; or a refusal,
// which is a JSON-RPC error as well, so that a client reads the same words whatever failed.

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Part } from '../answer.ts';
import { Failure, type FailureKind } from '../failure.ts';
import type { Id } from '../wire/dispatch.ts';
import { type Era, errorObject } from '../wire/eras.ts';
import { adviseHttp } from './advice.ts';

/** Kinds that are said by HTTP, too; every other failure is an answer like any other. */
const STATUS: Partial<Record<FailureKind, number>> = {
  parse_error: 400,
  invalid_request: 400,
  header_mismatch: 400,
  unsupported_version: 400,
  unauthorized: 401,
  forbidden: 403,
  no_such_page: 404,
  session_not_found: 404,
  not_allowed: 405,
  body_too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  no_bundle: 503,
  damaged: 503,
};

/** Beyond this, pieces are written as they lie. */
const JOINED_BYTES = 16 * 1024;
/** A reader that takes nothing for this long is let go of. */
const MOST_STALLED_MS = 10_000;

export function sendJson(response: ServerResponse, status: number, parts: readonly Part[]): void {
  const buffers = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const length = buffers.reduce((sum, { length: bytes }) => sum + bytes, 0);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
  if (length <= JOINED_BYTES) response.end(buffers.length === 1 ? buffers[0] : Buffer.concat(buffers));
  else {
    response.cork();
    for (const buffer of buffers) response.write(buffer);
    response.end();
    response.uncork();
  }
  endIfStalled(response);
}

export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
  endIfStalled(response);
}

/** A refusal before, or instead of, an answer. Gives the status. */
export function sendFailure(response: ServerResponse, error: unknown, id: Id | null, era: Era): number {
  const status = error instanceof Failure ? (STATUS[error.kind] ?? 400) : 500;
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', 'GET, POST, DELETE');
  if (status === 413) response.setHeader('Connection', 'close');
  if (error instanceof Failure && typeof error.detail.retryAfter === 'number') {
    response.setHeader('Retry-After', error.detail.retryAfter);
  }
  sendJson(response, status, [JSON.stringify({ jsonrpc: '2.0', id, error: errorObject(error, era) })]);
  return status;
}

const BROKEN: Record<string, readonly [status: string, reason: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request came too slowly.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of a request have at most 16 KB.'],
};

/** What is no HTTP, or came too slowly, has no response of its own. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, reason] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'The request is not HTTP.'];
  const failure = new Failure('invalid_request', 'Invalid Request', { reason, ...adviseHttp('post') });
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: errorObject(failure, 'legacy') });
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

function endIfStalled(response: ServerResponse): void {
  if (response.writableFinished || response.writableLength === 0) return;
  let left = response.writableLength;
  const timer = setInterval(() => {
    if (response.writableLength >= left) response.destroy();
    left = response.writableLength;
  }, MOST_STALLED_MS).unref();
  response.once('close', () => clearInterval(timer));
}
