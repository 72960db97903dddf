// The body of a request, whole, up to a bound. How long it may take is the server's own time limit for a request.

import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.ts';
import { adviseHttp } from './advice.ts';

export const MOST_BODY_BYTES = 1024 * 1024;

/** Undefined when the client has gone before it was whole. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge();
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MOST_BODY_BYTES) {
        request.pause();
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

function tooLarge(): Failure {
  return new Failure('body_too_large', 'Request is too large', {
    reason: `A request is at most ${MOST_BODY_BYTES / 1024 / 1024} MiB.`,
    ...adviseHttp('body'),
  });
}
