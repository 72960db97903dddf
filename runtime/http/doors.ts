// Who may knock: the Host that is asked for and the Origin of the page that asks. A page of the web can make a
// browser send requests to this machine, under any name that its author points here; these two headers tell it.

import { isIP } from 'node:net';
import { Failure } from '../failure.ts';
import { adviseHttp } from './advice.ts';
import { isLoopback } from './listen-address.ts';

export type Doors = {
  /** What is listened on. */
  host: string;
  /** From project.yaml: further names of this server, and pages that may call it. */
  hosts: readonly string[];
  origins: readonly string[];
};

/** Throws Failure for a request that comes in under a foreign name or from a foreign page. */
export function checkDoors(doors: Doors, host: string | undefined, origin: string | undefined): void {
  const name = hostname(host);
  if (name === undefined || !isOurName(doors, name)) {
    throw new Failure('forbidden', 'Forbidden: Host', {
      reason: 'The Host of this request is not a name of this server.',
      ...adviseHttp('host'),
    });
  }
  if (origin === undefined || isOurOrigin(doors, origin, host)) return;
  throw new Failure('forbidden', 'Forbidden: Origin', {
    reason: 'Pages of this Origin may not call this server.',
    ...adviseHttp('origin'),
  });
}

/** Whether a page of this origin may read answers: only where project.yaml names it. */
export function mayReadAnswers({ origins }: Doors, origin: string | undefined): origin is string {
  return origin !== undefined && origins.includes(origin);
}

/** An address is no name that somebody could point here, and checks of a platform come by address. */
function isOurName({ host, hosts }: Doors, name: string): boolean {
  if (isLoopback(name) || name === host.toLowerCase()) return true;
  if (hosts.some((one) => one.toLowerCase() === name)) return true;
  return !isLoopback(host) && isIP(name) !== 0;
}

function isOurOrigin(doors: Doors, origin: string, host: string | undefined): boolean {
  if (doors.origins.includes(origin)) return true;
  const match = /^https?:\/\/([^/]+)$/.exec(origin);
  const name = hostname(match?.[1]);
  if (match === null || name === undefined) return false;
  return isLoopback(name) || match[1] === host;
}

/** Without the port, in lower case. */
function hostname(host: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]@/\\\s]+))(?::[0-9]{1,5})?$/.exec(host ?? '');
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
