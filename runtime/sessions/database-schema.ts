// The tables of live data, made and brought up to date by the program itself: one step for each version, each
// applied once, under a lock, so that any number of servers may start at once. A step is never changed after it was
// released; an older program leaves a newer schema alone and says so.

import type { ClientBase } from 'pg';
import { StoreError } from './store.ts';

const STEPS: readonly string[] = [
  `
  CREATE TABLE sessions (
    id text PRIMARY KEY,
    started_at bigint NOT NULL,
    last_at bigint NOT NULL,
    ended_at bigint,
    archived boolean NOT NULL DEFAULT false,
    state json
  );
  CREATE INDEX sessions_by_start ON sessions (started_at DESC, id DESC);
  CREATE INDEX sessions_by_activity ON sessions (last_at);
  CREATE INDEX sessions_open ON sessions (last_at DESC) WHERE ended_at IS NULL;
  CREATE TABLE discoveries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    discovery json NOT NULL,
    promoted_at bigint
  );
  CREATE TABLE changes (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    sessions bigint NOT NULL DEFAULT 0,
    discoveries bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 10);
  INSERT INTO changes DEFAULT VALUES;
  CREATE TABLE approvals (
    id text PRIMARY KEY,
    made_at bigint NOT NULL,
    request json NOT NULL,
    answer json,
    used_at bigint
  );
  CREATE INDEX approvals_by_time ON approvals (made_at DESC);
  CREATE TABLE keys (name text PRIMARY KEY, value bytea NOT NULL);
  CREATE TABLE handed_over (
    folder text,
    file text,
    position bigint NOT NULL,
    PRIMARY KEY (folder, file)
  );
  `,
];

/** Of all advisory locks in a database, the one of these tables. */
const LOCK = 7_346_152_091;

/** Every statement names its tables bare: the schema is that of the connection. */
export async function bringUpToDate(client: ClientBase, schema: string): Promise<void> {
  if ((await versionIn(client, schema)) === STEPS.length) return;
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`CREATE SCHEMA "${schema}"`);
    const version = await versionIn(client, schema);
    if (version > STEPS.length) {
      const what = `its tables are of version ${version}, this program knows ${STEPS.length}: update fieldguide`;
      throw new StoreError(`the database was made by a newer program; ${what}`, 'EVERSION', 'database');
    }
    if (version === 0) await client.query(`CREATE TABLE "${schema}".schema_version (version int NOT NULL)`);
    if (version === 0) await client.query(`INSERT INTO "${schema}".schema_version VALUES (0)`);
    for (const step of STEPS.slice(version)) await client.query(step);
    await client.query(`UPDATE "${schema}".schema_version SET version = $1`, [STEPS.length]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** 0: there is nothing yet. */
async function versionIn(client: ClientBase, schema: string): Promise<number> {
  const { rows } = await client.query('SELECT to_regclass($1) AS found', [`"${schema}".schema_version`]);
  if (rows[0]?.found === null) return 0;
  const read = await client.query(`SELECT version FROM "${schema}".schema_version`);
  return Number(read.rows[0]?.version ?? 0);
}
