// `fieldguide serve --http`: the same answers over HTTP. Says on stderr where, and ends when it is told to.

import { setFlagsFromString } from 'node:v8';
import type { Context } from '../../runtime/context.ts';
import { isLoopback, parseListenAddress } from '../../runtime/http/listen-address.ts';
import { HttpServer } from '../../runtime/http/server.ts';
import { type Args, UsageError } from '../args.ts';

export async function serveHttp(context: Context, args: Args): Promise<number> {
  const written = args.values.get('http') as string;
  const listen = parseListenAddress(written);
  if (listen === undefined) {
    throw new UsageError(
      `--http is a port or host:port, such as 8080 or 127.0.0.1:8080; not ${JSON.stringify(written)}`,
    );
  }
  const agent = args.values.get('agent');
  const exposed = !isLoopback(listen.host);
  if (exposed && agent !== undefined) {
    throw new UsageError(
      `--agent lets in whoever comes without a token, which is for this machine only; leave it out for ${listen.host}`,
    );
  }
  growSlowly();
  const server = new HttpServer(context, { listen, agent, env: process.env });
  if (exposed && server.tokens === 0) {
    throw new Error(
      `${listen.host} can be reached from other machines, and no agent has a token. Give each agent in project.yaml token: \${NAME}, set the variables, and run \`fieldguide build\`; or listen on 127.0.0.1.`,
    );
  }
  const address = await server.listen().catch((error: NodeJS.ErrnoException) => {
    throw new Error(cannotListen(error, written));
  });
  process.stderr.write(`fieldguide: serving at ${address}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  await server.end();
  return 0;
}

/** V8 would rather take three times the memory than look for what can be freed; this server runs for weeks. */
function growSlowly(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}

function cannotListen({ code, message }: NodeJS.ErrnoException, written: string): string {
  if (code === 'EADDRINUSE') return `${written} is in use; choose another port, or 0 for a free one`;
  if (code === 'EACCES') return `${written} may not be listened on by this user; choose a port from 1024 up`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${written} is not an address of this machine`;
  return `cannot listen on ${written}: ${message}`;
}
