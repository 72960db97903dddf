// Between the SDK's client and a transport: what a server answers is kept as it came, because the client gives other
// error codes and strips what it does not know; each request gets an end in time that closes its connection, too; and
// a server that talks without being asked is cut off.

import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

export type RawAnswer =
  | { result: Record<string, unknown> }
  | { error: { code: number; message: string; data?: unknown } };

/** Notices and noise that a server may send within a second. */
const MOST_UNASKED = 500;
/** Travels as a header of the request as far as here. */
export const CALL_KEY = 'x-fieldguide-call';

export class Through implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Why it was cut off. */
  cutOff: string | undefined;
  /** By the key of the call. */
  readonly answers = new Map<string, RawAnswer>();
  readonly #inner: Transport;
  readonly #longestMs: number;
  readonly #calls = new Map<unknown, string>();
  readonly #ids = new Map<string, unknown>();
  #unasked = { since: 0, count: 0 };

  constructor(inner: Transport, longestMs: number) {
    this.#inner = inner;
    this.#longestMs = longestMs;
    inner.onclose = () => this.onclose?.();
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

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const { [CALL_KEY]: call, ...headers } = options.headers ?? {};
    if (call !== undefined && 'id' in message) {
      this.#calls.set(message.id, call);
      this.#ids.set(call, message.id);
    }
    if (!this.hasPerRequestStream) return await this.#inner.send(message);
    const isLong = 'method' in message && message.method === 'subscriptions/listen';
    const signals = [options.requestSignal, isLong ? undefined : AbortSignal.timeout(this.#longestMs)];
    const requestSignal = AbortSignal.any(signals.filter((one) => one !== undefined));
    await this.#inner.send(message, { ...options, headers, requestSignal });
  }

  /** An answer that comes after this is one that nobody asked for. */
  forget(call: string): void {
    this.#calls.delete(this.#ids.get(call));
    this.#ids.delete(call);
    this.answers.delete(call);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  #heard(message: JSONRPCMessage, extra: Parameters<NonNullable<Transport['onmessage']>>[1]): void {
    if (this.cutOff !== undefined) return;
    const call = this.#callOf(message);
    if (call === undefined) this.#countUnasked();
    else if ('error' in message) this.answers.set(call, { error: message.error });
    else if ('result' in message) this.answers.set(call, { result: message.result });
    this.onmessage?.(message, extra);
  }

  #callOf(message: JSONRPCMessage): string | undefined {
    const isAnswer = typeof message === 'object' && message !== null && 'id' in message && !('method' in message);
    return isAnswer ? this.#calls.get(message.id) : undefined;
  }

  #countUnasked(): void {
    const now = performance.now();
    if (now - this.#unasked.since > 1000) this.#unasked = { since: now, count: 0 };
    if (++this.#unasked.count <= MOST_UNASKED || this.cutOff !== undefined) return;
    this.cutOff = `It sent more than ${MOST_UNASKED} messages within a second that nobody asked for.`;
    void this.#inner.close();
    this.onclose?.();
  }
}
