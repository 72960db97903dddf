// Connections to PostgreSQL, and time: whatever is asked is answered, or has failed, before a client would call it
// late. A connection that did not answer is thrown away; while the database is away, only one request in a while
// waits to find out, and all others fail at once.

import pg from 'pg';
import { databaseError, isAway } from './database-error.ts';
import { bringUpToDate } from './database-schema.ts';
import { shortHash } from './short-hash.ts';
import { StoreError } from './store.ts';
import type { DatabaseAddress } from './store-address.ts';

export type Client = pg.ClientBase;

/** Less than the two seconds after which a store has failed. */
const MOST_MS = 1500;
const MOST_CONNECTING_MS = 1400;
const MOST_CONNECTIONS = 8;
/** How long it is taken to be away before it is asked again. */
const AWAY_MS = 500;
const IDLE_MS = 30_000;
/** As after a restore, or at a server that took the place of another one: they are made at the next request. */
const TABLES_GONE = /^(?:42P01|3F000)$/;

/** Counts of changes are far below where a number ends. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export class Database {
  readonly schema: string;
  /** Tells one database from another, without the password. */
  readonly place: string;
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  #ready: Promise<void> | undefined;
  #away: { until: number; why: StoreError } | undefined;

  constructor({ url, schema }: DatabaseAddress) {
    this.schema = schema;
    this.place = shortHash(`${url.replace(/:[^:@/]*@/, '@')} ${schema}`);
    this.#config = configOf(url);
    this.#pool = new pg.Pool({
      ...this.#config,
      max: MOST_CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
      allowExitOnIdle: true,
      // oxlint-disable-next-line typescript/no-misused-promises -- it is waited for; the types do not say so
      onConnect: async (client) => await this.#prepare(client),
    });
    this.#pool.on('error', () => {});
  }

  /** A connection of its own, for who listens. */
  async connectAlone(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, query_timeout: MOST_CONNECTING_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#prepare(client);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw databaseError(error);
    }
  }

  /** Throws StoreError. */
  async ask<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return await this.with(async (client) => (await client.query<Row>(text, values)).rows);
  }

  /** All of it, or nothing. */
  async transaction<T>(work: (client: Client) => Promise<T>, mostMs = MOST_MS): Promise<T> {
    return await this.with(async (client) => {
      await client.query('BEGIN');
      if (mostMs > MOST_MS) await client.query(`SET LOCAL statement_timeout = ${Math.floor(mostMs)}`);
      try {
        const done = await work(client);
        await client.query('COMMIT');
        return done;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {});
        throw error;
      }
    }, mostMs);
  }

  async with<T>(work: (client: Client) => Promise<T>, mostMs = MOST_MS): Promise<T> {
    const away = this.#away;
    if (away !== undefined && Date.now() < away.until) throw away.why;
    // Until it is known, the others need not wait as well.
    if (away !== undefined) away.until = Date.now() + MOST_MS;
    let client: pg.PoolClient | undefined;
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        client?.release(true);
        reject(new StoreError('the database did not answer in time', 'ETIMEDOUT', 'database'));
      }, mostMs);
    });
    const working = async (): Promise<T> => {
      const taken = await this.#pool.connect();
      if (isLate) {
        taken.release();
        throw new Error('nobody waits for it any more');
      }
      client = taken;
      try {
        await this.#upToDate(taken);
        const done = await work(taken);
        if (!isLate) taken.release();
        return done;
      } catch (error) {
        if (!isLate) taken.release(isBroken(error));
        throw error;
      }
    };
    try {
      const done = await Promise.race([working(), late]);
      this.#away = undefined;
      return done;
    } catch (thrown) {
      const error = databaseError(thrown);
      if (error instanceof StoreError && TABLES_GONE.test(error.code)) this.#ready = undefined;
      if (error instanceof StoreError && isAway(error)) {
        this.#away = { until: Date.now() + AWAY_MS, why: error };
      } else this.#away = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #prepare(client: Client): Promise<void> {
    client.on('error', () => {});
    await client.query(
      `SET search_path = "${this.schema}"; SET statement_timeout = ${MOST_MS}; SET lock_timeout = ${MOST_MS}; SET idle_in_transaction_session_timeout = ${MOST_MS * 3}; SET client_min_messages = warning`,
    );
  }

  /** Looked at once by each process; a step takes as long as it takes, and whoever comes too early fails. */
  async #upToDate(client: Client): Promise<void> {
    this.#ready ??= bringUpToDate(client, this.schema);
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }
}

function configOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: MOST_CONNECTING_MS,
    keepAlive: true,
    application_name: 'fieldguide',
  };
}

/** The server still says what is wrong with a statement; anything else may have left half an answer behind. */
function isBroken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) || /^(57P|08)/.test(code);
}
