// Sessions in PostgreSQL, for teams and replicas: what the journal has in files, by the same fold of events. A
// session is a row with its state, changed under its lock; what is looked for has columns of its own. Every change
// raises a counter in the same transaction and tells who listens, so a version can be compared, not trusted.

import type { Client, Database } from './database.ts';
import type { Notices } from './database-notices.ts';
import type { Discovered } from './discovered-rows.ts';
import { sessionIdOf } from './safe-name.ts';
import { Fold, firstState, IDLE_MS, type Session, type SessionEvent, type SessionState, sessionAt } from './session.ts';
import type { Discovery, Pruned, SessionStore } from './store.ts';

type Row = { id: string; archived: boolean; state: SessionState };

export type PostgresOptions = {
  database: Database;
  notices: Notices;
  discovered: Discovered;
  idleMs?: number | undefined;
  now?: (() => number) | undefined;
};

/** Rows that one statement of pruning touches, and how long it may take. */
const PRUNED_AT_ONCE = 2000;
const PRUNING_MS = 30_000;
const ENDED = 'CASE WHEN coalesce(ended_at, $1) - last_at > $2 THEN last_at ELSE ended_at END';

export class PostgresStore implements SessionStore {
  readonly #database: Database;
  readonly #notices: Notices;
  readonly #discovered: Discovered;
  readonly #idleMs: number;
  readonly #now: () => number;

  constructor({ database, notices, discovered, idleMs = IDLE_MS, now = Date.now }: PostgresOptions) {
    this.#database = database;
    this.#notices = notices;
    this.#discovered = discovered;
    this.#idleMs = idleMs;
    this.#now = now;
  }

