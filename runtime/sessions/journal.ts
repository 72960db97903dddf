// Sessions in the project's own folder, `.fieldguide/`: a file for each session, an index that names them in
// the order of their beginning, a file of all discoveries. Nothing is rewritten, rotated or locked; the latest
// are found from the end of the index. Reading works where nothing can be written.

import { statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { appendTo, storeError } from './append-file.ts';
import { type DiscoveryRecord, isDiscovery, isPromoted, type PromotedRecord } from './discovery-records.ts';
import { OpenJournal } from './read-file.ts';
import { encodeRecord, type Record } from './record.ts';
import { type IndexRecord, indexFileIn, inFolder, LIVE_FOLDER, recordEvent, sessionFileIn } from './record-event.ts';
import { sessionIdOf } from './safe-name.ts';
import { IDLE_MS, type Session, type SessionEvent, sessionAt } from './session.ts';
import { readState } from './session-file.ts';
import { type Discovery, type Pruned, type SessionStore, StoreError } from './store.ts';

export type JournalOptions = { root: string; idleMs?: number | undefined; now?: () => number };

/** A session that began so many others ago is no longer looked for among the active ones. */
const MOST_LOOKED_AT = 200;
/** File systems keep times in coarse steps: of files changed within one, their own records tell the latest. */
const CLOCK_STEP_MS = 50;
const INDEX_TAIL_BYTES = 16 * 1024 * 1024;
/** Of one record, so that it stays far below the longest that is read. */
const MOST_IDS = 500;

export class Journal implements SessionStore {
  readonly #folder: string;
  readonly #idleMs: number;
  readonly #now: () => number;
  #discoveries: { key: string; consumed: number; byId: Map<string, Discovery>; list: readonly Discovery[] } | undefined;

  constructor({ root, idleMs = IDLE_MS, now = Date.now }: JournalOptions) {
    this.#folder = join(root, LIVE_FOLDER);
    this.#idleMs = idleMs;
    this.#now = now;
  }

  async append(sessionId: string, event: SessionEvent): Promise<void> {
    await recordEvent(this.#folder, sessionId, event);
  }

  /** The file of discoveries is what counts; that the session had one more is noted if it can be. */
  async discover({ at, promotedAt: _, ...discovery }: Discovery): Promise<void> {
    const sessionId = sessionIdOf(discovery.sessionId);
    const record: DiscoveryRecord = { k: 'discovered', t: at, ...discovery, sessionId };
    inFolder(this.#folder, () => appendTo(this.#discoveriesFile, encodeRecord(record)));
    try {
      await this.append(sessionId, { k: 'discovery', t: at, id: discovery.id });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  async promoted(ids: readonly string[], at: number): Promise<void> {
    for (let n = 0; n < ids.length; n += MOST_IDS) {
      const record: PromotedRecord = { k: 'promoted', t: at, ids: ids.slice(n, n + MOST_IDS) };
      inFolder(this.#folder, () => appendTo(this.#discoveriesFile, encodeRecord(record)));
    }
  }

  async find(sessionId: string): Promise<Session | undefined> {
    return this.#find(sessionIdOf(sessionId));
  }

  async current(own: string | undefined): Promise<Session | undefined> {
    const asking = own === undefined ? undefined : await this.find(own);
    if (asking !== undefined) return asking.status === 'active' ? asking : undefined;
    const latest = this.#latestIds(MOST_LOOKED_AT)
      .map((id) => ({ id, changedAt: this.#stat(this.#fileOf(id))?.mtimeMs ?? 0 }))
      .sort((a, b) => b.changedAt - a.changedAt);
    let found: { session: Session; changedAt: number } | undefined;
    for (const { id, changedAt } of latest) {
      if (found !== undefined && changedAt < found.changedAt - CLOCK_STEP_MS) break;
      const session = await this.find(id);
      if (session?.status !== 'active') continue;
      if (found === undefined || session.lastAt > found.session.lastAt) found = { session, changedAt };
    }
    return found?.session;
  }

  async recent(limit: number): Promise<Session[]> {
    const sessions: Session[] = [];
    this.#latestIds(limit + MOST_LOOKED_AT, (id) => {
      const session = this.#find(id);
      if (session !== undefined) sessions.push(session);
      return sessions.length < limit;
    });
    return sessions.sort((a, b) => b.startedAt - a.startedAt);
  }

  discoveries(): readonly Discovery[] {
    const key = keyOf(this.#stat(this.#discoveriesFile));
    if (this.#discoveries?.key !== key) this.#readDiscoveries();
    return this.#discoveries?.list ?? [];
  }

  async prune(archiveBefore: number, removeBefore: number, dryRun = false): Promise<Pruned> {
    const pruned: Pruned = { archived: 0, removed: 0 };
    for (const id of this.#latestIds(Number.POSITIVE_INFINITY)) {
      const { status, endedAt } = (await this.find(id)) ?? {};
      if (endedAt === undefined) continue;
      if (endedAt < removeBefore) {
        if (!dryRun) this.#remove(this.#fileOf(id));
        pruned.removed++;
      } else if (endedAt < archiveBefore && status !== 'archived') {
        if (!dryRun) await this.append(id, { k: 'archive', t: this.#now() });
        pruned.archived++;
      }
    }
    return pruned;
  }

  async version(own: string | undefined): Promise<string> {
    const files = [this.#indexFile, this.#discoveriesFile, ...this.#latestIds(100).map((id) => this.#fileOf(id))];
    const current = await this.current(own);
    return [current?.id, ...files.map((file) => keyOf(this.#stat(file)))].join('\n');
  }

  #find(id: string): Session | undefined {
    const found = readState(this.#fileOf(id));
    return found === undefined ? undefined : sessionAt(id, found, this.#now(), this.#idleMs);
  }

  get #indexFile(): string {
    return indexFileIn(this.#folder);
  }

  get #discoveriesFile(): string {
    return join(this.#folder, 'discoveries.journal');
  }

  #fileOf(id: string): string {
    return sessionFileIn(this.#folder, id);
  }

  /** Newest first, each once, until there are enough of them. */
  #latestIds(most: number, goOn: (id: string) => boolean = () => true): string[] {
    const ids = new Set<string>();
    const index = OpenJournal.open(this.#indexFile);
    if (index === undefined) return [];
    try {
      index.backward(INDEX_TAIL_BYTES, (record) => {
        if (!isIndexRecord(record) || ids.has(record.id)) return true;
        ids.add(record.id);
        return goOn(record.id) && ids.size < most;
      });
    } finally {
      index.close();
    }
    return [...ids];
  }

  /** What was read before is not read again while the file only grows. */
  #readDiscoveries(): void {
    const journal = OpenJournal.open(this.#discoveriesFile);
    if (journal === undefined) {
      this.#discoveries = undefined;
      return;
    }
    try {
      const before = this.#discoveries;
      const isGrown = before !== undefined && sameFile(before.key, journal.key) && journal.size >= before.consumed;
      const byId = isGrown ? before.byId : new Map<string, Discovery>();
      const take = (record: Record): void => {
        if (isPromoted(record)) for (const id of record.ids) markPromoted(byId, id, record.t);
        if (!isDiscovery(record)) return;
        const { k: _, t, ...discovery } = record;
        if (!byId.has(record.id)) byId.set(record.id, { ...discovery, at: t });
      };
      const { consumed, tail } = journal.forward(isGrown ? before.consumed : 0, take);
      if (tail !== undefined) take(tail);
      this.#discoveries = { key: journal.key, consumed, byId, list: [...byId.values()] };
    } finally {
      journal.close();
    }
  }

  #stat(file: string) {
    try {
      return statSync(file, { throwIfNoEntry: false });
    } catch (error) {
      throw storeError(error);
    }
  }

  #remove(file: string): void {
    try {
      unlinkSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw storeError(error);
    }
  }
}

function keyOf(stats: { dev: number; ino: number; size: number; mtimeMs: number } | undefined): string {
  return stats === undefined ? '' : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

/** Device and inode. */
function sameFile(a: string, b: string): boolean {
  return a.split(' ', 2).join(' ') === b.split(' ', 2).join(' ');
}

function isIndexRecord(record: Record): record is IndexRecord {
  return record.k === 'session' && typeof (record as Partial<IndexRecord>).id === 'string';
}

function markPromoted(byId: Map<string, Discovery>, id: string, at: number): void {
  const known = byId.get(id);
  if (known !== undefined && known.promotedAt === undefined) byId.set(id, { ...known, promotedAt: at });
}
