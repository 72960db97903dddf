// Where to listen: `8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`. Without a host it is this machine alone.

import { isIP } from 'node:net';

export type ListenAddress = { host: string; port: number };

const HERE = '127.0.0.1';

/** Undefined when it is not of the form [host:]port. */
export function parseListenAddress(written: string): ListenAddress | undefined {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]/\s]+):)?([0-9]{1,5})$/.exec(written);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) return undefined;
  const host = match[1] ?? HERE;
  return { host: host.startsWith('[') ? host.slice(1, -1) : host, port };
}

/** Whether only programs of this machine reach it. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** As it stands in a URL. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
