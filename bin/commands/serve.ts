// `fieldguide serve`: the protocol on stdin and stdout, everything said to people on stderr.

import { endAtSignals, serveStdio } from '../../runtime/wire/stdio.ts';
import type { Args } from '../args.ts';
import { contextOf } from '../where.ts';

/** Beyond this, lines for a reader that takes none are dropped. */
const MOST_UNREAD_LOG = 64 * 1024;

export async function serve(args: Args): Promise<number> {
  const log = (line: string): void => {
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    if (process.stderr.writableLength < MOST_UNREAD_LOG) process.stderr.write(`fieldguide: ${line}\n`);
  };
  const context = contextOf(args, log);
  const streams = { input: process.stdin, output: process.stdout };
  const serving = serveStdio(context, streams);
  endAtSignals(serving, streams.output, (code) => process.exit(code));
  streams.output.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  if (args.flags.has('verbose') || process.stdin.isTTY) {
    const { greeting } = await import('./greeting.ts');
    process.stderr.on('error', () => {}).write(greeting(context, args, process.stdin.isTTY === true));
  }
  await serving.done;
  process.exit(0);
}
