// The sessions of clients with a handshake. Each belongs to the agent that began it, and nobody else finds it.
// What nobody uses is let go of: a client whose session has gone shakes hands again.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { Failure } from '../failure.ts';
import { adviseHttp } from './advice.ts';
import type { Answering } from './answering.ts';
import type { Caller } from './callers.ts';
import { KEEP_ALIVE_MS } from './event-stream.ts';
import { Session, type Transport } from './session.ts';

const IDLE_MS = 30 * 60_000;
const LOOK_EVERY_MS = 60_000;
/** Of one agent, so that none of them crowds out another. */
const MOST_OF_ONE = 1000;

export class Sessions {
  readonly #answering: Answering;
  readonly #log: (line: string) => void;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Session>();
  readonly #timer: NodeJS.Timeout;

  constructor(answering: Answering, log: (line: string) => void) {
    this.#answering = answering;
    this.#log = log;
    this.#timer = setInterval(() => this.#endIdle(), LOOK_EVERY_MS).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  get listening(): number {
    return [...this.#sessions.values()].filter(({ isListening }) => isListening).length;
  }

  get isBusy(): boolean {
    return [...this.#sessions.values()].some(({ isBusy }) => isBusy);
  }

  /** The first request of a session, or a later one. Throws Failure for a session that is not there. */
  async handle(caller: Caller, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#get(id, caller) : undefined;
    const transport = session?.transport ?? this.#begin(caller);
    session?.take(body, response);
    const listens = request.method === 'GET' ? session : undefined;
    // One that comes again has lost the stream that it had.
    if (listens !== undefined) transport.closeStandaloneSSEStream();
    const handler = toNodeHandler(
      { fetch: (web) => transport.handleRequest(web, body === undefined ? {} : { parsedBody: body }) },
      { onerror: (error) => this.#log(`a session failed: ${error.message}`) },
    );
    await handler(request as Parameters<typeof handler>[0], streaming(response, listens), body);
  }

  /** Calls that wait for a person are answered as if nobody had come in time. */
  stopAsking(): void {
    for (const session of this.#sessions.values()) session.stopAsking();
  }

  end(): void {
    clearInterval(this.#timer);
    for (const { transport } of [...this.#sessions.values()]) void transport.close();
  }

  #get(id: string, caller: Caller): Session {
    const session = this.#sessions.get(id);
    if (session === undefined || session.caller.name !== caller.name) {
      throw new Failure('session_not_found', 'Session not found', {
        reason: 'There is no such session, or it has ended.',
        ...adviseHttp('handshake'),
      });
    }
    session.lastUsed = Date.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  #begin(caller: Caller): Transport {
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(24).toString('hex'),
      keepAliveMs: KEEP_ALIVE_MS,
      onsessioninitialized: (id) => {
        this.#makeRoom(caller.name);
        const session = new Session(transport, inSession(caller, id), this.#answering);
        this.#sessions.set(id, session);
        transport.onclose = () => {
          this.#sessions.delete(id);
          session.end();
        };
      },
    });
    return transport;
  }

  /** The one that was not used for longest goes; those that wait for something, last. */
  #makeRoom(owner: string): void {
    const own = [...this.#sessions.values()].filter(({ caller }) => caller.name === owner);
    if (own.length < MOST_OF_ONE) return;
    const oldest = own.find(({ isListening, isBusy }) => !isListening && !isBusy) ?? own[0];
    void oldest?.transport.close();
  }

  #endIdle(): void {
    const before = Date.now() - IDLE_MS;
    for (const { transport, isListening, isBusy, lastUsed } of [...this.#sessions.values()]) {
      if (!isListening && !isBusy && lastUsed < before) void transport.close();
    }
  }
}

/** The audit knows it by a hash: whoever knows the id is in the session. */
function inSession(caller: Caller, id: string): Caller {
  const { context } = caller;
  return context.audit === undefined
    ? caller
    : { ...caller, context: { ...context, audit: context.audit.inSession(id) } };
}

/** Headers leave at once: a client that opens a stream waits for them, not for the first change. */
function streaming(
  response: ServerResponse,
  listens: Session | undefined,
): Parameters<ReturnType<typeof toNodeHandler>>[1] {
  return {
    writeHead: (status, headers) => {
      response.writeHead(status, headers);
      if (listens === undefined || status !== 200) return;
      response.flushHeaders();
      listens.listen(response);
    },
    write: (chunk) => response.write(chunk),
    end: (chunk) => (chunk === undefined ? response.end() : response.end(chunk)),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}
