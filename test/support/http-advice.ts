// The pieces of advice that only a server on HTTP gives: test/http provokes each.

import type { ADVICE } from '../../runtime/advice.ts';

export const HTTP_ADVICE: readonly (keyof typeof ADVICE)[] = [
  'host',
  'origin',
  'token',
  'rate',
  'streams',
  'body',
  'post',
  'headers',
  'handshake',
  'httpPath',
];
