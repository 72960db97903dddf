// Between the SDK's client and a transport. The client opens the connection and listens on it; requests go beside it,
// because it gives errors other codes, strips what it does not know, and validates what goes out untouched anyway. Every
// request has an end in time that closes its stream, too; a server that talks without being asked is cut off.

import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { noAnswer } from './outage.ts';

export type RawAnswer =
  | { result: Record<string, unknown> }
  | { error: { code: number; message: string; data?: unknown } };

type Pending = { resolve(answer: RawAnswer): void; reject(error: unknown): void };

/** Notices and noise that a server may send within a second. */
const MOST_UNASKED = 500;
const FIRST_ID = 1_000_000_000;

export class Through implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Told of a change: not the client, which would take longer over it. */
  onchange?: (method: string, params: Record<string, unknown>) => void;
  /** Why it was cut off. */
  cutOff: string | undefined;
  readonly #inner: Transport;
  readonly #pending = new Map<unknown, Pending>();
  #nextId = FIRST_ID;
  #isClosed = false;
  #unasked = { since: 0, count: 0 };

  constructor(inner: Transport) {
    this.#inner = inner;
    inner.onclose = () => this.#closed();
    inner.onerror = (error) => {
      if (error.message === 'not JSON') this.#countUnasked();
      this.onerror?.(error);
    };
    inner.onmessage = (message, extra) => this.#heard(message, extra);
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    await this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  /** The answer as it came. Its id is a number that the client's own requests never reach. */
  async ask(method: string, params: Record<string, unknown>, withinMs: number): Promise<RawAnswer> {
    const id = this.#nextId++;
    const { promise, ...pending } = deferred();
    this.#pending.set(id, pending);
    const abort = this.hasPerRequestStream ? new AbortController() : undefined;
    const timer = setTimeout(() => {
      abort?.abort();
      pending.reject(noAnswer(withinMs));
      if (abort === undefined) this.#cancel(id);
    }, withinMs);
    try {
      const options = abort === undefined ? undefined : { requestSignal: abort.signal };
      const sent = this.#inner.send({ jsonrpc: '2.0', id, method, params }, options);
      sent.catch((error) => pending.reject(error));
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  #cancel(requestId: number): void {
    const params = { requestId, reason: 'It took too long.' };
    this.#inner.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
  }

  #heard(message: JSONRPCMessage, extra: Parameters<NonNullable<Transport['onmessage']>>[1]): void {
    if (this.cutOff !== undefined || typeof message !== 'object' || message === null) return;
    if ('method' in message) {
      this.#countUnasked();
      if (isChange(message.method)) this.onchange?.(message.method, Object(message.params));
      else this.onmessage?.(message, extra);
      return;
    }
    const pending = 'id' in message ? this.#pending.get(message.id) : undefined;
    if (pending === undefined) {
      this.#countUnasked();
      this.onmessage?.(message, extra);
    } else if ('error' in message) pending.resolve({ error: message.error });
    else pending.resolve({ result: Object(message.result) });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const error = Object.assign(new Error('The connection was closed.'), { code: 'CONNECTION_CLOSED' });
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.onclose?.();
  }

  #countUnasked(): void {
    const now = performance.now();
    if (now - this.#unasked.since > 1000) this.#unasked = { since: now, count: 0 };
    if (++this.#unasked.count <= MOST_UNASKED || this.cutOff !== undefined) return;
    this.cutOff = `It sent more than ${MOST_UNASKED} messages within a second that nobody asked for.`;
    this.#closed();
    void this.#inner.close();
  }
}

function isChange(method: string): boolean {
  return method === 'notifications/resources/updated' || /^notifications\/\w+\/list_changed$/.test(method);
}

function deferred(): Pending & { promise: Promise<RawAnswer> } {
  let settle!: Pending;
  const promise = new Promise<RawAnswer>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}
