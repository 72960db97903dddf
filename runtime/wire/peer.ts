// The client at the other end of a connection: what is said to it that is no answer. Every mount has its own.

import type { Subscriptions } from '../notices/subscriptions.ts';
import type { Id } from './dispatch.ts';

export interface Peer {
  notify(method: string, params?: Record<string, unknown>): void;
  /** Asks the client; undefined when it does not answer in time, or is gone, or takes back the call this is for. */
  request(method: string, params: Record<string, unknown>, withinMs: number, call: Call): Promise<unknown>;
  /** What it said in the handshake that it can do. */
  capabilities: Record<string, unknown> | undefined;
  /** What this client wants to hear of; made when it first asks. */
  subscriptions: Subscriptions | undefined;
}

/** One request as its handler may need to know it. */
export type Call = {
  id: Id;
  peer: Peer;
  /** Called when the client takes the request back, or is gone. What it takes back is answered only if that is said. */
  onCancel(stop: () => void, isAnswered?: true): void;
};
