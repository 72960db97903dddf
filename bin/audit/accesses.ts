// The accesses that an audit tells of. A call that changes something has two lines, one before it ran; it counts once.

import { decodeLine, isCount } from '../../runtime/audit/line.ts';
import type { FileLine } from './file-lines.ts';

export type Access = {
  time: string;
  agent: string;
  session: string;
  method: string;
  /** The URI, or the name of a tool or prompt, or the method. */
  what: string;
  outcome: string;
  bytes: number;
  ms: number;
  digest: string;
};

/** What else there is to say about the file. */
export type Rest = { unreadable: number; lost: number };

/** What a line does not say. */
export const NONE = '-';

/** Gives every access to `take`, in the order of the file; those that were begun and never answered come last. */
export function readAccesses(lines: Iterable<FileLine>, take: (access: Access) => void): Rest {
  const rest = { unreadable: 0, lost: 0 };
  const begun = new Map<string, Access>();
  for (const { bytes } of lines) {
    if (bytes.length === 0) continue;
    const line = decodeLine(bytes);
    if (line === undefined) {
      rest.unreadable++;
      continue;
    }
    const { writer, number, said } = line;
    if (said.get('event') === 'gap') rest.lost += count(said.get('lost'));
    if (said.has('event')) continue;
    const access = accessOf(said);
    if (access.outcome === 'begun') {
      begun.set(`${writer} ${number}`, access);
      continue;
    }
    begun.delete(`${writer} ${said.get('announced')}`);
    take(access);
  }
  for (const access of begun.values()) take(access);
  return rest;
}

function accessOf(said: ReadonlyMap<string, unknown>): Access {
  const text = (name: string): string => {
    const value = said.get(name);
    return typeof value === 'string' ? value : NONE;
  };
  const method = text('method');
  return {
    time: text('time'),
    agent: text('agent'),
    session: text('session'),
    method,
    what: said.has('uri') ? text('uri') : said.has('name') ? `${kindOf(method)} ${text('name')}` : method,
    outcome: text('outcome'),
    bytes: count(said.get('bytes')),
    ms: Number.isFinite(said.get('ms')) ? Number(said.get('ms')) : 0,
    digest: text('digest'),
  };
}

/** `tools/call` of a search is `tool search`. */
function kindOf(method: string): string {
  return /^(tool|prompt)s\//.exec(method)?.[1] ?? method;
}

function count(value: unknown): number {
  return isCount(value) ? value : 0;
}
