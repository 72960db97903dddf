// One sentence, tested on stdio and over HTTP.

import { type TestContext, test } from 'node:test';
import { Served } from './command.ts';
import { HttpServed } from './http-served.ts';

export type AnyServed = Pick<Served, 'request' | 'modern' | 'answer' | 'send' | 'messages' | 'stderr' | 'ended'> & {
  child: { kill(signal?: NodeJS.Signals): boolean };
};

export type Serve = new (
  t: TestContext,
  args: string[],
  options?: { cwd?: string; env?: NodeJS.ProcessEnv },
) => AnyServed;

export const MOUNTS: readonly (readonly [name: string, serve: Serve])[] = [
  ['stdio', Served],
  ['HTTP', HttpServed],
];

export function onEveryMount(sentence: string, body: (t: TestContext, serve: Serve) => Promise<void>): void {
  for (const [name, serve] of MOUNTS) test(`${name}: ${sentence}`, (t) => body(t, serve));
}
