// The HTTP server: who may knock, who asks, how often, and then which page. /mcp speaks the protocol; /healthz and
// /metrics are for those who run it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { adviseHttp } from './advice.ts';
import { Answering } from './answering.ts';
import { type Caller, Callers } from './callers.ts';
import { checkDoors, type Doors, mayReadAnswers } from './doors.ts';
import { Endpoint } from './endpoint.ts';
import { sendHealth } from './health.ts';
import { inUrl, isLoopback, type ListenAddress } from './listen-address.ts';
import { Metrics } from './metrics.ts';
import { Rate } from './rate.ts';
import { auditRefusal } from './refusals.ts';
import { refuseConnection, sendFailure, sendText } from './reply.ts';
import { Sessions } from './sessions.ts';

/** How long a client may take for its headers, and for a whole request. */
const HEADERS_MS = 8000;
const REQUEST_MS = 9000;
const CHECK_EVERY_MS = 500;
/** Longer than proxies keep theirs, so that none is reused in the moment in which we close it. */
const IDLE_CONNECTION_MS = 75_000;
/** How long answers under way may take when the server ends. */
const GRACE_MS = 5000;
/** Wrong tokens from one address. */
const WRONG_TOKENS_PER_MINUTE = 60;
/** No agent's name has a space. */
const AT_THE_DOOR = 'at the door';
const REFUSALS_WRITTEN_PER_MINUTE = 600;

export type HttpOptions = {
  listen: ListenAddress;
  /** Who comes without a token. */
  agent: string | undefined;
  env: NodeJS.ProcessEnv;
};

export class HttpServer {
  readonly #context: Context;
  readonly #options: HttpOptions;
  readonly #server: Server;
  readonly #metrics = new Metrics();
  readonly #rate = new Rate(Date.now);
  readonly #callers: Callers;
  readonly #sessions: Sessions;
  readonly #endpoint: Endpoint;

  constructor(context: Context, options: HttpOptions) {
    this.#context = context;
    this.#options = options;
    const exposed = !isLoopback(options.listen.host);
    this.#callers = new Callers(context, { ...options, exposed });
    const answering = new Answering(this.#metrics);
    this.#sessions = new Sessions(answering, context.log);
    this.#endpoint = new Endpoint(answering, this.#sessions);
    const limits = {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: IDLE_CONNECTION_MS,
    };
    this.#server = createServer(limits, (request, response) => void this.#take(request, response));
    this.#server.on('clientError', refuseConnection);
  }

  /** How many agents can come in by a token of theirs. */
  get tokens(): number {
    return this.#callers.tokens(this.#callers.settings()).count;
  }

  /** The address that it listens on, when it does. */
  async listen(): Promise<string> {
    const { host, port } = this.#options.listen;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, backlog: 1024 }, resolve);
    });
    return `http://${inUrl(host)}:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** Takes nobody any more; what was asked is answered, streams are ended. */
  async end(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#endpoint.endStreams();
    this.#sessions.stopAsking();
    const until = Date.now() + GRACE_MS;
    while ((this.#endpoint.isBusy || this.#sessions.isBusy) && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.#sessions.end();
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => this.#server.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(cut);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', () => this.#metrics.response(response.statusCode));
    response.on('error', () => {});
    closeWithSocket(request.socket, response);
    if (!this.#server.listening) response.setHeader('Connection', 'close');
    try {
      await this.#route(request, response);
    } catch (error) {
      if (!(error instanceof Failure)) this.#context.log(`a request failed, which is a bug: ${(error as Error).stack}`);
      if (response.headersSent) return void response.destroy();
      // A flood at the door fills no disk.
      if (this.#rate.take(AT_THE_DOOR, REFUSALS_WRITTEN_PER_MINUTE) === 0)
        auditRefusal(this.#context, undefined, error);
      sendFailure(response, error, null, 'legacy');
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method } = request;
    const { host } = this.#options.listen;
    const doors: Doors = { host, ...this.#callers.settings().http };
    // Of two names nobody knows which is meant.
    checkDoors(doors, hasOneHost(request) ? headers.host : undefined, headers.origin);
    if (mayReadAnswers(doors, headers.origin)) allowPage(response, headers.origin);
    if (method === 'OPTIONS' && headers.origin !== undefined) return void response.writeHead(204).end();
    // Nothing of a query counts, so that no token is ever part of an address.
    const [path] = (request.url ?? '').split('?');
    if (path === '/mcp') return await this.#endpoint.handle(this.#admit(request), request, response);
    if (method !== 'GET' && method !== 'HEAD') throw noPage();
    if (path === '/healthz') return sendHealth(this.#context, response, this.#knows(request));
    if (path !== '/metrics') throw noPage();
    this.#admit(request);
    sendText(response, 200, 'text/plain; version=0.0.4; charset=utf-8', this.#metrics.page(this.#gauges()));
  }

  /** Who asks; throws Failure for who may not come in, or comes too often. */
  #admit(request: IncomingMessage): Caller {
    const address = addressOf(request.socket);
    let caller: Caller;
    try {
      caller = this.#callers.callerOf(request.headers.authorization);
    } catch (error) {
      this.#limit(`from ${address}`, WRONG_TOKENS_PER_MINUTE);
      throw error;
    }
    this.#limit(caller.name, caller.settings.limits.ratePerMinute);
    return caller;
  }

  #knows(request: IncomingMessage): boolean {
    try {
      this.#callers.callerOf(request.headers.authorization);
      return true;
    } catch {
      if (request.headers.authorization !== undefined) {
        this.#rate.take(`from ${addressOf(request.socket)}`, WRONG_TOKENS_PER_MINUTE);
      }
      return false;
    }
  }

  #limit(who: string, perMinute: number): void {
    const retryAfter = this.#rate.take(who, perMinute);
    if (retryAfter === 0) return;
    throw new Failure('rate_limited', 'Too many requests', {
      reason: `More than ${perMinute} requests in a minute.`,
      ...adviseHttp('rate'),
      retryAfter,
    });
  }

  #gauges(): Parameters<Metrics['page']>[0] {
    const bundle = this.#context.bundle.find();
    return {
      sessions: this.#sessions.size,
      streams: this.#endpoint.streams + this.#sessions.listening,
      bundle: bundle === undefined ? undefined : { digest: bundle.digest, bytes: bundle.bytes.length },
      auditProblem: this.#context.audit?.problem !== undefined,
    };
  }
}

function noPage(): Failure {
  return new Failure('no_such_page', 'Not found', { reason: 'There is no such page here.', ...adviseHttp('path') });
}

/** What a browser must be told before a page may send its requests and read the answers. */
function allowPage(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Vary', 'Origin');
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  );
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, Retry-After, WWW-Authenticate');
  response.setHeader('Access-Control-Max-Age', '600');
}

/** A response that waits its turn behind others of its connection is told by nobody that the client has gone. */
function closeWithSocket(socket: Socket, response: ServerResponse): void {
  const close = (): void => {
    if (response.socket !== null) return;
    response.destroy();
    response.emit('close');
  };
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}

function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1;
}

function addressOf({ remoteAddress }: Socket): string {
  return remoteAddress ?? '';
}
