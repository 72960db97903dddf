// One session of a client with a handshake: its conversation on the SDK's transport, which keeps its streams and
// knows which answer goes where. Notices wait while no stream takes them.

import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { Failure } from '../failure.ts';
import { Conversation } from '../wire/conversation.ts';
import { type Id, readMessage } from '../wire/dispatch.ts';
import { HeldNotices } from '../wire/held-notices.ts';
import { adviseHttp } from './advice.ts';
import type { Answering } from './answering.ts';
import type { Caller } from './callers.ts';

export type Transport = WebStandardStreamableHTTPServerTransport;

export class Session {
  readonly transport: Transport;
  readonly caller: Caller;
  lastUsed = Date.now();
  readonly #answering: Answering;
  readonly #conversation: Conversation;
  /** Of requests whose responses are open. */
  readonly #ids = new Set<Id>();
  /** On which it hears of changes. */
  #stream: ServerResponse | undefined;
  #release: (() => void) | undefined;

  constructor(transport: Transport, caller: Caller, answering: Answering) {
    this.transport = transport;
    this.caller = caller;
    this.#answering = answering;
    const held = this.#heldNotices();
    this.#conversation = new Conversation({
      notify: (notice) => {
        if (caller.isWelcome()) held.add(JSON.stringify(notice));
        else void transport.close();
      },
      ask: (request, call) => this.#send(request as JSONRPCMessage, call),
    });
    transport.onmessage = (message) => this.#take(message);
  }

  get isListening(): boolean {
    return this.#stream !== undefined;
  }

  get isBusy(): boolean {
    return this.#conversation.isBusy;
  }

  /** From now on it hears of changed lists, and first of what changed meanwhile. */
  listen(stream: ServerResponse): void {
    this.#stream = stream;
    stream.once('close', () => {
      if (this.#stream === stream) this.#stream = undefined;
      this.lastUsed = Date.now();
    });
    this.#conversation.heard(this.caller.context, { method: 'notifications/initialized', params: {} });
    this.#releaseHeld();
  }

  stopAsking(): void {
    this.#conversation.stopAsking();
  }

  end(): void {
    this.#conversation.end();
  }

  /** An answer finds its stream by the id alone: two requests of one id at once would leave the first waiting. */
  take(body: unknown, response: ServerResponse): void {
    const { id, method } = Object(body);
    if (id === undefined || method === undefined) return;
    if (this.#ids.has(id) || this.#conversation.isUnderWay(id)) {
      throw new Failure('invalid_request', 'Invalid Request', {
        reason: 'A request with this id is still under way in this session.',
        ...adviseHttp('id'),
      });
    }
    this.#ids.add(id);
    response.once('close', () => this.#ids.delete(id));
  }

  #heldNotices(): HeldNotices {
    const takesAny = (): boolean => this.#stream !== undefined && !this.#stream.writableNeedDrain;
    return new HeldNotices({
      get unread() {
        return takesAny() ? 0 : Number.POSITIVE_INFINITY;
      },
      whenDrained: (then) => {
        this.#release = then;
        this.#stream?.once('drain', () => this.#releaseHeld());
      },
      send: (notices) => {
        for (const notice of notices) this.#send(JSON.parse(notice));
      },
    });
  }

  #releaseHeld(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  #take(message: JSONRPCMessage): void {
    const parsed = readMessage(message as Record<string, unknown>);
    if ('response' in parsed) this.#conversation.answered(parsed.response);
    else if ('notification' in parsed) this.#hear(parsed.notification);
    else if ('request' in parsed) void this.#answer(parsed.request);
  }

  /** A client that has shaken hands is told of changes when it has opened a stream for them. */
  #hear(notification: { method: string; params: Record<string, unknown> }): void {
    if (notification.method === 'notifications/initialized') return;
    this.#conversation.heard(this.caller.context, notification);
  }

  async #answer(request: Parameters<Answering['answer']>[1]): Promise<void> {
    const answered = await this.#answering.answer(this.caller, request, this.#conversation);
    if (answered === undefined) this.transport.closeSSEStream(request.id);
    else this.#send(JSON.parse(answered.parts.map((part) => part.toString()).join('')));
  }

  /** To a stream that the client has closed nothing can be sent. */
  #send(message: JSONRPCMessage, relatedRequestId?: string | number): void {
    this.transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => {});
  }
}