  async append(sessionId: string, event: SessionEvent): Promise<void> {
    await this.#database.transaction(async (client) => {
      await applyEvents(client, sessionIdOf(sessionId), [event]);
      await this.#notices.tell(client, 'sessions');
    });
  }

  async discover({ promotedAt: _, ...given }: Discovery): Promise<void> {
    const discovery = { ...given, sessionId: sessionIdOf(given.sessionId) };
    await this.#database.transaction(async (client) => {
      const isNew = await insertDiscovery(client, discovery);
      await applyEvents(client, discovery.sessionId, [{ k: 'discovery', t: discovery.at, id: discovery.id }]);
      await this.#notices.tell(client, 'sessions');
      if (isNew) await this.#notices.tell(client, 'discoveries');
    });
    await this.#discovered.lookAgain();
  }

  async promoted(ids: readonly string[], at: number): Promise<void> {
    await this.#database.transaction(async (client) => {
      const marked = await client.query(
        'UPDATE discoveries SET promoted_at = $2 WHERE id = ANY($1) AND promoted_at IS NULL',
        [ids.filter((id) => !id.includes('\0')), at],
      );
      if (marked.rowCount !== 0) await this.#notices.tell(client, 'discoveries');
    });
    await this.#discovered.lookAgain();
  }

  async find(sessionId: string): Promise<Session | undefined> {
    const [row] = await this.#database.ask<Row>('SELECT id, archived, state FROM sessions WHERE id = $1', [
      sessionIdOf(sessionId),
    ]);
    return row === undefined ? undefined : this.#session(row);
  }

  async current(own: string | undefined): Promise<Session | undefined> {
    const asking = own === undefined ? undefined : await this.find(own);
    if (asking !== undefined) return asking.status === 'active' ? asking : undefined;
    const [row] = await this.#database.ask<Row>(
      `SELECT id, archived, state FROM sessions WHERE ended_at IS NULL AND last_at >= $1
       ORDER BY last_at DESC LIMIT 1`,
      [this.#now() - this.#idleMs],
    );
    return row === undefined ? undefined : this.#session(row);
  }

  async recent(limit: number): Promise<Session[]> {
    const rows = await this.#database.ask<Row>(
      'SELECT id, archived, state FROM sessions ORDER BY started_at DESC, id DESC LIMIT $1',
      [limit],
    );
    return rows.map((row) => this.#session(row));
  }

  async discoveries(): Promise<readonly Discovery[]> {
    return await this.#discovered.read();
  }

  known(): readonly Discovery[] {
    return this.#discovered.known();
  }

  changed(tell: () => void): () => void {
    return this.#notices.listen(tell);
  }

  async prune(archiveBefore: number, removeBefore: number, dryRun = false): Promise<Pruned> {
    const old = `last_at < $3 AND (${ENDED}) < $3`;
    const aged = `NOT archived AND last_at < $3 AND (${ENDED}) < $3 AND (${ENDED}) >= $4`;
    const given = [this.#now(), this.#idleMs];
    if (dryRun) {
      return {
        archived: await this.#count(aged, [...given, archiveBefore, removeBefore]),
        removed: await this.#count(old, [...given, removeBefore]),
      };
    }
    return {
      removed: await this.#inParts('DELETE FROM sessions', old, [...given, removeBefore]),
      archived: await this.#inParts('UPDATE sessions SET archived = true', aged, [
        ...given,
        archiveBefore,
        removeBefore,
      ]),
    };
  }

  /**
   * The counters, and who is active: that changes by the clock alone, too. Whoever is told of a new one makes answers
   * again, so by then the discoveries in memory are those of that version.
   */
  async version(own: string | undefined): Promise<string> {
    const [row] = await this.#database.ask<{ version: string; discoveries: number }>(
      `SELECT c.discoveries, concat_ws(' ', c.sessions, c.discoveries, a.count, a.latest, o.is_open) AS version
       FROM changes c,
         LATERAL (SELECT count(*), max(last_at) AS latest FROM sessions WHERE ended_at IS NULL AND last_at >= $1) a,
         LATERAL (SELECT EXISTS (SELECT FROM sessions WHERE id = $2 AND ended_at IS NULL AND last_at >= $1) AS is_open) o`,
      [this.#now() - this.#idleMs, own === undefined ? null : sessionIdOf(own)],
    );
    if (row === undefined) return '';
    await this.#discovered.heard(row.discoveries);
    return row.version;
  }

  #session({ id, archived, state }: Row): Session {
    return sessionAt(id, { state: { ...state, archived }, damaged: 0 }, this.#now(), this.#idleMs);
  }

  async #count(where: string, values: number[]): Promise<number> {
    return await this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ n: number }>(`SELECT count(*) AS n FROM sessions WHERE ${where}`, values);
      return rows[0]?.n ?? 0;
    }, PRUNING_MS);
  }

  /** A part at a time, so that nobody who works meanwhile waits for long. */
  async #inParts(change: string, where: string, values: number[]): Promise<number> {
    for (let all = 0; ; ) {
      const done = await this.#database.transaction(async (client) => {
        const chosen = `SELECT id FROM sessions WHERE ${where} ORDER BY last_at LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED`;
        const { rowCount } = await client.query(`${change} WHERE id IN (${chosen})`, values);
        if (rowCount !== 0) await this.#notices.tell(client, 'sessions');
        return rowCount ?? 0;
      }, PRUNING_MS);
      all += done;
      if (done < PRUNED_AT_ONCE) return all;
    }
  }
}

/** Puts events into a session, which begins with the first of them; the row is locked until the transaction ends. */
export async function applyEvents(client: Client, id: string, events: readonly SessionEvent[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const held = (await lockedRow(client, id)) ?? (await newRow(client, id, first.t));
  const state: SessionState = { ...(held.state ?? firstState(first.t)), archived: held.archived };
  const fold = new Fold(state);
  for (const event of events) fold.apply(event);
  await client.query(
    'UPDATE sessions SET started_at = $2, last_at = $3, ended_at = $4, archived = $5, state = $6 WHERE id = $1',
    [id, state.startedAt, state.lastAt, state.endedAt ?? null, state.archived ?? false, JSON.stringify(state)],
  );
}

type HeldRow = { archived: boolean; state: SessionState | null };

async function lockedRow(client: Client, id: string): Promise<HeldRow | undefined> {
  const { rows } = await client.query<HeldRow>('SELECT archived, state FROM sessions WHERE id = $1 FOR UPDATE', [id]);
  return rows[0];
}

/** Of several that begin it at once, one makes it, and the others go on with what that one has made of it. */
async function newRow(client: Client, id: string, t: number): Promise<HeldRow> {
  await client.query('INSERT INTO sessions (id, started_at, last_at) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING', [
    id,
    t,
  ]);
  return (await lockedRow(client, id)) ?? { archived: false, state: null };
}

/** False when it is there already. */
export async function insertDiscovery(client: Client, discovery: Discovery): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO discoveries (id, discovery) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [discovery.id.replaceAll('\0', ''), JSON.stringify(discovery)],
  );
  return rowCount === 1;
}
