// Requests for a person's approval where several servers see them. Of answers or calls that race, in whatever
// process on whatever machine, the row decides: exactly one finds it unanswered or unused.

import { randomBytes } from 'node:crypto';
import type { Approval, ApprovalAnswer, ApprovalRequest, Approvals } from './approvals.ts';
import type { Database } from './database.ts';

type Row = { request: ApprovalRequest; answer: ApprovalAnswer | null; used_at: number | null };

const ID = /^[A-Za-z0-9_-]{16,64}$/;
/** Old ones are of interest to nobody. */
const KEPT_MS = 24 * 60 * 60_000;
const MOST_LISTED = 3000;
const KEY_BYTES = 32;
const KEY_NAME = 'approvals';

export class DatabaseApprovals implements Approvals {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(request: ApprovalRequest): Promise<void> {
    await this.#database.transaction(async (client) => {
      await client.query('DELETE FROM approvals WHERE made_at < $1', [request.t - KEPT_MS]);
      await client.query('INSERT INTO approvals (id, made_at, request) VALUES ($1, $2, $3)', [
        request.id,
        request.t,
        JSON.stringify(request),
      ]);
    });
  }

  async find(id: string): Promise<Approval | undefined> {
    if (!ID.test(id)) return undefined;
    const [row] = await this.#database.ask<Row>('SELECT request, answer, used_at FROM approvals WHERE id = $1', [id]);
    return row === undefined ? undefined : approval(row);
  }

  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    const text = JSON.stringify(answer);
    const set = 'UPDATE approvals SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING id';
    return (await this.#database.ask(set, [id, text])).length === 1;
  }

  async use(id: string, t: number): Promise<boolean> {
    const set = 'UPDATE approvals SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id';
    return (await this.#database.ask(set, [id, t])).length === 1;
  }

  async list(): Promise<Approval[]> {
    const rows = await this.#database.ask<Row>(
      'SELECT request, answer, used_at FROM approvals ORDER BY made_at DESC LIMIT $1',
      [MOST_LISTED],
    );
    return rows.map(approval);
  }

  /** Made by whichever server needs it first. */
  async key(): Promise<Buffer> {
    return await this.#database.with(async (client) => {
      await client.query('INSERT INTO keys (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        KEY_NAME,
        randomBytes(KEY_BYTES),
      ]);
      const { rows } = await client.query<{ value: Buffer }>('SELECT value FROM keys WHERE name = $1', [KEY_NAME]);
      return rows[0]?.value as Buffer;
    });
  }
}

function approval({ request, answer, used_at: usedAt }: Row): Approval {
  return { request, answer: answer ?? undefined, usedAt: usedAt ?? undefined };
}
