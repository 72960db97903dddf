// One process's chain of lines. The lines of one tick leave in one write, beside the answers and not before them;
// what cannot be written is kept, within bounds, until it can, so that a full disk stops no read. What went beyond
// the bounds is counted, and a line says how much it was.

import { randomBytes } from 'node:crypto';
import { closeSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { VERSION } from '../version.ts';
import { encodeHead } from './head.ts';
import { type Body, encodeBody, encodeLine, hashOf } from './line.ts';
import { codeOf, isInPlace, isPassing, openPlace, type Place, placeProblem } from './place.ts';

/** `lost`: accesses that no line will tell of. */
export type AuditProblem = { code: string; since: number; lost: number };

type Waiting = { body: string; settle?: (error: unknown, number: number) => void };

const MOST_KEPT_BYTES = 1024 * 1024;
const TRY_AGAIN_MS = 1000;
const HEAD_EVERY_MS = 100;
/** Who waits for a line to be written waits so long. */
const MOST_WAITED_MS = 2000;
/** The file is no longer where it was. */
const MOVED = 'ENOENT';
const SLOW = 'ETIMEDOUT';

const writeBytes = promisify(write);

export class Chain {
  readonly #file: string;
  readonly #log: (line: string) => void;
  readonly #writer = randomBytes(8).toString('hex');
  #place: Place | undefined;
  #number = 0;
  #hash = '';
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #lostNow = 0;
  #lost = 0;
  #problem: { code: string; since: number } | undefined;
  #running: Promise<void> | undefined;
  #heads: Promise<void> = Promise.resolve();
  #headTimer: NodeJS.Timeout | undefined;
  #headAt = 0;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Throws when the place is none; a full disk is no reason to. */
  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
    try {
      this.#place = openPlace(file, this.#writer);
    } catch (error) {
      if (!isPassing(error)) throw new Error(placeProblem(file, error));
      this.#failed(codeOf(error));
    }
    this.add({ time: timeNow(), event: 'open', version: VERSION, pid: process.pid });
  }

  get problem(): AuditProblem | undefined {
    return this.#problem === undefined ? undefined : { ...this.#problem, lost: this.#lost };
  }

  add(body: Body): void {
    if (!this.#keep({ body: encodeBody(body) })) this.#lose();
    else if (this.#running === undefined && this.#retry === undefined) this.#running = this.#soon();
  }

  /** The number of the line once it is in the file; throws when it cannot be, and then it never will be. */
  async write(body: Body): Promise<number> {
    this.#lookAtPlace();
    if (this.#problem?.code === MOVED) throw Object.assign(new Error('moved'), { code: MOVED });
    return await new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#keepOnly(this.#waiting.filter((one) => one !== waiting));
        reject(Object.assign(new Error('not in time'), { code: SLOW }));
      }, MOST_WAITED_MS);
      const waiting: Waiting = {
        body: encodeBody(body),
        settle: (error, number) => {
          clearTimeout(late);
          if (error === undefined) resolve(number);
          else reject(error);
        },
      };
      this.#waiting.push(waiting);
      void this.#run();
    });
  }

  /** The last line, and the head that says so. Lines that still cannot be written are given up. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    let late: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      late = setTimeout(resolve, MOST_WAITED_MS);
    });
    await Promise.race([enough, this.#end()]);
    clearTimeout(late);
    const left = this.#waiting.length + this.#lostNow;
    if (left > 0) this.#log(`audit: the last ${left} lines could not be written.`);
  }

  async #end(): Promise<void> {
    await this.#run();
    this.#waiting.push({ body: encodeBody({ time: timeNow(), event: 'close' }) });
    await this.#run();
    clearTimeout(this.#headTimer);
    await this.#writeHead(this.#waiting.length === 0);
    if (this.#place !== undefined) for (const fd of [this.#place.fd, this.#place.headFd]) closeSync(fd);
    this.#place = undefined;
  }

  #keep(waiting: Waiting): boolean {
    if (this.#lostNow > 0 || this.#waitingBytes + waiting.body.length > MOST_KEPT_BYTES) return false;
    this.#waiting.push(waiting);
    this.#waitingBytes += waiting.body.length;
    return true;
  }

  #lose(): void {
    this.#lostNow++;
    this.#lost++;
    this.#failed(SLOW);
  }

  async #soon(): Promise<void> {
    await new Promise(setImmediate);
    this.#running = undefined;
    await this.#run();
  }

  /** Writes what waits; ends when nothing does, or when it failed. */
  async #run(): Promise<void> {
    if (this.#running === undefined && this.#waiting.length === 0 && this.#lostNow === 0) return;
    this.#running ??= this.#drain();
    await this.#running;
  }

  async #drain(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    while (this.#waiting.length > 0 || this.#lostNow > 0) {
      if (this.#waiting.length === 0) this.#tellOfLost();
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      const error = await this.#append(batch);
      if (error === undefined) continue;
      this.#failed(codeOf(error));
      this.#giveUpThoseThatWait(error);
      this.#retry = setTimeout(() => void this.#run(), TRY_AGAIN_MS).unref();
      this.#running = undefined;
      return;
    }
    this.#running = undefined;
    if (this.#problem?.code !== MOVED) this.#recovered();
  }

  #tellOfLost(): void {
    this.#waiting.push({ body: encodeBody({ time: timeNow(), event: 'gap', lost: this.#lostNow }) });
    this.#lostNow = 0;
  }

  /** Undefined when all of it is in the file; what is not waits again. */
  async #append(batch: readonly Waiting[]): Promise<unknown> {
    let done = 0;
    try {
      this.#place ??= openPlace(this.#file, this.#writer);
      const links: { end: number; hash: string }[] = [];
      let text = '\n';
      let end = 1;
      let hash = this.#hash;
      for (const [n, { body }] of batch.entries()) {
        const line = encodeLine(this.#writer, this.#number + n + 1, hash, body);
        hash = hashOf(line);
        text += `${line}\n`;
        end += Buffer.byteLength(line) + 1;
        links.push({ end, hash });
      }
      const { bytesWritten } = await writeBytes(this.#place.fd, Buffer.from(text), 0, end, null);
      for (const [n, link] of links.entries()) {
        if (link.end > bytesWritten) break;
        this.#number++;
        this.#hash = link.hash;
        batch[n]?.settle?.(undefined, this.#number);
        done++;
      }
      this.#noteHead();
      return bytesWritten === 0 ? Object.assign(new Error('nothing was written'), { code: 'ENOSPC' }) : undefined;
    } catch (error) {
      return error;
    } finally {
      this.#keepOnly([...batch.slice(done), ...this.#waiting]);
    }
  }

  #giveUpThoseThatWait(error: unknown): void {
    const all = this.#waiting;
    this.#keepOnly(all.filter(({ settle }) => settle === undefined));
    for (const { settle } of all) settle?.(error, 0);
  }

  #keepOnly(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#waitingBytes = waiting.reduce((sum, { body }) => sum + body.length, 0);
  }

  #noteHead(): void {
    if (this.#headTimer !== undefined || this.#isClosed) return;
    const wait = Math.max(0, this.#headAt + HEAD_EVERY_MS - Date.now());
    this.#headTimer = setTimeout(() => {
      this.#headTimer = undefined;
      this.#headAt = Date.now();
      void this.#writeHead(false);
    }, wait).unref();
  }

  async #writeHead(isClosed: boolean): Promise<void> {
    this.#heads = this.#heads.then(async () => {
      if (this.#place === undefined) return;
      const head = encodeHead({ writer: this.#writer, number: this.#number, hash: this.#hash, isClosed });
      try {
        await writeBytes(this.#place.headFd, head, 0, head.length, 0);
        this.#lookAtPlace();
      } catch (error) {
        this.#failed(codeOf(error));
      }
    });
    await this.#heads;
  }

  /** What is written to a file that was moved is still its chain; only, nobody may rely on it. */
  #lookAtPlace(): void {
    if (this.#place === undefined) return;
    if (!isInPlace(this.#file, this.#place)) this.#failed(MOVED);
    else if (this.#problem?.code === MOVED) this.#recovered();
  }

  /** Said once, until it is over. */
  #failed(code: string): void {
    if (this.#problem !== undefined) return;
    this.#problem = { code, since: Date.now() };
    const why = code === MOVED ? 'it was moved or removed' : code === SLOW ? 'the disk is too slow' : code;
    this.#log(
      `audit: ${this.#file} cannot be written (${why}). Reads go on; tools that change things are refused until it can be.`,
    );
  }

  #recovered(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#log(`audit: ${this.#file} is written again; ${this.#lost} accesses were not recorded.`);
  }
}

export function timeNow(): string {
  return new Date().toISOString();
}
