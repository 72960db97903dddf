// `fieldguide serve`: the protocol on stdin and stdout, everything said to people on stderr.

import { endWith, serveStdio } from '../../runtime/wire/stdio.ts';
import type { Args } from '../args.ts';
import { contextOf } from '../where.ts';

export async function serve(args: Args): Promise<number> {
  const log = (line: string): void => {
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    process.stderr.write(`fieldguide: ${line}\n`);
  };
  const context = contextOf(args, log);
  const streams = { input: process.stdin, output: process.stdout };
  endWith(streams, (code) => process.exit(code));
  const done = serveStdio(context, streams);
  if (args.flags.has('verbose') || process.stdin.isTTY) {
    const { greeting } = await import('./greeting.ts');
    process.stderr.write(greeting(context, process.stdin.isTTY === true));
  }
  await done;
  process.exit(0);
}
