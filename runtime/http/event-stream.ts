// An answer that goes on: server-sent events. What its reader does not take is kept once; a comment now and then
// keeps proxies from closing a stream on which nothing happens for hours.

import type { ServerResponse } from 'node:http';
import { HeldNotices } from '../wire/held-notices.ts';

export const KEEP_ALIVE_MS = 15_000;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #notices: HeldNotices;
  readonly #timer: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    const send = (events: Iterable<string>): void => {
      response.cork();
      for (const event of events) response.write(event);
      response.uncork();
    };
    this.#notices = new HeldNotices({
      get unread() {
        return response.writableLength;
      },
      whenDrained: (then) => response.once('drain', then),
      send,
    });
    this.#timer = setInterval(() => {
      if (response.writableLength === 0) response.write(': still here\n\n');
    }, KEEP_ALIVE_MS).unref();
    response.once('close', () => clearInterval(this.#timer));
  }

  /** Given up while it is not read, except for one of each. */
  notify(message: string): void {
    this.#notices.add(eventOf(message));
  }

  end(message: string): void {
    this.#response.end(eventOf(message));
  }
}

function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
