// One client that has a connection, and its requests that are under way: what it takes back, what it is asked
// meanwhile, and what must end when it goes. How a message reaches it is the mount's.

import type { Context } from '../context.ts';
import type { Id, Response } from './dispatch.ts';
import type { Call, Peer } from './peer.ts';

/** A client that has shaken hands hears of changed lists; what that takes is loaded after its first requests. */
const SETTLED_MS = 500;

export type Outlet = {
  notify(notice: object): void;
  /** A request of ours, for a call of the client's. */
  ask(request: object, call: Id): void;
};

export class Conversation implements Peer {
  subscriptions: Peer['subscriptions'];
  capabilities: Peer['capabilities'];
  readonly #outlet: Outlet;
  readonly #stops = new Map<Id, { stop: () => void; isAnswered: boolean }>();
  readonly #underWay = new Set<Id>();
  readonly #takenBack = new Set<Id>();
  readonly #asked = new Map<string, (result: unknown) => void>();
  #nextAsked = 1;
  #isGone = false;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Whether a request of the client's has not been answered yet. */
  get isBusy(): boolean {
    return this.#underWay.size > 0;
  }

  isUnderWay(id: Id): boolean {
    return this.#underWay.has(id);
  }

  notify(method: string, params?: Record<string, unknown>): void {
    this.#outlet.notify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
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
    this.#outlet.ask({ jsonrpc: '2.0', id, method, params }, call);
    return await answer.finally(() => {
      clearTimeout(timer);
      this.#asked.delete(id);
    });
  }

  /** What nobody asked for is passed over. */
  answered({ id, result }: Response): void {
    this.#asked.get(String(id))?.(result);
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

  /** What the client was asked and has not answered yet counts as not answered. */
  stopAsking(): void {
    for (const resolve of this.#asked.values()) resolve(undefined);
  }

  end(): void {
    this.#isGone = true;
    for (const { stop } of this.#stops.values()) stop();
    this.subscriptions?.end();
  }

  #hearOfLists(context: Context): void {
    const start = async (): Promise<void> => {
      const { Subscriptions } = await import('../notices/subscriptions.ts');
      if (!this.#isGone) await Subscriptions.of(context, this).hearOfLists();
    };
    setTimeout(() => {
      start().catch((error: Error) => context.log(`changes cannot be told: ${error.message}`));
    }, SETTLED_MS).unref();
  }
}
