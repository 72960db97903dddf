// A program that speaks MCP on its stdin and stdout, as a transport for the SDK's client. The SDK's own keeps what it
// reads without a bound that belongs to a group, shows stderr to ours, and ends a child but not the children of that:
// here lines are bounded, the last words on stderr are kept for our log, and the whole process group ends.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { answeredId, BoundedLines, type Line } from './bounded-lines.ts';
import { lost, tooLarge } from './outage.ts';

export type Launch = {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  maxBytes: number;
};

const MOST_LAST_WORDS = 2000;
/** How long a program may take to end by itself, and then after it was told. */
const GRACE_MS = 500;
const LINES_AT_ONCE = 8;
/** A line that goes on for so long is no answer any more; it is not held, only counted. */
const ENDLESS_BYTES = 64 * 1024 * 1024;
const CAN_GROUP = process.platform !== 'win32';

/** What runs now. When we end, by whatever way runs handlers, so does all of it. */
const running = new Set<ChildProcessWithoutNullStreams>();
let endsWithUs = false;

export class Program implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Why it is gone, for clients. */
  ended: string | undefined;
  lastWords = '';
  readonly #launch: Launch;
  readonly #lines: BoundedLines;
  #child: ChildProcessWithoutNullStreams | undefined;

  constructor(launch: Launch) {
    this.#launch = launch;
    this.#lines = new BoundedLines(launch.maxBytes);
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#launch;
    const child = spawn(command, args, { env, cwd, shell: false, detached: CAN_GROUP, windowsHide: true });
    this.#child = child;
    watchOver(child);
    child.stdout.on('data', (chunk: Buffer) => this.#take(this.#lines.take(chunk)));
    child.stderr.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-MOST_LAST_WORDS);
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    child.on('exit', (code, signal) => {
      this.#gone(signal === null ? `It ended with code ${code}.` : `It was ended by ${signal}.`);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.#gone(`It could not be started (${error.code ?? 'unknown'}).`);
        reject(lost(this.ended as string));
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (this.ended !== undefined || stdin === undefined || !stdin.writable) {
      throw lost(this.ended ?? 'It takes no requests.');
    }
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Its input ends; what does not end by that is told, and then made to. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !running.has(child)) return this.#gone('It was ended.');
    const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.#gone('It was ended.');
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await endsWithin(over, GRACE_MS)) break;
      end(child, signal);
    }
    await over;
  }

  /** A few lines at a time: between them others are answered, however much it says at once. */
  #take(lines: Generator<Line>): void {
    for (let n = 0; n < LINES_AT_ONCE; n++) {
      const { value: line, done } = lines.next();
      if (this.ended !== undefined) return;
      if (done === true) {
        if (this.#lines.unfinished > ENDLESS_BYTES) this.#fail('It sent a line without an end.');
        this.#child?.stdout.resume();
        return;
      }
      if ('text' in line) this.#heard(line.text);
      else this.#tooLong(answeredId(line.tooLong));
    }
    this.#child?.stdout.pause();
    setImmediate(() => this.#take(lines));
  }

  /** What is no JSON is passed over, as the protocol's clients do: many a program greets on stdout. */
  #heard(text: string): void {
    if (text.trim() === '') return;
    try {
      this.onmessage?.(JSON.parse(text));
    } catch {
      this.onerror?.(new Error('not JSON'));
    }
  }

  #tooLong(id: number | undefined): void {
    const { detail } = tooLarge(this.#launch.maxBytes);
    if (id === undefined) return this.#fail(detail.reason);
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32603, message: '', data: { tooLarge: true } } });
  }

  #fail(reason: string): void {
    this.#gone(reason);
    void this.close();
  }

  #gone(reason: string): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.onclose?.();
  }
}

function watchOver(child: ChildProcessWithoutNullStreams): void {
  if (!endsWithUs) process.on('exit', endAll);
  endsWithUs = true;
  if (child.pid === undefined) return;
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    end(child, 'SIGKILL');
  });
}

function endAll(): void {
  for (const child of running) end(child, 'SIGKILL');
}

/** The child and all that it started; those that are left when it has gone, too. */
function end({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(CAN_GROUP ? -pid : pid, signal);
  } catch {
    // There is none left.
  }
}

async function endsWithin(over: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return await Promise.race([over.then(() => true), late]).finally(() => clearTimeout(timer));
}
