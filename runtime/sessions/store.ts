// Where live data is kept: what happens in sessions, and what was discovered in them. The journal in the
// project's own folder is one implementation; every implementation passes the same tests.

import type { Session, SessionEvent } from './session.ts';

export const DISCOVERY_TYPES = ['pattern', 'rule', 'decision', 'issue'] as const;

export type DiscoveryType = (typeof DISCOVERY_TYPES)[number];

/** Something learned that a person accepted. */
export type Discovery = {
  id: string;
  sessionId: string;
  at: number;
  type: DiscoveryType;
  content: string;
  module?: string | undefined;
  solution?: string | undefined;
  /** When it was taken over into project.yaml. */
  promotedAt?: number;
};

export type Pruned = { archived: number; removed: number };

export interface SessionStore {
  /** Records what happened; the session begins with its first event. Throws StoreError. */
  append(sessionId: string, event: SessionEvent): Promise<void>;
  discover(discovery: Discovery): Promise<void>;
  /** Notes that these were taken over into project.yaml; the first time counts, and ids of nothing are passed over. */
  promoted(ids: readonly string[], at: number): Promise<void>;
  /** The session of that id. */
  find(sessionId: string): Promise<Session | undefined>;
  /** The one that `own` names, while it is active; the active one with the latest activity when `own` is unknown. */
  current(own: string | undefined): Promise<Session | undefined>;
  /** Newest first by their start. */
  recent(limit: number): Promise<Session[]>;
  /** All of them, in the order in which they were accepted. At once, where nothing has to be asked for. */
  discoveries(): readonly Discovery[] | Promise<readonly Discovery[]>;
  /** Archives sessions that ended before one time and removes those that ended before another; or only counts them. */
  prune(archiveBefore: number, removeBefore: number, dryRun?: boolean): Promise<Pruned>;
  /** Differs whenever anything that could be read has changed. */
  version(own: string | undefined): Promise<string>;
  /** What was discovered, as far as it is known without asking anybody: for answers that must not wait. */
  known?(): readonly Discovery[];
  /** Calls when the version may have changed, until the function that it gives is called; more often does no harm. */
  changed?(tell: () => void): () => void;
}

/** What is at fault: files in the project's folder, a database, or what was said about where that is. */
export type Fault = 'store' | 'database' | 'address';

/** The store could not be read or written; the message is for people and names no path, host or password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: string;
  readonly fault: Fault;
  constructor(what: string, code: string, fault: Fault = 'store') {
    super(`${what} (${code})`);
    this.code = code;
    this.fault = fault;
  }
}

export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === 'StoreError';
}
