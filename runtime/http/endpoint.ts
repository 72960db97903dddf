// The endpoint /mcp: one address for both eras. A request without a handshake is answered by itself, one with a
// handshake goes to its session; which it is stands in the request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '../failure.ts';
import { Conversation } from '../wire/conversation.ts';
import { parseMessage, type Request } from '../wire/dispatch.ts';
import type { Era } from '../wire/eras.ts';
import { adviseHttp } from './advice.ts';
import type { Answering } from './answering.ts';
import { readBody } from './body.ts';
import type { Caller } from './callers.ts';
import { EventStream } from './event-stream.ts';
import { checkedEra, checkHandshake, checkNeedsNoSession, checkType, isHandshake, notAllowed } from './inbound.ts';
import { auditRefusal } from './refusals.ts';
import { sendFailure, sendJson } from './reply.ts';
import type { Sessions } from './sessions.ts';

/** Streams of one agent that wait for changes. */
const MOST_STREAMS = 1000;

export class Endpoint {
  readonly #answering: Answering;
  readonly #sessions: Sessions;
  /** Requests that are under way without a session, and whose they are. */
  readonly #open = new Map<Conversation, { owner: string; isStream: boolean }>();

  constructor(answering: Answering, sessions: Sessions) {
    this.#answering = answering;
    this.#sessions = sessions;
  }

  get streams(): number {
    return [...this.#open.values()].filter(({ isStream }) => isStream).length;
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** Streams are ended as their clients would end them. */
  endStreams(): void {
    for (const [conversation, { isStream }] of this.#open) if (isStream) conversation.end();
  }

  async handle(caller: Caller, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isOfSession = request.headers['mcp-session-id'] !== undefined;
    if (request.method === 'GET' || request.method === 'DELETE') {
      if (!isOfSession) throw notAllowed(request.method);
      return await this.#sessions.handle(caller, request, response, undefined);
    }
    if (request.method !== 'POST') throw notAllowed(request.method ?? '');
    checkType(request.headers['content-type']);
    const body = await readBody(request);
    if (body === undefined) return;
    const text = body.toString('utf8');
    const parsed = parseMessage(text);
    if ('failure' in parsed) return void sendFailure(response, parsed.failure, parsed.id, 'legacy');
    const id = 'request' in parsed ? parsed.request.id : null;
    let era: Era = 'legacy';
    try {
      era = checkedEra(parsed, request.headers);
      if (era === 'legacy' && (isOfSession || isHandshake(parsed))) {
        if (isHandshake(parsed)) checkHandshake(JSON.parse(text));
        return await this.#sessions.handle(caller, request, response, JSON.parse(text));
      }
      if (!('request' in parsed)) return void response.writeHead(202).end();
      if (era === 'legacy') checkNeedsNoSession(parsed.request.method);
      await this.#answer(caller, parsed.request, response);
    } catch (error) {
      if (response.headersSent) throw error;
      auditRefusal(caller.context, caller.name, error);
      sendFailure(response, error, id, era);
    }
  }

  async #answer(caller: Caller, request: Request, response: ServerResponse): Promise<void> {
    const open = { owner: caller.name, isStream: false };
    let stream: EventStream | undefined;
    const conversation: Conversation = new Conversation({
      notify: (notice) => {
        if (!caller.isWelcome()) return conversation.end();
        stream ??= new EventStream(response);
        stream.notify(JSON.stringify(notice));
      },
      // A client without a session is never asked anything.
      ask: () => {},
    });
    if (request.method === 'subscriptions/listen') {
      this.#checkStreams(caller.name);
      open.isStream = true;
    }
    const answered = this.#answering.answer(caller, request, conversation);
    if (!(answered instanceof Promise)) {
      if (answered !== undefined) sendJson(response, answered.status, answered.parts);
      return;
    }
    this.#open.set(conversation, open);
    response.once('close', () => conversation.end());
    const later = await answered.finally(() => this.#open.delete(conversation));
    if (response.destroyed) return;
    if (later === undefined) response.end();
    else if (stream === undefined) sendJson(response, later.status, later.parts);
    else stream.end(later.parts.map((part) => part.toString()).join(''));
  }

  #checkStreams(owner: string): void {
    const own = [...this.#open.values()].filter((one) => one.isStream && one.owner === owner);
    if (own.length < MOST_STREAMS) return;
    throw new Failure('rate_limited', 'Too many streams', {
      reason: `${MOST_STREAMS} streams of one agent may be open at once.`,
      ...adviseHttp('streams'),
      retryAfter: 60,
    });
  }
}
