// fetch for the SDK's HTTP transport, so that no answer is larger than the group allows: an answer as a whole, of a
// stream of events each one. Redirects are left to the transport, which follows none to another origin.

import { tooLarge } from './outage.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Beside the text of an answer, what stands around it. */
const ROOM_BYTES = 1024;

export function boundedFetch(maxBytes: number): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const body = response.body.pipeThrough(isStream ? boundedEvents(maxBytes) : boundedWhole(maxBytes));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function boundedWhole(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxBytes + ROOM_BYTES) controller.error(tooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}

/** An event ends with an empty line. */
function boundedEvents(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let ofEvent = 0;
  let ofLine = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; ) {
        const newline = chunk.indexOf(10, at);
        const end = newline < 0 ? chunk.length : newline;
        ofLine += end - at - (newline > at && chunk[newline - 1] === 13 ? 1 : 0);
        ofEvent += end - at;
        if (ofEvent > maxBytes + ROOM_BYTES) return controller.error(tooLarge(maxBytes));
        if (newline >= 0 && ofLine === 0) ofEvent = 0;
        if (newline >= 0) ofLine = 0;
        at = end + 1;
      }
      return controller.enqueue(chunk);
    },
  });
}
