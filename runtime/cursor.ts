// Cursors name the last URI served and its place, so that they outlive a change of the bundle.

import { advise } from './advice.ts';
import { Failure } from './failure.ts';

export function encodeCursor(uri: string, place: number): string {
  return Buffer.from(`${place} ${uri}`, 'utf8').toString('base64url');
}

export function decodeCursor(cursor: string): { uri: string; place: number } {
  const decoded = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = /^(\d{1,10}) ([a-z]+:\/\/.+)$/.exec(decoded);
  if (match === null || encodeCursor(match[2] as string, Number(match[1])) !== cursor) {
    throw new Failure('invalid_params', 'Invalid cursor', {
      reason: 'The cursor did not come from this server.',
      ...advise('cursor'),
    });
  }
  return { uri: match[2] as string, place: Number(match[1]) };
}
