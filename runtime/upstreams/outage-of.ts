// What went wrong with a connection, from the errors of the SDK and of Node, in words for clients: the errors' own
// texts may hold what a server wrote.

import { isOutage, lost, noAnswer, type Outage, wrongAnswer } from './outage.ts';
import type { Program } from './program.ts';
import type { Through } from './through.ts';

export function outageOf(error: unknown, withinMs: number, through: Through, program: Program | undefined): Outage {
  const known = [error, Object(error).cause, Object(Object(error).cause).cause].find(isOutage);
  if (known !== undefined) return known;
  const gone = through.cutOff ?? program?.ended;
  if (gone !== undefined) return lost(gone);
  const { code, name, data, message } = Object(error) as {
    code?: unknown;
    name?: string;
    data?: unknown;
    message?: string;
  };
  if (code === 'REQUEST_TIMEOUT' || name === 'TimeoutError' || name === 'AbortError') return noAnswer(withinMs);
  const status = Object(data).status ?? Object(error).status;
  if (typeof status === 'number') {
    if (status >= 300 && status < 400) return lost('It redirects to another address, which is not followed.');
    return lost(`It answered with HTTP ${status}.`);
  }
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return lost('The connection was closed.');
  const cause = Object(Object(error).cause).code;
  if (name === 'TypeError' && message === 'fetch failed') {
    return lost(`It cannot be reached${typeof cause === 'string' ? ` (${cause})` : ''}.`);
  }
  if (code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE') {
    return wrongAnswer('Its answer is not what the protocol says.');
  }
  return lost('The handshake failed.');
}
