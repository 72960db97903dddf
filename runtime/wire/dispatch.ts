// From one JSON-RPC message to its answer: whose era it is, which method, which failure. Knows nothing
// of lines or HTTP.

import { advise } from '../advice.ts';
import type { Answer } from '../answer.ts';
import type { Audited } from '../audit.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { type Era, eraOf, errorObject } from './eras.ts';
import { METHODS, type Method, NO_PARAMS, type Params } from './methods.ts';
import type { Call } from './peer.ts';

export type Id = string | number;

export type Request = { id: Id; method: string; params: Params };

/** What came back for one request; `audited` is told when that becomes a message. */
export type Outcome = (
  | { era: Era; method: Method; answer: Answer }
  | { era: Era; error: ReturnType<typeof errorObject> }
) & { audited?: Audited | undefined };

/** A client's answer to what it was asked. */
export type Response = { id?: unknown; result?: unknown; error?: unknown };

/** A request, a notification, an answer, or a failure with the id it should be answered under. */
export type Parsed =
  | { request: Request }
  | { notification: { method: string; params: Params } }
  | { response: Response }
  | { failure: Failure; id: Id | null };

export function parseMessage(text: string): Parsed {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { id: null, failure: new Failure('parse_error', 'Parse error', { reason: 'The line is not JSON.' }) };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { id: null, failure: invalidRequest('A message is one JSON object; batches are not taken.') };
  }
  return readMessage(message as Record<string, unknown>);
}

/** A message that has been parsed as JSON. */
export function readMessage(message: Record<string, unknown>): Parsed {
  const { id, method, params } = message;
  const known = isId(id) ? id : null;
  if (message.jsonrpc !== '2.0') return { id: known, failure: invalidRequest('jsonrpc must be "2.0".') };
  if (method === undefined && ('result' in message || 'error' in message)) return { response: message };
  if (typeof method !== 'string') return { id: known, failure: invalidRequest('method must be a string.') };
  if (!('id' in message)) {
    const about = typeof params === 'object' && params !== null ? (params as Params) : {};
    return { notification: { method, params: about } };
  }
  if (known === null) return { id: null, failure: invalidRequest('id must be a string or a whole number.') };
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    return { id: known, failure: invalidRequest('params must be an object.') };
  }
  return { request: { id: known, method, params: (params ?? NO_PARAMS) as Params } };
}

/** Runs a request. Never throws: whatever goes wrong is an outcome, and bugs go to the log. */
export function dispatch(context: Context, request: Request, call?: Call): Outcome | Promise<Outcome> {
  let era: Era = 'legacy';
  const audited = context.audit?.begin(context, request);
  const failed = (error: unknown): Outcome => {
    logFailure(context, request, error);
    const said = errorObject(error, era);
    const { told } = context.access;
    return { era, error: told === undefined ? said : { ...said, data: told(said.data) }, audited };
  };
  try {
    // An agent's rules are those of the bundle in service: what has been replaced is let go of before they are asked.
    if (context.access.agent !== undefined) context.bundle.find();
    era = eraOf(request.params);
    const method = getMethod(request.method, era);
    const answer = method.run(context, request.params, call);
    if (!(answer instanceof Promise)) return { era, method, answer, audited };
    return answer.then((value) => ({ era, method, answer: value, audited }), failed);
  } catch (error) {
    return failed(error);
  }
}

function getMethod(name: string, era: Era): Method {
  const method = METHODS.get(name);
  if (method?.eras.includes(era)) return method;
  if (method !== undefined && era === 'legacy') {
    throw new Failure('invalid_params', 'Invalid request envelope', {
      reason: `${name} belongs to the protocol without a handshake, and needs its version in params._meta.`,
      ...advise('envelope'),
    });
  }
  const near = nearest(name, METHODS.keys());
  throw new Failure('unknown_method', `Method not found: ${name}`, {
    reason: method === undefined ? 'This server has no such method.' : 'This protocol version has no such method.',
    ...advise('method', near === name ? undefined : near),
  });
}

function logFailure(context: Context, request: Request, error: unknown): void {
  const uri = typeof request.params.uri === 'string' ? ` ${JSON.stringify(request.params.uri.slice(0, 200))}` : '';
  if (!(error instanceof Failure)) {
    context.log(`${JSON.stringify(request.method)}${uri} failed, which is a bug: ${(error as Error)?.stack ?? error}`);
  } else if (request.method === 'resources/read') {
    context.log(`could not read${uri}: ${error.message}. ${error.detail.reason}`);
  }
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function invalidRequest(reason: string): Failure {
  return new Failure('invalid_request', 'Invalid Request', { reason });
}
