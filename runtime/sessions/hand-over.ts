// From the journal on this machine into the database. Hooks know nothing of databases: they write to the journal,
// whatever is away. Here every journal is taken over from the place up to which it was before; that place is kept
// in the database and moves in the same transaction as what it stands for, so each record counts once, however
// many hand over at the same time and wherever one of them is ended.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client, Database } from './database.ts';
import type { Notices } from './database-notices.ts';
import { applyRecords } from './hand-over-records.ts';
import { OpenJournal } from './read-file.ts';
import { MOST_RECORD_BYTES, NEWLINE } from './record.ts';
import { indexFileIn, LIVE_FOLDER, sessionFileIn } from './record-event.ts';
import { safeName, sessionIdOf } from './safe-name.ts';
import { decodeRecords } from './stretch.ts';

/** Handed over at once, so that no row is locked for long. */
const STEP_BYTES = 256 * 1024;
/** All journals are looked over that often; the one in use at every call. */
const LOOK_OVER_MS = 5000;
const SUM_BYTES = 9;
const PASSED = 'handed-over';
/** File systems keep times in coarse steps. */
const CLOCK_STEP_MS = 2000;
const ID = /^[0-9a-f]{32}$/;

export class HandOver {
  readonly #database: Database;
  readonly #notices: Notices;
  readonly #folder: string;
  readonly #own: string | undefined;
  /** Sizes up to which journals are known to be in the database. */
  readonly #done = new Map<string, number>();
  #lookedOver = 0;
  #running: Promise<void> | undefined;

  constructor(database: Database, notices: Notices, root: string, own: string | undefined) {
    this.#database = database;
    this.#notices = notices;
    this.#folder = join(root, LIVE_FOLDER);
    this.#own = own === undefined ? undefined : sessionFileIn(this.#folder, sessionIdOf(own));
  }

  /** What is new in the session of the asking client, and now and then in all of them. Throws StoreError. */
  async catchUp(): Promise<void> {
    const isDue = Date.now() - this.#lookedOver >= LOOK_OVER_MS;
    if (isDue) await this.all();
    else if (this.#own !== undefined && this.#isNew(this.#own))
      await this.#inTurn(() => this.#file(this.#own as string));
  }

  /** Everything that stands in journals here; gives how many of them had something new. */
  async all(): Promise<number> {
    const now = Date.now();
    this.#lookedOver = now;
    const before = this.#passedAt() - CLOCK_STEP_MS;
    const files = this.#files().filter((file) => this.#isNew(file, before));
    if (files.length === 0) return 0;
    await this.#inTurn(async () => {
      for (const file of files) await this.#file(file);
    });
    this.#keepPass(now);
    return files.length;
  }

  /** One after the other: the second finds little left. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    await this.#running?.catch(() => {});
    const running = work().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    await running;
  }

  #files(): string[] {
    const sessions = join(this.#folder, 'sessions');
    let names: string[] = [];
    try {
      names = readdirSync(sessions).filter((name) => name.endsWith('.journal'));
    } catch {
      // There is no journal, as on a machine where nobody works.
    }
    return [...names.map((name) => join(sessions, name)), join(this.#folder, 'discoveries.journal')];
  }

  #isNew(file: string, since = 0): boolean {
    const { size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return size > SUM_BYTES && mtimeMs >= since && size !== this.#done.get(file);
  }

  /** When all was handed over to this very database: what has not changed since need not be opened. */
  #passedAt(): number {
    const [place, at] = readText(join(this.#folder, PASSED)).split(' ');
    return place === this.#database.place ? Number(at) : 0;
  }

  #keepPass(at: number): void {
    try {
      writeFileSync(join(this.#folder, PASSED), `${this.#database.place} ${at}`);
    } catch {
      // Then everything is looked at the next time, too.
    }
  }

  async #file(file: string): Promise<void> {
    const journal = OpenJournal.open(file);
    if (journal === undefined) return;
    try {
      const key = { folder: this.#folderId(), file: keyOf(file, journal) };
      const id = this.#sessionIn(file);
      while (await this.#database.transaction((client) => this.#step(client, journal, key, id)));
      this.#done.set(file, journal.size);
    } finally {
      journal.close();
    }
  }

  /** True while there may be more. */
  async #step(client: Client, journal: OpenJournal, key: Key, id: string | undefined): Promise<boolean> {
    const values = [key.folder, key.file];
    await client.query('INSERT INTO handed_over VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', values);
    const { rows } = await client.query<{ position: number }>(
      'SELECT position FROM handed_over WHERE folder = $1 AND file = $2 FOR UPDATE',
      values,
    );
    const from = rows[0]?.position ?? 0;
    const { bytes, to } = stretchFrom(journal, from);
    if (to <= from) return false;
    const changed = await applyRecords(
      client,
      id,
      decodeRecords(bytes).records.map(({ record }) => record),
    );
    await client.query('UPDATE handed_over SET position = $3 WHERE folder = $1 AND file = $2', [...values, to]);
    for (const what of changed) await this.#notices.tell(client, what);
    return true;
  }

  /** Names are hashes of ids that are not plain; the index knows those. */
  #sessionIn(file: string): string | undefined {
    const name = basename(file, '.journal');
    if (file === join(this.#folder, 'discoveries.journal')) return undefined;
    if (!name.startsWith('_')) return name;
    const index = OpenJournal.open(indexFileIn(this.#folder));
    let found: string | undefined;
    try {
      index?.forward(0, (record) => {
        const { id } = record as { id?: unknown };
        if (typeof id === 'string' && safeName(id) === name) found = sessionIdOf(id);
      });
    } finally {
      index?.close();
    }
    return found ?? name.slice(1);
  }

  /** Tells this folder from any other, and from a copy of itself. */
  #folderId(): string {
    const file = join(this.#folder, 'folder-id');
    try {
      writeFileSync(file, randomBytes(16).toString('hex'), { flag: 'wx' });
    } catch {
      // It has one, or nothing can be written here.
    }
    const said = readText(file);
    return ID.test(said) ? `${said}-${statSync(file).ino}` : `at ${statSync(this.#folder).ino}`;
  }
}

type Key = { folder: string; file: string };

/** A journal that was removed and begun anew is another one: its first record is. */
function keyOf(file: string, journal: OpenJournal): string {
  return `${basename(file)} ${journal.read(0, SUM_BYTES).toString('latin1').trim()}`;
}

/** Whole lines only; a line longer than any record is passed over. */
function stretchFrom(journal: OpenJournal, from: number): { bytes: Buffer; to: number } {
  for (const length of [STEP_BYTES, MOST_RECORD_BYTES * 2]) {
    const bytes = journal.read(from, from + length);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    if (whole > 0) return { bytes: bytes.subarray(0, whole), to: from + whole };
    if (bytes.length < length) return { bytes: Buffer.alloc(0), to: from };
  }
  return { bytes: Buffer.alloc(0), to: from + MOST_RECORD_BYTES * 2 };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
