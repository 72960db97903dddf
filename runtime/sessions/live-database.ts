// Live data in a database, as one process has it: one set of connections for store, approvals and discoveries. A
// server listens and keeps what was discovered in memory; a command asks once. What hooks on this machine have
// left in the journal is handed over on the way.

import type { Approvals } from './approvals.ts';
import { Database } from './database.ts';
import { DatabaseApprovals } from './database-approvals.ts';
import { Notices } from './database-notices.ts';
import { Discovered } from './discovered-rows.ts';
import { HandOver } from './hand-over.ts';
import { PostgresStore } from './postgres.ts';
import { StoreError } from './store.ts';
import { addressOf } from './store-address.ts';

export type DatabaseLiveOptions = {
  root: string;
  own?: string | undefined;
  /** The address, or the name of the variable that has it. */
  where: string;
  env?: NodeJS.ProcessEnv;
  log?: (line: string) => void;
  now?: () => number;
};

/** How long an answer waits for what hooks have left; the rest is handed over behind it. */
const MOST_WAITED_MS = 250;

export class DatabaseLive {
  readonly approvals: Approvals;
  readonly database: Database;
  readonly handOver: HandOver;
  readonly #notices: Notices;
  readonly #discovered: Discovered;
  readonly #now: () => number;
  #store: { idleMinutes: number; store: PostgresStore } | undefined;
  #listening: (() => void) | undefined;
  #asksOnce = false;

  /** Connects to nothing yet. Throws StoreError. */
  constructor({ root, own, where, env = {}, log = () => {}, now = Date.now }: DatabaseLiveOptions) {
    const address = addressOf(where, env);
    if (address === undefined) throw new StoreError('the journal is no database', 'EINVAL', 'address');
    this.database = new Database(address);
    this.#notices = new Notices(this.database, log);
    this.#discovered = new Discovered(this.database);
    this.approvals = new DatabaseApprovals(this.database);
    this.handOver = new HandOver(this.database, this.#notices, root, own);
    this.#now = now;
  }

  hasDiscoveries(): boolean {
    if (!this.#asksOnce) {
      this.#listening ??= this.#notices.listen(({ discoveries }) => void this.#discovered.heard(discoveries));
    }
    return this.#discovered.known().length > 0;
  }

  async ready(): Promise<void> {
    this.#asksOnce = true;
    await this.#discovered.lookAgain();
  }

  async store(idleMinutes: number): Promise<PostgresStore> {
    await within(MOST_WAITED_MS, this.handOver.catchUp());
    return this.storeOnly(idleMinutes);
  }

  storeOnly(idleMinutes: number): PostgresStore {
    if (this.#store?.idleMinutes !== idleMinutes) {
      const store = new PostgresStore({
        database: this.database,
        notices: this.#notices,
        discovered: this.#discovered,
        idleMs: idleMinutes * 60_000,
        now: this.#now,
      });
      this.#store = { idleMinutes, store };
    }
    return this.#store.store;
  }

  async end(): Promise<void> {
    this.#notices.end();
    await this.database.end();
  }
}

/** What fails here fails again where it is asked for. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), enough]);
  clearTimeout(timer);
}
