// Accesses counted by what somebody wants to know: how often, how much, when last, from which bundles.

import { type Access, NONE } from './accesses.ts';

export type Key = 'agent' | 'what' | 'outcome' | 'session' | 'method' | 'digest';

export type Row = {
  /** What the rows are told apart by, in the order asked. */
  values: string[];
  times: number;
  refused: number;
  bytes: number;
  first: string;
  last: string;
  digests: string[];
};

export class Tally {
  readonly #keys: readonly Key[];
  readonly #rows = new Map<string, Row>();

  constructor(keys: readonly Key[]) {
    this.#keys = keys;
  }

  take(access: Access): void {
    const values = this.#keys.map((key) => access[key]);
    const id = JSON.stringify(values);
    const row = this.#rows.get(id) ?? { values, times: 0, refused: 0, bytes: 0, first: '', last: '', digests: [] };
    this.#rows.set(id, row);
    row.times++;
    if (isRefused(access)) row.refused++;
    row.bytes += access.bytes;
    if (row.first === '' || access.time < row.first) row.first = access.time;
    if (access.time > row.last) row.last = access.time;
    if (access.digest !== NONE && !row.digests.includes(access.digest)) row.digests.push(access.digest);
  }

  /** Those with the most accesses first, then by their bytes. */
  rows(): Row[] {
    return [...this.#rows.entries()]
      .sort(([idA, a], [idB, b]) => b.times - a.times || Buffer.compare(Buffer.from(idA), Buffer.from(idB)))
      .map(([, row]) => row);
  }
}

/** Everything that did not get what it asked for. */
function isRefused({ outcome }: Access): boolean {
  return outcome !== 'ok' && outcome !== 'begun' && outcome !== 'input_required';
}
