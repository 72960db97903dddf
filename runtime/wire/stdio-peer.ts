// The client on stdio, and the requests of it that are under way: what it takes back, and what must end when
// it goes.

import type { Context } from '../context.ts';
import type { Id, Response } from './dispatch.ts';
import type { Outbox } from './outbox.ts';
import type { Call, Peer } from './peer.ts';

/** A client that has shaken hands hears of changed lists; what that takes is loaded after its first requests. */
const SETTLED_MS = 500;
const FULL_BYTES = 1024 * 1024;

export class StdioPeer implements Peer {
  subscriptions: Peer['subscriptions'];
  capabilities: Peer['capabilities'];
  readonly #outbox: Outbox;
  readonly #stops = new Map<Id, { stop: () => void; isAnswered: boolean }>();
  readonly #underWay = new Set<Id>();
  readonly #takenBack = new Set<Id>();
  readonly #held = new Set<string>();
  readonly #asked = new Map<string, (result: unknown) => void>();
  #nextAsked = 1;
  #isGone = false;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** While the client does not read, each notice is kept once. */
  notify(method: string, params?: Record<string, unknown>): void {
    const line = `${JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) })}\n`;
    if (this.#held.size === 0 && this.#outbox.length < FULL_BYTES) return this.#send([line]);
    if (this.#held.size === 0) this.#outbox.whenDrained(() => this.#send(this.#held));
    this.#held.add(line);
  }

  /** The client's answer; undefined for an error, for none in time, and when it is gone. */
  async request(
    method: string,
    params: Record<string, unknown>,
    withinMs: number,
    { id: call, onCancel }: Call,
  ): Promise<unknown> {
    if (this.#isOver(call)) return undefined;
    const id = `fieldguide-${this.#nextAsked++}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise((resolve) => {
      this.#asked.set(id, resolve);
      const giveUp = (reason: string): void => {
        resolve(undefined);
        this.notify('notifications/cancelled', { requestId: id, reason });
      };
      timer = setTimeout(() => giveUp('Nobody answered in time.'), withinMs);
      onCancel(() => giveUp('The call that this is for was taken back.'));
    });
    this.#send([`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`]);
    return await answer.finally(() => {
      clearTimeout(timer);
      this.#asked.delete(id);
    });
  }

  /** What nobody asked for is passed over. */
  answered({ id, result }: Response): void {
    this.#asked.get(String(id))?.(result);
  }

  #send(lines: Iterable<string>): void {
    for (const line of lines) this.#outbox.add(line);
    this.#held.clear();
    this.#outbox.flush();
  }

  call(id: Id): Call {
    return {
      id,
      peer: this,
      onCancel: (stop, isAnswered) => {
        this.#stops.set(id, { stop, isAnswered: isAnswered === true });
        if (this.#isOver(id)) stop();
      },
    };
  }

  /** Taken back, or the client is gone: a handler may come to its question only after that. */
  #isOver(id: Id): boolean {
    return this.#isGone || this.#takenBack.has(id);
  }

  started(id: Id): void {
    this.#underWay.add(id);
  }

  /** False when the client has taken it back, and wants no answer. */
  settled(id: Id): boolean {
    this.#underWay.delete(id);
    this.#stops.delete(id);
    return !this.#takenBack.delete(id);
  }

  /** What the client says that is no request. */
  heard(context: Context, { method, params }: { method: string; params: Record<string, unknown> }): void {
    if (method === 'notifications/initialized') this.#hearOfLists(context);
    if (method !== 'notifications/cancelled') return;
    const id = params.requestId as Id;
    const known = this.#stops.get(id);
    if (known?.isAnswered !== true && this.#underWay.has(id)) this.#takenBack.add(id);
    known?.stop();
  }

  end(): void {
    this.#isGone = true;
    for (const { stop } of this.#stops.values()) stop();
    this.subscriptions?.end();
  }

  #hearOfLists(context: Context): void {
    const start = async (): Promise<void> => {
      const { Subscriptions } = await import('../notices/subscriptions.ts');
      await Subscriptions.of(context, this).hearOfLists();
    };
    setTimeout(() => {
      start().catch((error: Error) => context.log(`changes cannot be told: ${error.message}`));
    }, SETTLED_MS).unref();
  }
}
