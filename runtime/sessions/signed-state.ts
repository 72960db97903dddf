// What a client carries from one request to the next and may not change: the id of an approval and how long it is
// good for, signed with a key that only the servers of this project have.

import { createHmac, timingSafeEqual } from 'node:crypto';

export function signedState(id: string, expiresAt: number, key: Buffer): string {
  const said = `${id}.${expiresAt}`;
  return `${said}.${signature(said, key)}`;
}

/** The id; undefined for what was not signed with this key, or has expired. */
export function verifiedState(state: unknown, now: number, key: Buffer): string | undefined {
  const [, said, id, expiresAt, signed] = /^(([\w-]{16,64})\.(\d{1,16}))\.([\w-]{43})$/.exec(String(state)) ?? [];
  if (said === undefined || signed === undefined) return undefined;
  const expected = Buffer.from(signature(said, key));
  if (!timingSafeEqual(expected, Buffer.from(signed))) return undefined;
  return now < Number(expiresAt) ? id : undefined;
}

function signature(said: string, key: Buffer): string {
  return createHmac('sha256', key).update(said).digest('base64url');
}
