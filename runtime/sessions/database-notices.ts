// Who has changed something tells the others through the database. A notice only says that it is worth asking: what
// counts are two counters in a table, which are compared after every reconnection and every few seconds, so nothing
// is missed however long the connection was away.

import type { Client, Database } from './database.ts';
import { databaseError } from './database-error.ts';

export type Counters = { sessions: number; discoveries: number };

/** How long a change may stay unseen when the connection has died without a word. */
const LOOK_EVERY_MS = 2000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

type Listening = Awaited<ReturnType<Database['connectAlone']>>;

export class Notices {
  readonly #database: Database;
  readonly #listeners = new Set<(counters: Counters) => void>();
  #before: Counters | undefined;
  readonly #log: (line: string) => void;
  #state: 'new' | 'on' | 'away' | 'ended' = 'new';
  #waitMs = FIRST_WAIT_MS;
  #close: (() => void) | undefined;

  constructor(database: Database, log: (line: string) => void) {
    this.#database = database;
    this.#log = log;
  }

  /** To be said before the transaction ends; it is heard when it has. */
  async tell(client: Client, what: keyof Counters): Promise<void> {
    await client.query(
      `WITH counted AS (UPDATE changes SET ${what} = ${what} + 1 RETURNING ${what}) SELECT pg_notify($1, $2) FROM counted`,
      [this.#channel, what],
    );
  }

  listen(tell: (counters: Counters) => void): () => void {
    this.#listeners.add(tell);
    if (this.#state === 'new') {
      this.#state = 'on';
      void this.#connect();
    }
    return () => this.#listeners.delete(tell);
  }

  end(): void {
    this.#state = 'ended';
    this.#close?.();
  }

  #isEnded(): boolean {
    return this.#state === 'ended';
  }

  get #channel(): string {
    return `fieldguide_${this.#database.schema}`;
  }

  /** Listens first and looks then, so nothing falls between. */
  async #connect(): Promise<void> {
    if (this.#state === 'ended') return;
    let client: Listening;
    try {
      // Makes the tables, too, for whoever comes first.
      await this.#database.ask('SELECT FROM changes');
      client = await this.#database.connectAlone();
    } catch (error) {
      return this.#again(error as Error);
    }
    if (this.#isEnded()) return void client.end().catch(() => {});
    const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
    let isOver = false;
    const over = (error: Error): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      client.end().catch(() => {});
      this.#again(error);
    };
    let asked = 0;
    /** Told again while it looks, it looks again. */
    const look = async (): Promise<void> => {
      if (++asked > 1) return;
      try {
        do {
          asked = 1;
          const { rows } = await client.query<Counters>('SELECT sessions, discoveries FROM changes');
          if (rows[0] !== undefined) this.#compare(rows[0]);
        } while (asked > 1);
        asked = 0;
      } catch (error) {
        over(error as Error);
      }
    };
    this.#close = () => over(new Error('ended'));
    client.on('error', over);
    client.on('end', () => over(new Error('Connection terminated')));
    client.on('notification', () => void look());
    // The types know nothing of it: who only listens does not keep the process.
    (client as unknown as { unref(): void }).unref();
    try {
      await client.query(`LISTEN "${this.#channel}"`);
      await look();
      if (isOver) return;
      this.#waitMs = FIRST_WAIT_MS;
      if (this.#state === 'away') this.#log('sessions: the database answers again');
      this.#state = 'on';
    } catch (error) {
      over(error as Error);
    }
  }

  /** Said once for each time that it is away. */
  #again(error: Error): void {
    if (this.#state === 'ended') return;
    if (this.#state !== 'away') {
      const { message } = databaseError(error) as Error;
      this.#log(`sessions: ${message}; the bundle is served with what was known before, and this is tried again`);
      for (const tell of this.#listeners) if (this.#before !== undefined) tell(this.#before);
    }
    this.#state = 'away';
    setTimeout(() => void this.#connect(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  #compare(now: Counters): void {
    const before = this.#before;
    this.#before = now;
    const isSame = before?.sessions === now.sessions && before.discoveries === now.discoveries;
    if (isSame && this.#state !== 'away') return;
    for (const tell of this.#listeners) tell(now);
  }
}
