// What was discovered, kept in memory as it stood in the database when it was last asked: answers from the bundle
// are laid over with it and never wait. Whoever needs it exactly has it compared first.

import type { Database } from './database.ts';
import { DISCOVERY_TYPES, type Discovery } from './store.ts';

type Row = { discovery: Discovery | null; promoted_at: number | null; version: number };

export class Discovered {
  readonly #database: Database;
  #list: readonly Discovery[] = [];
  #byId = new Map<string, Discovery>();
  #version = -1;
  #reading: Promise<readonly Discovery[]> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  known(): readonly Discovery[] {
    return this.#list;
  }

  /** As it is now; throws StoreError. */
  async read(): Promise<readonly Discovery[]> {
    const [row] = await this.#database.ask<{ discoveries: number }>('SELECT discoveries FROM changes');
    return row?.discoveries === this.#version ? this.#list : await this.#readAll();
  }

  /** The counter is said to be this now. */
  async heard(version: number): Promise<void> {
    if (version !== this.#version) await this.lookAgain();
  }

  /** Asked by several, it is read once more after the last of them asked. */
  async lookAgain(): Promise<void> {
    await this.#reading?.catch(() => {});
    this.#reading ??= this.read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading.catch(() => {});
  }

  /** One statement, so that the list and its version belong together. */
  async #readAll(): Promise<readonly Discovery[]> {
    const rows = await this.#database.ask<Row>(
      `SELECT c.discoveries AS version, d.discovery, d.promoted_at
       FROM changes c LEFT JOIN discoveries d ON true ORDER BY d.number`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < this.#version) return this.#list;
    const byId = new Map<string, Discovery>();
    for (const { discovery, promoted_at: promotedAt } of rows) {
      if (discovery === null || !isDiscovery(discovery)) continue;
      const before = this.#byId.get(discovery.id);
      const isSame = before !== undefined && (before.promotedAt ?? null) === promotedAt;
      const now = promotedAt === null ? discovery : { ...discovery, promotedAt };
      byId.set(discovery.id, isSame ? before : now);
    }
    this.#byId = byId;
    this.#list = [...byId.values()];
    this.#version = version;
    return this.#list;
  }
}

/** Others may write to the database, too. */
function isDiscovery(value: unknown): value is Discovery {
  const { id, sessionId, at, type, content, module = '', solution = '' } = Object(value) as Partial<Discovery>;
  const areTexts = [id, sessionId, content, module, solution].every((text) => typeof text === 'string');
  return areTexts && Number.isFinite(at) && DISCOVERY_TYPES.some((known) => known === type);
}
