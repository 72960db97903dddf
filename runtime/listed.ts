// The resource list as one who asks may see it: which entries, and where it goes on after a cursor. Places count what
// is seen, so that neither a cursor, nor the length of a page, nor its end tells of anything else.

import type { Access } from './access.ts';
import type { Bundle } from './bundle.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { NOT_LISTED } from './format.ts';

/** Numbers of the entries that may be seen; undefined: all. */
type Numbers = Uint32Array | undefined;

const known = new WeakMap<Bundle, WeakMap<Access['may'], Uint32Array>>();

export class Listed {
  readonly #bundle: Bundle;
  readonly #access: Access;
  readonly #numbers: Numbers;

  constructor(bundle: Bundle, access: Access) {
    this.#bundle = bundle;
    this.#access = access;
    this.#numbers = access.everything ? undefined : numbersOf(bundle, access.may);
  }

  get length(): number {
    return this.#numbers?.length ?? this.#bundle.listLength;
  }

  entry(place: number): { json: Buffer; uri: string } {
    return this.#bundle.entry(this.#numbers?.[place] ?? place);
  }

  /** Entries from `first` up to, not including, `end`, as they stand in an answer. */
  slices(first: number, end: number): (string | Buffer)[] {
    if (this.#numbers === undefined) return [this.#bundle.entries(first, end)];
    const slices: (string | Buffer)[] = [];
    for (let place = first; place < end; place++) slices.push(place === first ? '' : ',', this.entry(place).json);
    return slices;
  }

  /** Where to go on after `last`. */
  cursorAt(last: number): string {
    return encodeCursor(this.entry(last).uri, last);
  }

  /** The place after the cursor's URI, or, when it has gone, its old place. */
  placeAfter(cursor: string): number {
    const { uri, place } = decodeCursor(cursor);
    const row = this.#access.may(uri) ? this.#bundle.find(uri)?.row : undefined;
    if (row === undefined || row.place === NOT_LISTED) return Math.min(place, this.length);
    return this.#numbers === undefined ? row.place + 1 : this.#numbers.filter((n) => n <= row.place).length;
  }
}

function numbersOf(bundle: Bundle, may: Access['may']): Uint32Array {
  let byMay = known.get(bundle);
  if (byMay === undefined) {
    byMay = new WeakMap();
    known.set(bundle, byMay);
  }
  let numbers = byMay.get(may);
  if (numbers === undefined) {
    const seen: number[] = [];
    for (let n = 0; n < bundle.listLength; n++) if (may(bundle.entry(n).uri)) seen.push(n);
    numbers = Uint32Array.from(seen);
    byMay.set(may, numbers);
  }
  return numbers;
}
