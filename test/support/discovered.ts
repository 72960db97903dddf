// Discoveries for tests, and the context that requests are answered from.

import type { TestContext } from 'node:test';
import { type Access, LOCAL_USER } from '../../runtime/access.ts';
import type { Context } from '../../runtime/context.ts';
import { CurrentBundle } from '../../runtime/current.ts';
import { liveOf } from '../../runtime/live.ts';
import { Mapper } from '../../runtime/map.ts';
import { Journal } from '../../runtime/sessions/journal.ts';
import type { Discovery } from '../../runtime/sessions/store.ts';
import { builtShop } from './served.ts';

const AT = Date.parse('2025-03-04T05:06:07Z');
let made = 0;

/** By type, text and module; each has an id of its own. */
export function discovery(
  type: Discovery['type'],
  content: string,
  module?: string,
  more: Partial<Discovery> = {},
): Discovery {
  return { id: `d${made++}`, sessionId: 'f00dcafe-1234', at: AT, type, content, module, ...more };
}

/** In the order given. */
export async function record(root: string, ...all: Discovery[]): Promise<void> {
  const journal = new Journal({ root });
  for (const one of all) await journal.discover(one);
}

/** A built project, what was discovered in it, and what the log says. */
export async function discovered(
  t: TestContext,
  source: string,
  all: readonly Discovery[],
): Promise<{ root: string; logged: string[]; context: (access?: Access) => Context }> {
  const root = builtShop(t, source);
  await record(root, ...all);
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const bundle = new CurrentBundle({ path: `${root}/dist-index`, mapper: new Mapper('auto'), log });
  const live = liveOf(root, {});
  return {
    root,
    logged,
    context: (access = LOCAL_USER) => ({ bundle, access, live, notices: {}, roots: () => [root], log }),
  };
}
