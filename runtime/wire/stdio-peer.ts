// The client on stdio, and the requests of it that are under way: what it takes back, and what must end when
// it goes.

import type { Context } from '../context.ts';
import type { Id } from './dispatch.ts';
import type { Outbox } from './outbox.ts';
import type { Call, Peer } from './peer.ts';

/** A client that has shaken hands hears of changed lists; what that takes is loaded after its first requests. */
const SETTLED_MS = 500;
const FULL_BYTES = 1024 * 1024;

export class StdioPeer implements Peer {
  subscriptions: Peer['subscriptions'];
  readonly #outbox: Outbox;
  readonly #stops = new Map<Id, () => void>();
  readonly #underWay = new Set<Id>();
  readonly #takenBack = new Set<Id>();
  readonly #held = new Set<string>();

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

  #send(lines: Iterable<string>): void {
    for (const line of lines) this.#outbox.add(line);
    this.#held.clear();
    this.#outbox.flush();
  }

  call(id: Id): Call {
    return { id, peer: this, onCancel: (stop) => void this.#stops.set(id, stop) };
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
    const stop = this.#stops.get(id);
    if (stop !== undefined) stop();
    else if (this.#underWay.has(id)) this.#takenBack.add(id);
  }

  end(): void {
    for (const stop of this.#stops.values()) stop();
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
