// One group: at most one connection, opened when it is first needed and again when it was lost; limits of time and
// number around every request; and what was answered, for as long as it may be kept. Whatever happens to it happens to
// it alone.

import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from 'cockatiel';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { Feature, Settings, UpstreamSettings } from '../settings.ts';
import type { UpstreamNotice, UpstreamsDoor } from './door.ts';
import { Kept, keyOf } from './kept.ts';
import type { Link, LinkEra } from './link.ts';
import { isOutage, lost, noAnswer, Outage } from './outage.ts';
import type { RawAnswer } from './through.ts';
import { checkTrust } from './trust.ts';
import { Wanted } from './wanted.ts';

const MOST_IN_FLIGHT = 16;
const MOST_WAITING = 64;
/** A program may have to be fetched first; the request that waits for it has its own, shorter time. */
const CONNECT_MS = 60_000;
const FAILURES_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Asking again changes nothing there. */
const READING = new Set(['resources/list', 'resources/templates/list', 'resources/read', 'prompts/list', 'tools/list']);

type Params = Record<string, unknown>;

export class Group {
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly #all: Settings;
  readonly #door: UpstreamsDoor;
  readonly #log: (line: string) => void;
  readonly #kept: Kept;
  readonly #underWay = new Map<string, Promise<RawAnswer>>();
  readonly #inFlight = bulkhead(MOST_IN_FLIGHT, MOST_WAITING);
  readonly #breaker = circuitBreaker(
    handleWhen((error) => !isOutage(error) || error.detail.isOurs !== true),
    {
      breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
      halfOpenAfter: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: LONGEST_PAUSE_MS }),
    },
  );
  readonly wanted: Wanted;
  #link: Link | undefined;
  #connecting: Promise<Link> | undefined;
  #era: LinkEra | undefined;
  #failure: { outage: Outage; at: number } | undefined;
  /** How often in a row a connection ended soon after it was opened, and until when that is a reason to wait. */
  #deaths = { count: 0, waitUntil: 0 };
  #openedAt = 0;
  /** Notices so far: what was asked for before one may be of the time before it. */
  #changes = 0;
  readonly #ending = new AbortController();

  constructor(settings: UpstreamSettings, all: Settings, door: UpstreamsDoor, log: (line: string) => void) {
    this.name = settings.group;
    this.settings = settings;
    this.#all = all;
    this.#door = door;
    this.#log = log;
    this.#kept = new Kept(settings.cacheTtlMs);
    this.wanted = new Wanted(async (uris) => {
      if (uris.length === 0) return await this.#link?.want(uris, settings.timeoutMs.resources);
      await (await this.#connected()).want(uris, settings.timeoutMs.resources);
    });
    this.#breaker.onBreak(() => {
      void this.#link?.close();
      this.#link = undefined;
    });
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /** It failed so short a while ago that asking again would only take time. */
  failedWithin(ms: number): Outage | undefined {
    const { at, outage } = this.#failure ?? { at: Number.NEGATIVE_INFINITY };
    return performance.now() - at < ms ? outage : undefined;
  }

  /** Connected within the time of a feature; throws Outage. */
  async connect(feature: Feature): Promise<Link> {
    // That there is a connection says nothing of whether questions on it are answered.
    if (this.#link !== undefined) return this.#link;
    return await this.#guarded(this.settings.timeoutMs[feature], () => this.#connected());
  }

  /** The server's own answer; throws Outage when there is none. */
  async ask(feature: Feature, method: string, params: Params): Promise<RawAnswer> {
    if (!READING.has(method)) return await this.#ask(feature, method, params);
    const result = this.#kept.find(method, params);
    if (result !== undefined) return { result };
    const key = keyOf(method, params);
    const known = this.#underWay.get(key);
    if (known !== undefined) return await known;
    const answer = this.#ask(feature, method, params).finally(() => {
      if (this.#underWay.get(key) === answer) this.#underWay.delete(key);
    });
    this.#underWay.set(key, answer);
    return await answer;
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.wanted.end();
    const connecting = this.#connecting;
    await this.#link?.close();
    await connecting?.then((link) => link.close()).catch(() => {});
  }

  async #ask(feature: Feature, method: string, params: Params): Promise<RawAnswer> {
    const withinMs = this.settings.timeoutMs[feature];
    checkWritable(params);
    return await this.#guarded(withinMs, async () => {
      const before = this.#link;
      try {
        return await this.#once(method, params, withinMs);
      } catch (error) {
        if (!isOutage(error) || error.detail.isLost !== true) throw error;
        if (before === undefined || before === this.#link) this.#drop();
        if (before === undefined || !READING.has(method)) throw error;
        return await this.#once(method, params, withinMs);
      }
    });
  }

  async #once(method: string, params: Params, withinMs: number): Promise<RawAnswer> {
    const link = await this.#connected();
    const changes = this.#changes;
    const answer = await link.request(method, params, withinMs);
    if ('result' in answer && READING.has(method) && changes === this.#changes) {
      const bytes = this.#mayKeep(answer.result) ? Buffer.byteLength(JSON.stringify(answer.result)) : Infinity;
      this.#kept.keep(method, params, answer.result, bytes);
    }
    return answer;
  }

  #mayKeep({ ttlMs }: Params): boolean {
    return (this.settings.cacheTtlMs ?? ttlMs ?? 0) !== 0;
  }

  /** One at a time of those that come too many; none at all while it is given time to recover. */
  async #guarded<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
    try {
      const done = await this.#inFlight.execute(() => this.#breaker.execute(() => inTime(work(), withinMs)));
      this.#failure = undefined;
      return done;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    if (error instanceof BulkheadRejectedError) {
      const reason = `${MOST_IN_FLIGHT} requests are under way, and ${MOST_WAITING} wait.`;
      return new Outage({ brief: 'is busy', reason, word: 'busy', isOurs: true });
    }
    if (error instanceof BrokenCircuitError) return this.#resting();
    if (!isOutage(error)) return error;
    if (this.#failure?.outage.message !== error.message) this.#log(`upstream ${this.name}: ${error.message}`);
    this.#failure = { outage: error, at: performance.now() };
    return error;
  }

  /** While it is given time to recover: what it failed with. */
  #resting(): Outage {
    const { reason, word } = this.#failure?.outage.detail ?? lost('It failed.').detail;
    const again = ' It is tried again in a while.';
    const detail = { brief: 'is not connected', reason: reason.replace(again, '') + again, isOurs: true } as const;
    return new Outage(word === undefined ? detail : { ...detail, word });
  }

  async #connected(): Promise<Link> {
    if (this.#link !== undefined) return this.#link;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    this.#connecting.catch(() => {});
    return await this.#connecting;
  }

  async #open(): Promise<Link> {
    if (this.#ending.signal.aborted) throw lost('This server ends.');
    if (performance.now() < this.#deaths.waitUntil) throw this.#resting();
    checkTrust(this.settings, this.#all, this.#door);
    const { openLink } = await import('./open-link.ts');
    const { root, env } = this.#door;
    const where = { root, env, era: this.#era, ending: this.#ending.signal };
    let opened: Link | undefined;
    const link = await openLink(this.settings, where, CONNECT_MS, {
      heard: (method, params) => this.#heard(method, params),
      closed: (reason) => this.#closed(opened, reason),
      log: this.#log,
    });
    opened = link;
    if (this.#ending.signal.aborted) await link.close();
    this.#era = link.era;
    this.#link = link;
    this.#openedAt = performance.now();
    this.#kept.drop(() => true);
    if (this.wanted.size > 0) this.wanted.tellAgain();
    return link;
  }

  #drop(): void {
    const link = this.#link;
    this.#link = undefined;
    void link?.close();
  }

  #closed(link: Link | undefined, reason: string): void {
    if (link === undefined || this.#link !== link) return;
    this.#link = undefined;
    this.#failure = { outage: lost(reason), at: performance.now() };
    this.#countDeath();
    this.#log(`upstream ${this.name}: ${reason}${link.lastWords === '' ? '' : ` It said: ${link.lastWords}`}`);
    if (this.wanted.size > 0 && !this.#ending.signal.aborted) this.wanted.tellAgain(FIRST_PAUSE_MS);
  }

  /** The first may be an accident; from the second on it is left alone for ever longer. */
  #countDeath(): void {
    const now = performance.now();
    const count = now - this.#openedAt > LONGEST_PAUSE_MS ? 1 : this.#deaths.count + 1;
    const pauseMs = count === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (count - 2), LONGEST_PAUSE_MS);
    this.#deaths = { count, waitUntil: now + pauseMs };
  }

  #heard(method: string, { uri }: Params): void {
    this.#changes++;
    this.#underWay.clear();
    if (method === 'notifications/resources/updated') {
      if (typeof uri !== 'string') return;
      this.#kept.drop((entry) => entry.method === 'resources/read' && entry.uri === uri);
      if (this.wanted.has(uri)) this.#tell({ kind: 'updated', group: this.name, original: uri });
      return;
    }
    const list = method.split('/')[1] as 'resources' | 'prompts' | 'tools';
    this.#kept.drop((entry) => entry.method.startsWith(`${list}/`) && entry.method !== 'resources/read');
    if (this.settings.features[list]) this.#tell({ kind: 'listChanged', list });
  }

  #tell(notice: UpstreamNotice): void {
    for (const listener of this.#door.listeners) listener(notice);
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(ms)), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What cannot be written would look like a connection that failed, which others use. */
function checkWritable(params: Params): void {
  try {
    JSON.stringify(params);
  } catch {
    throw new Failure('invalid_params', 'Invalid arguments', {
      reason: 'They are nested too deeply.',
      ...advise('toolArguments'),
    });
  }
}
