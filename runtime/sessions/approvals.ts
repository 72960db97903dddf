// Requests for a person's approval, where several servers and the terminal see them: a file for the request, one
// for its answer, one for its use. The second and third are created only if they are not there, so of answers or
// calls that race exactly one counts, in whatever process; and a restart forgets nothing.

import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, refuseLinks, storeError } from './append-file.ts';
import { OpenJournal } from './read-file.ts';
import { encodeRecord, MOST_RECORD_BYTES, type Record } from './record.ts';
import { LIVE_FOLDER } from './record-event.ts';
import { StoreError } from './store.ts';
import { decodeRecords } from './stretch.ts';

export const APPROVAL_MS = 300_000;

export type ApprovalRequest = {
  id: string;
  /** When it was made. */
  t: number;
  tool: string;
  agent: string;
  /** What it was given, for the person who is asked. */
  given: { [name: string]: string | number };
  /** A hash of tool, arguments and agent: what an approval is good for. */
  binding: string;
};

export type ApprovalAnswer = { t: number; approved: boolean; message?: string | undefined; by: string };

export type Approval = {
  request: ApprovalRequest;
  answer: ApprovalAnswer | undefined;
  usedAt: number | undefined;
};

export interface Approvals {
  open(request: ApprovalRequest): Promise<void>;
  find(id: string): Promise<Approval | undefined>;
  /** True for the first answer, false for any after it. */
  answer(id: string, answer: ApprovalAnswer): Promise<boolean>;
  /** True for the first use, false for any after it. */
  use(id: string, t: number): Promise<boolean>;
  /** Newest first. */
  list(): Promise<Approval[]>;
  /** What the servers of this project sign with. */
  key(): Promise<Buffer>;
}

const ID = /^[A-Za-z0-9_-]{16,64}$/;
/** Old ones are of interest to nobody. */
const KEPT_MS = 24 * 60 * 60_000;
const MOST_FILES = 3000;
const KEY_BYTES = 32;

export class ApprovalFiles implements Approvals {
  readonly #folder: string;
  readonly #live: string;

  constructor(root: string) {
    this.#live = join(root, LIVE_FOLDER);
    this.#folder = join(this.#live, 'approvals');
  }

  async open(request: ApprovalRequest): Promise<void> {
    makeFolder(this.#live, 'approvals');
    this.#sweep(request.t);
    this.#create(request.id, 'request', { k: 'request', ...request });
  }

  async find(id: string): Promise<Approval | undefined> {
    if (!ID.test(id)) return undefined;
    const request = this.#read<ApprovalRequest>(id, 'request');
    if (request === undefined) return undefined;
    const used = this.#read<{ t: number }>(id, 'used');
    return { request, answer: this.#read<ApprovalAnswer>(id, 'answer'), usedAt: used?.t };
  }

  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    return this.#create(id, 'answer', { k: 'answer', ...answer });
  }

  async use(id: string, t: number): Promise<boolean> {
    return this.#create(id, 'used', { k: 'used', t });
  }

  async list(): Promise<Approval[]> {
    const found = await Promise.all(this.#ids().map((id) => this.find(id)));
    return found.filter((one) => one !== undefined).sort((a, b) => b.request.t - a.request.t);
  }

  /** Made by whoever needs it first. */
  async key(): Promise<Buffer> {
    makeFolder(this.#live, 'approvals');
    const file = join(this.#folder, 'key');
    try {
      linkedIntoPlace(file, randomBytes(KEY_BYTES));
      const key = readFileSync(file);
      if (key.length === KEY_BYTES) return key;
    } catch (error) {
      throw storeError(error);
    }
    throw new StoreError('the key of the approvals is damaged; remove .fieldguide/approvals/key', 'EINVAL');
  }

  /** False when it was there already. */
  #create(id: string, what: string, record: Record): boolean {
    refuseLinks(this.#live, 'approvals');
    try {
      return linkedIntoPlace(this.#file(id, what), encodeRecord(record));
    } catch (error) {
      throw storeError(error);
    }
  }

  #read<T>(id: string, what: string): T | undefined {
    const file = OpenJournal.open(this.#file(id, what));
    if (file === undefined) return undefined;
    try {
      const [found] = decodeRecords(file.read(0, MOST_RECORD_BYTES)).records;
      return found?.record as T | undefined;
    } finally {
      file.close();
    }
  }

  #file(id: string, what: string): string {
    if (!ID.test(id)) throw new Error('not the id of an approval');
    return join(this.#folder, `${id}.${what}`);
  }

  #ids(): string[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => name.endsWith('.request'));
      return names.slice(0, MOST_FILES).map((name) => name.slice(0, -'.request'.length));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw storeError(error);
    }
  }

  #sweep(now: number): void {
    for (const id of this.#ids()) {
      const request = this.#read<ApprovalRequest>(id, 'request');
      if (request !== undefined && now - request.t < KEPT_MS) continue;
      for (const what of ['used', 'answer', 'request']) remove(this.#file(id, what));
    }
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process was quicker, or it was never there.
  }
}

/** Written beside and linked into place, so nobody sees half of it; false when it was there already. */
function linkedIntoPlace(file: string, bytes: Uint8Array): boolean {
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(beside, 'wx', 0o600);
    try {
      if (writeSync(fd, bytes) < bytes.length) throw new StoreError('the disk is full', 'ENOSPC');
    } finally {
      closeSync(fd);
    }
    linkSync(beside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    remove(beside);
  }
}
