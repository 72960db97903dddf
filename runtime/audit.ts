// Who read what: one line for each access, never content, queries, arguments or tokens. Loaded only when it is
// asked for; what follows a request stands in wire/dispatch.ts and wire/message.ts, the same for every mount.

import type { Part } from './answer.ts';
import { type AuditProblem, Chain, timeNow } from './audit/chain.ts';
import { hashOf } from './audit/line.ts';
import { targetOf } from './audit/target.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { advise } from './later-advice.ts';
import { sessionIdOf } from './sessions/safe-name.ts';
import type { Outcome, Request } from './wire/dispatch.ts';

/** One request that is being answered. */
export type Audited = {
  /** Called once, when the message is made that goes out. */
  answered(outcome: Outcome, parts: readonly Part[]): void;
};

/** What a line says. Refusals at the door have no agent, and may have no method. */
export type AuditEntry = {
  agent?: string | undefined;
  session?: string | undefined;
  method?: string | undefined;
  name?: string | undefined;
  uri?: string | undefined;
  /** `ok`, or the word of the failure. */
  outcome: string;
  bytes?: number | undefined;
  ms?: number | undefined;
  digest?: string | undefined;
  /** The number of the line that announced it. */
  announced?: number | undefined;
};

/** These show nothing of what is served but how to begin. Whatever else there will be is an access. */
const NO_ACCESS = ['initialize', 'ping', 'server/discover', 'resources/unsubscribe'];
const METHOD = /^[a-z]{1,20}(?:\/[a-z_]{1,20}){0,2}$/i;
const HASH_DIGITS = 12;

type Begun = { entry: Omit<AuditEntry, 'outcome'>; startedMs: number };

export class Audit {
  readonly #chain: Chain;
  readonly #session: string | undefined;
  readonly #begun = new WeakMap<object, Begun>();

  private constructor(chain: Chain, session: string | undefined) {
    this.#chain = chain;
    this.#session = session;
  }

  /** Throws when the file is none to write to. */
  static open(file: string, log: (line: string) => void): Audit {
    return new Audit(new Chain(file, log), undefined);
  }

  /** The same audit for a client that is known by a handle; that is as good as a password, so a hash stands for it. */
  inSession(handle: string): Audit {
    return new Audit(this.#chain, `mcp-${hashOf(handle).slice(0, HASH_DIGITS)}`);
  }

  /** Why nothing can be written now; undefined when all is well. */
  get problem(): AuditProblem | undefined {
    return this.#chain.problem;
  }

  record({
    agent,
    session = this.#session,
    method,
    name,
    uri,
    outcome,
    bytes,
    ms,
    digest,
    announced,
  }: AuditEntry): void {
    const time = timeNow();
    this.#chain.add({ time, agent, session, method, name, uri, outcome, bytes, ms, digest, announced });
  }

  /** Undefined for what is no access. */
  begin(context: Context, { method, params }: Request): Audited | undefined {
    if (NO_ACCESS.includes(method)) return undefined;
    const { access, bundle, live } = context;
    const entry: Begun['entry'] = {
      agent: access.agent ?? 'local',
      session: this.#session ?? (live.own === undefined ? undefined : sessionIdOf(live.own)),
      method: METHOD.test(method) ? method : undefined,
      ...targetOf(method, params),
    };
    const begun = { entry, startedMs: performance.now() };
    this.#begun.set(params, begun);
    return {
      answered: (outcome, parts) => {
        const ms = Math.round((performance.now() - begun.startedMs) * 100) / 100;
        const digest = bundle.digest?.slice(0, HASH_DIGITS);
        this.record({ ...begun.entry, outcome: wordOf(outcome), bytes: bytesOf(parts), ms, digest });
      },
    };
  }

  /** Before a call that changes something runs, a line says so: without one it does not run. */
  async announce(params: object): Promise<void> {
    const begun = this.#begun.get(params);
    try {
      const announced = await this.#chain.write({ time: timeNow(), ...begun?.entry, outcome: 'begun' });
      if (begun !== undefined) begun.entry = { ...begun.entry, announced };
    } catch (error) {
      throw new Failure('store', 'Not audited', {
        word: 'not_audited',
        reason: `What changes things runs only when it can be audited, and it cannot (${(error as NodeJS.ErrnoException).code}).`,
        ...advise('audit'),
      });
    }
  }

  /** What was answered is in the file, and the chain has its end. */
  async close(): Promise<void> {
    await this.#chain.close();
  }
}

function wordOf(outcome: Outcome): string {
  if ('error' in outcome) return String(outcome.error.data.kind);
  return outcome.answer.failed ?? outcome.answer.resultType ?? 'ok';
}

function bytesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length), 0);
}
