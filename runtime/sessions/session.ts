// A session as its events tell it: a pure fold. It ends by an event, or at its last activity once nothing
// happened for the idle time; a start after that, or work that goes on, is another run of the same session,
// and the time between two runs is not part of its duration. The same tool use counts once however often it
// is delivered.

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
  runAt: number;
  lastAt: number;
  endedAt?: number | undefined;
  archived?: boolean;
  /** Duration of the runs before this one. */
  earlierMs: number;
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
const MOST_FILES = 10_000;
const MOST_TOPICS = 1000;
const MOST_USES = 1000;

export function firstState(t: number): SessionState {
  return {
    startedAt: t,
    runAt: t,
    lastAt: t,
    earlierMs: 0,
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
  readonly #idleMs: number;
  readonly #files: Map<string, FileUse>;
  readonly #uses: Set<string>;
  readonly #topics: Set<string>;
  readonly #discoveries: Set<string>;

  constructor(state: SessionState, idleMs: number) {
    this.state = state;
    this.#idleMs = idleMs;
    this.#files = new Map(state.files.map((file) => [file.path, file]));
    this.#uses = new Set(state.uses);
    this.#topics = new Set(state.topics);
    this.#discoveries = new Set(state.discoveries);
  }

  apply(event: SessionEvent): void {
    const { state } = this;
    if (event.k === 'archive') {
      state.archived = true;
      return;
    }
    if (event.k === 'end') return this.#end(event.t);
    this.#continue(event);
    state.lastAt = Math.max(state.lastAt, event.t);
    if (event.k === 'start') state.client ??= event.client;
    else if (event.k === 'topic') this.#topic(event.text);
    else if (event.k === 'discovery') addOnce(this.#discoveries, state.discoveries, event.id);
    else if (event.k === 'touch') this.#touch(event);
  }

  /** Starts another run when the one before is over. */
  #continue(event: SessionEvent): void {
    const { state } = this;
    const endedAt = state.endedAt ?? (event.t - state.lastAt > this.#idleMs ? state.lastAt : undefined);
    if (endedAt === undefined) return;
    if (state.endedAt !== undefined && event.k !== 'start' && event.t - state.endedAt <= LATE_MS) return;
    state.earlierMs += endedAt - state.runAt;
    state.runAt = Math.max(event.t, endedAt);
    state.endedAt = undefined;
    state.archived = false;
  }

  /** Whoever says it again changes nothing; after the idle time it ended where the work did. */
  #end(t: number): void {
    const { state } = this;
    if (state.endedAt !== undefined) return;
    state.endedAt = t - state.lastAt > this.#idleMs ? state.lastAt : Math.max(state.runAt, t);
    state.lastAt = Math.max(state.lastAt, state.endedAt);
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

/** The session as it is at `now`. */
export function sessionAt(id: string, { state, damaged }: ReadState, now: number, idleMs: number): Session {
  const endedAt = state.endedAt ?? (now - state.lastAt > idleMs ? state.lastAt : undefined);
  const runMs = Math.max(0, (endedAt ?? now) - state.runAt);
  return {
    id,
    startedAt: state.startedAt,
    endedAt,
    lastAt: state.lastAt,
    durationMs: state.earlierMs + runMs,
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
