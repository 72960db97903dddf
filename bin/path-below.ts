// A path as it is written on a command line, from the root of the project on.

import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { belowRoot, rootsOf } from '../runtime/roots.ts';
import { secretIn } from '../runtime/secrets.ts';
import { printable } from './terminal.ts';

const MOST_CHARACTERS = 1024;

/** With slashes, whatever the machine; throws for what is not below the root, or cannot be kept. */
export function pathBelow(root: string, given: string): string {
  const refuse = (why: string): never => {
    throw new Error(`${JSON.stringify(printable(given.slice(0, 200)))} ${why}; nothing was recorded`);
  };
  if (given.length > MOST_CHARACTERS) refuse(`is longer than ${MOST_CHARACTERS} characters`);
  if (/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(given)) refuse('has a control or an invisible character');
  const secret = secretIn(given);
  if (secret !== undefined) throw new Error(`a path has what looks like ${secret}; nothing was recorded`);
  const whole = resolve(given);
  const roots = rootsOf(root);
  const path = [whole, realOf(whole)].map((one) => belowRoot(withSlashes(one), () => roots().map(withSlashes)));
  const below = path.find((one) => one !== undefined && one !== '');
  return below ?? refuse('is not a file below the root of the project');
}

/** Where its folder really is: the file itself need not be there any more. */
function realOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
