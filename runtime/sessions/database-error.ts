// What went wrong with a database, in words that name no host, user or password: the client's own messages do.

import { StoreError } from './store.ts';

const CONDITIONS: readonly [codes: RegExp, what: string][] = [
  [/^28/, 'the database refuses the user or the password'],
  [/^3D000$/, 'the server has no such database'],
  [/^42501$/, 'the user of the database lacks a right that is needed'],
  [/^53100$/, 'the disk of the database is full'],
  [/^53300$/, 'the database has no connection left'],
  [/^25006$/, 'the database is read-only'],
  [/^(57014|55P03|ETIMEDOUT)$/, 'the database did not answer in time'],
  [/^(57P|08|E[A-Z_]+$)/, 'the database cannot be reached'],
];

/** Conditions under which asking again at once is of no use. */
export function isAway({ code }: StoreError): boolean {
  return /^(E[A-Z_]+|57P0\d|08.*|53300)$/.test(code);
}

/** Anything that is neither the server's nor the network's stays what it is: a bug. */
export function databaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'StoreError') return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  const [, what = 'the database failed'] = CONDITIONS.find(([codes]) => codes.test(code)) ?? [];
  return new StoreError(what, code, 'database');
}

function codeOf(error: Error & { code?: unknown }): string | undefined {
  if (typeof error.code === 'string' && /^[A-Z0-9_]{3,40}$/.test(error.code)) return error.code;
  const { message } = error;
  if (/time(?:d? ?out)|Query read timeout/i.test(message)) return 'ETIMEDOUT';
  if (/terminated|closed|ended|not queryable|handshake|socket/i.test(message)) return 'ECONNRESET';
  if (/password|SASL|SCRAM|authentication/i.test(message)) return '28000';
  return /SSL|TLS|certificate/i.test(message) ? 'ESSL' : undefined;
}
