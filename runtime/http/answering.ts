// From a request to the message that answers it, counted. The table of methods does the work; this is what every
// way of HTTP shares.

import type { Part } from '../answer.ts';
import type { Conversation } from '../wire/conversation.ts';
import { dispatch, type Outcome, type Request } from '../wire/dispatch.ts';
import { messageParts } from '../wire/message.ts';
import type { Caller } from './callers.ts';
import type { Metrics } from './metrics.ts';

export type Answered = { status: number; parts: Part[] };

/** Undefined: the client has taken it back, and wants none. */
type Wanted = Answered | undefined;

export class Answering {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  answer({ context }: Caller, request: Request, conversation: Conversation): Wanted | Promise<Wanted> {
    const began = performance.now();
    const finish = (outcome: Outcome): Answered => {
      // A stream lasts for as long as its client wants.
      const seconds = request.method === 'subscriptions/listen' ? 0 : (performance.now() - began) / 1000;
      this.#metrics.request(request.method, 'error' in outcome ? 'error' : 'ok', seconds);
      return { status: statusOf(outcome), parts: messageParts(context, request.id, outcome) };
    };
    const outcome = dispatch(context, request, conversation.call(request.id));
    if (!(outcome instanceof Promise)) return finish(outcome);
    conversation.started(request.id);
    return outcome.then((later) => (conversation.settled(request.id) ? finish(later) : undefined));
  }
}

/** The specification without a handshake wants these errors told by HTTP, too. */
function statusOf(outcome: Outcome): number {
  if (!('error' in outcome) || outcome.era === 'legacy') return 200;
  const { code, data } = outcome.error;
  if (code === -32601 && Object(data).kind === 'unknown_method') return 404;
  return code <= -32020 && code >= -32022 ? 400 : 200;
}
