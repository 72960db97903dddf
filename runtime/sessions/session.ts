// A session as its events tell it: a pure fold. It ends by an event, or at its last activity once nothing
// happened for the idle time; a start after that, or work that goes on, is another run of the same session,
// and the time between two runs is not part of its duration. The same tool use counts once however often it
// is delivered. The idle time is a matter of who reads: whoever writes summaries (a hook) does not know it, so
// the state keeps silences by their length, and `sessionAt` decides which of them were breaks.

export type FileUse = { path: string; count: number; firstAt: number; lastAt: number };

/** What happens in a session; `t` in milliseconds. Everything else of a hook is left behind. */
export type SessionEvent =
  | { k: 'start'; t: number; client?: string }
  | { k: 'end'; t: number }
  | { k: 'archive'; t: number }
  /** A tool was used, on these files; `use` tells one use from another, undefined for files a person names. */
  | { k: 'touch'; t: number; use?: string; paths?: readonly string[] }
  | { k: 'topic'; t: number; text: string }
  | { k: 'discovery'; t: number; id: string };

/** What is known so far; kept as it is in summary records, so plain data only. */
export type SessionState = {
  startedAt: number;
  /** The last activity. */
  lastAt: number;
  /** When an event said that it ended. */
  endedAt?: number | undefined;
  archived?: boolean;
  /** Time between an end and the start after it. */
  awayMs: number;
  /** Silences: the whole minutes that each was longer than, and how long those were together. */
  silences: [minutes: number, ms: number][];
  client?: string | undefined;
  files: FileUse[];
  /** Files beyond those told apart. */
  otherFiles: number;
  topics: string[];
  toolCalls: number;
  discoveries: string[];
  /** The latest tool uses, to count each once. */
  uses: string[];
};

/** What a store has read of a session. */
export type ReadState = { state: SessionState; damaged: number };

export type SessionStatus = 'active' | 'completed' | 'archived';

export type Session = {
  id: string;
  startedAt: number;
  /** Undefined while it is active. */
  endedAt: number | undefined;
  lastAt: number;
  durationMs: number;
  status: SessionStatus;
  client: string | undefined;
  files: readonly FileUse[];
  fileCount: number;
  topics: readonly string[];
  toolCalls: number;
  discoveryCount: number;
  /** Records of its journal that could not be read. */
  damaged: number;
};

export const IDLE_MS = 30 * 60_000;
/** Hooks run side by side: work that arrives this soon after the end belongs before it. */
const LATE_MS = 60_000;
const MINUTE_MS = 60_000;
/** The longest idle time there can be. */
const MOST_IDLE_MINUTES = 10_080;
const MOST_FILES = 10_000;
const MOST_TOPICS = 1000;
const MOST_USES = 1000;

export function firstState(t: number): SessionState {
  return {
    startedAt: t,
    lastAt: t,
    awayMs: 0,
    silences: [],
    files: [],
    otherFiles: 0,
    topics: [],
    toolCalls: 0,
    discoveries: [],
    uses: [],
  };
}

/** Applies events in order, in place. Look-ups are made once for the whole run. */
export class Fold {
  readonly state: SessionState;
  readonly #files: Map<string, FileUse>;
  readonly #uses: Set<string>;
  readonly #topics: Set<string>;
  readonly #discoveries: Set<string>;

  constructor(state: SessionState) {
    this.state = state;
    this.#files = new Map(state.files.map((file) => [file.path, file]));
    this.#uses = new Set(state.uses);
    this.#topics = new Set(state.topics);
    this.#discoveries = new Set(state.discoveries);
  }

  apply(event: SessionEvent): void {
    const { state } = this;
    if (event.k === 'archive') state.archived = true;
    else if (event.k === 'end') this.#end(event.t);
    else this.#activity(event);
    if (event.k === 'start') state.client ??= event.client;
    else if (event.k === 'topic') this.#topic(event.text);
    else if (event.k === 'discovery') addOnce(this.#discoveries, state.discoveries, event.id);
    else if (event.k === 'touch') this.#touch(event);
  }

  /** An end that is delivered twice is the first of the two. */
  #end(t: number): void {
    const { state } = this;
    if (state.endedAt !== undefined) return;
    this.#silence(t - state.lastAt);
    state.endedAt = Math.max(state.lastAt, t);
  }

  /** Starts another run when the one before is over. */
  #activity({ k, t }: SessionEvent): void {
    const { state } = this;
    const { endedAt } = state;
    if (endedAt !== undefined && t > endedAt + (k === 'start' ? 0 : LATE_MS)) {
      state.awayMs += t - endedAt;
      state.endedAt = undefined;
      state.archived = false;
      state.lastAt = t;
      return;
    }
    if (endedAt === undefined) state.archived = false;
    const at = Math.min(t, endedAt ?? t);
    this.#silence(at - state.lastAt);
    state.lastAt = Math.max(state.lastAt, at);
  }

  #silence(ms: number): void {
    const minutes = Math.min(Math.ceil(ms / MINUTE_MS) - 1, MOST_IDLE_MINUTES);
    if (minutes < 1) return;
    const alike = this.state.silences.find(([known]) => known === minutes);
    if (alike === undefined) this.state.silences.push([minutes, ms]);
    else alike[1] += ms;
  }

  #touch({ t, use, paths = [] }: SessionEvent & { k: 'touch' }): void {
    const { state } = this;
    if (use !== undefined) {
      if (this.#uses.has(use)) return;
      this.#uses.add(use);
      state.uses.push(use);
      if (state.uses.length > MOST_USES) this.#uses.delete(state.uses.shift() as string);
      state.toolCalls++;
    }
    for (const path of paths) this.#file(path, t);
  }

  #file(path: string, t: number): void {
    const known = this.#files.get(path);
    if (known !== undefined) {
      known.count++;
      known.firstAt = Math.min(known.firstAt, t);
      known.lastAt = Math.max(known.lastAt, t);
    } else if (this.#files.size >= MOST_FILES) {
      this.state.otherFiles++;
    } else {
      const file = { path, count: 1, firstAt: t, lastAt: t };
      this.#files.set(path, file);
      this.state.files.push(file);
    }
  }

  #topic(text: string): void {
    if (this.state.topics.length < MOST_TOPICS) addOnce(this.#topics, this.state.topics, text);
  }
}

function addOnce(known: Set<string>, list: string[], value: string): void {
  if (known.has(value)) return;
  known.add(value);
  list.push(value);
}

/** The session as it is at `now`; `idleMs` is a number of whole minutes. */
export function sessionAt(id: string, { state, damaged }: ReadState, now: number, idleMs: number): Session {
  const isIdle = (state.endedAt ?? now) - state.lastAt > idleMs;
  const endedAt = isIdle ? state.lastAt : state.endedAt;
  const until = state.endedAt ?? endedAt ?? now;
  const breaks = state.silences.filter(([minutes]) => minutes * MINUTE_MS >= idleMs);
  const breakMs = breaks.reduce((sum, [, ms]) => sum + ms, state.awayMs);
  return {
    id,
    startedAt: state.startedAt,
    endedAt,
    lastAt: state.lastAt,
    durationMs: Math.max(0, until - state.startedAt - breakMs),
    status: endedAt === undefined ? 'active' : state.archived === true ? 'archived' : 'completed',
    client: state.client,
    files: state.files,
    fileCount: state.files.length + state.otherFiles,
    topics: state.topics,
    toolCalls: state.toolCalls,
    discoveryCount: state.discoveries.length,
    damaged,
  };
}
