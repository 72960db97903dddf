// `fieldguide serve`: the protocol on stdin and stdout, or over HTTP; everything said to people on stderr.

import { resolve } from 'node:path';
import type { Audit } from '../../runtime/audit.ts';
import type { CurrentOptions } from '../../runtime/current.ts';
import { endUpstreams } from '../../runtime/upstreams/door.ts';
import { endAtSignals, serveStdio } from '../../runtime/wire/stdio.ts';
import { type Args, UsageError } from '../args.ts';
import { contextOf } from '../where.ts';

/** Beyond this, lines for a reader that takes none are dropped. */
const MOST_UNREAD_LOG = 64 * 1024;

export async function serve(args: Args): Promise<number> {
  const log = (line: string): void => {
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    if (process.stderr.writableLength < MOST_UNREAD_LOG) process.stderr.write(`fieldguide: ${line}\n`);
  };
  const base = await contextOf(args, log, await acceptedOf(args));
  const audit = await auditOf(args, log);
  const context = { ...base, audit };
  const leave = async (code: number): Promise<never> => {
    await endUpstreams(context.upstreams);
    await audit?.close();
    process.exit(code);
  };
  if (args.values.has('http')) {
    const { serveHttp } = await import('./serve-http.ts');
    return await leave(await serveHttp(context, args));
  }
  const streams = { input: process.stdin, output: process.stdout };
  const serving = serveStdio(context, streams);
  endAtSignals(serving, streams.output, (code) => void leave(code));
  streams.output.on('error', (error: NodeJS.ErrnoException) => void leave(error.code === 'EPIPE' ? 0 : 1));
  if (args.flags.has('verbose') || process.stdin.isTTY) {
    const { greeting } = await import('./greeting.ts');
    process.stderr.on('error', () => {}).write(greeting(context, args, process.stdin.isTTY === true));
  }
  await serving.done;
  return await leave(0);
}

/** Undefined without the option: hashing is loaded for who asks for it. */
async function acceptedOf(args: Args): Promise<CurrentOptions['accept']> {
  const written = args.values.get('require-digest');
  if (written === undefined) return undefined;
  const { onlyDigest, parseDigest } = await import('../../runtime/digest.ts');
  const digest = parseDigest(written);
  if (digest !== undefined) return onlyDigest(digest);
  throw new UsageError(
    `--require-digest is sha256: and 64 hexadecimal digits, as \`fieldguide verify\` prints it; not ${JSON.stringify(written)}`,
  );
}

async function auditOf(args: Args, log: (line: string) => void): Promise<Audit | undefined> {
  const file = args.values.get('audit');
  return file === undefined ? undefined : (await import('../../runtime/audit.ts')).Audit.open(resolve(file), log);
}
