// The stdio mount: lines in, lines out, our own because the start is the product. The answers of one
// chunk of input leave together; when the reader is slow, reading stops until it has caught up, so a
// slow reader costs no memory. What was read is answered before the process ends.

import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { Conversation, type Outlet } from './conversation.ts';
import { dispatch, type Id, type Outcome, parseMessage } from './dispatch.ts';
import { errorObject } from './eras.ts';
import { HeldNotices } from './held-notices.ts';
import { Lines, TOO_LONG } from './lines.ts';
import { messageParts } from './message.ts';
import { addMessage, Outbox, type Output } from './outbox.ts';

const MOST_LINE_BYTES = 4 * 1024 * 1024;
/** Unsent bytes at which reading stops: enough for a batch of answers in one write. */
const FULL_BYTES = 256 * 1024;
/** How long a reader that takes nothing may hold up the end after a signal. */
const GRACE_MS = 250;

export type Streams = { input: NodeJS.ReadableStream; output: Output };

/** `done` when all that was read has been answered and handed over; `stop` reads no more. */
export type Serving = { done: Promise<void>; stop(): void };

/** Serves until the input ends, or until it is stopped. */
export function serveStdio(context: Context, { input, output }: Streams): Serving {
  const lines = new Lines(MOST_LINE_BYTES);
  let pending = 0;
  let ended = false;
  let waiting = false;
  const { promise, resolve } = deferred();

  const outbox = new Outbox(output);
  const peer = new Conversation(outletOf(outbox));
  const finish = (): void => {
    if (ended && !waiting && pending === 0) output.write('', () => resolve());
  };

  const handle = (line: string): void => {
    const parsed = parseMessage(line);
    if ('response' in parsed) return peer.answered(parsed.response);
    if ('notification' in parsed) return peer.heard(context, parsed.notification);
    if ('failure' in parsed) return addError(outbox, parsed.id, errorObject(parsed.failure, 'legacy'));
    const { id } = parsed.request;
    const outcome = dispatch(context, parsed.request, peer.call(id));
    if (!(outcome instanceof Promise)) return addOutcome(outbox, context, id, outcome);
    pending++;
    peer.started(id);
    void outcome.then((later) => {
      pending--;
      if (peer.settled(id)) addOutcome(outbox, context, id, later);
      outbox.flush();
      finish();
    });
  };

  const pump = (): void => {
    while (outbox.length < FULL_BYTES) {
      const line = lines.next();
      if (line === undefined) return outbox.flush();
      if (line === TOO_LONG) addError(outbox, null, errorObject(tooLong(), 'legacy'));
      else if (!isBlank(line)) handle(line);
    }
    waiting = true;
    input.pause();
    output.once('drain', () => {
      waiting = false;
      pump();
      if (waiting) return;
      if (ended) takeLast();
      else input.resume();
    });
    outbox.flush();
  };

  const takeLast = (): void => {
    const line = lines.last();
    if (line !== undefined && !isBlank(line)) handle(line);
    outbox.flush();
    peer.end();
    finish();
  };

  input.on('data', (chunk: Buffer) => {
    lines.push(chunk);
    pump();
  });
  const end = (): void => {
    if (ended) return;
    ended = true;
    if (!waiting) takeLast();
  };
  input.on('end', end);
  input.on('error', end);
  const stop = (): void => {
    input.pause();
    end();
  };
  return { done: promise, stop };
}

/** At a signal, what was read is answered first, as long as the reader takes it; then the process ends. */
export function endAtSignals(serving: Serving, output: Output, exit: (code: number) => void): void {
  const stop = (): void => {
    serving.stop();
    let left = output.writableLength;
    setInterval(() => {
      if (output.writableLength === left) exit(0);
      left = output.writableLength;
    }, GRACE_MS);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function outletOf(outbox: Outbox): Outlet {
  const send = (lines: Iterable<string>): void => {
    for (const line of lines) outbox.add(line);
    outbox.flush();
  };
  const held = new HeldNotices({
    get unread() {
      return outbox.length;
    },
    whenDrained: (then) => outbox.whenDrained(then),
    send,
  });
  return {
    notify: (notice) => held.add(`${JSON.stringify(notice)}\n`),
    ask: (request) => send([`${JSON.stringify(request)}\n`]),
  };
}

function addOutcome(outbox: Outbox, context: Context, id: Id, outcome: Outcome): void {
  for (const part of messageParts(context, id, outcome)) outbox.add(part);
  outbox.add('\n');
}

function addError(outbox: Outbox, id: Id | null, error: ReturnType<typeof errorObject>): void {
  addMessage(outbox, { jsonrpc: '2.0', id, error });
}

function tooLong(): Failure {
  return new Failure('invalid_request', 'Invalid Request', {
    reason: `The line is longer than ${MOST_LINE_BYTES / 1024 / 1024} MiB; it was skipped.`,
  });
}

function isBlank(line: string): boolean {
  return line.length < 80 && line.trim() === '';
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
