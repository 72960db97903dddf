// The client at the other end of a connection: what is said to it that is no answer. Every mount has its own.

import type { Subscriptions } from '../notices/subscriptions.ts';
import type { Id } from './dispatch.ts';

export interface Peer {
  notify(method: string, params?: Record<string, unknown>): void;
  /** What this client wants to hear of; made when it first asks. */
  subscriptions: Subscriptions | undefined;
}

/** One request as its handler may need to know it. */
export type Call = {
  id: Id;
  peer: Peer;
  /** Called when the client takes the request back, or is gone. Without it, an answer that is late is dropped. */
  onCancel(stop: () => void): void;
};
