// Checks every byte of a bundle and names what is damaged, all of it, not only the first thing. Loaded
// by `fieldguide verify` and by the compiler before it publishes; never by a server.

import { type Bundle, cutsOf } from './bundle.ts';
import { countedDigest } from './digest.ts';
import { BundleError, FLAG, unescapeText } from './format.ts';
import type { LookRow } from './rows.ts';
import { searchFaults } from './search/check.ts';
import { decodeRecord } from './value.ts';

export type Verdict = {
  /** What the bundle should hash to, and what it says of itself. */
  digest: string;
  stated: string;
  records: number;
  resources: number;
  /** One sentence for each damaged thing; empty: the bundle is whole. */
  damage: string[];
};

export function verifyBundle(bundle: Bundle): Verdict {
  const damage: string[] = [];
  let records = 0;
  for (const row of bundle.lookRows((where) => damage.push(where))) {
    records++;
    const fault = recordFault(bundle, row);
    if (fault !== undefined) damage.push(fault);
  }
  for (let n = 0; n < bundle.listLength; n++) {
    const fault = entryFault(bundle, n);
    if (fault !== undefined) damage.push(fault);
  }
  damage.push(...guideFaults(bundle), ...searchFaults(bundle));
  const digest = countedDigest(bundle);
  const stated = bundle.digest;
  if (digest !== stated && damage.length === 0) {
    damage.push('The digest of the file is not the one it states; bytes that hold no text were changed.');
  }
  return { digest, stated, records, resources: bundle.listLength, damage };
}

function recordFault(bundle: Bundle, row: LookRow): string | undefined {
  let name = `the record at byte ${row.offset}`;
  try {
    const record = bundle.record(row);
    const [key, text] = decodeRecord(record);
    name = String(key);
    if (bundle.find(name)?.row.offset !== row.offset) return `${name}: it is not found under its own key.`;
    if ((row.flags & FLAG.text) === 0) return undefined;
    const stored = record.subarray(row.textAt, row.textAt + row.textLength);
    if (!Buffer.isBuffer(text) || !stored.equals(text)) return `${name}: its row does not point at its text.`;
    if (rawLengthOf(row, stored) !== row.rawLength) return `${name}: its length is wrong.`;
    cutsOf(row, record, true);
    return undefined;
  } catch (error) {
    const why = error instanceof BundleError ? error.message : 'It cannot be decoded.';
    return `${damagedName(bundle, row) ?? name}: ${why}`;
  }
}

function rawLengthOf({ flags, rawLength }: LookRow, stored: Buffer): number {
  if ((flags & FLAG.tooLarge) !== 0) return rawLength;
  return (flags & FLAG.blob) === 0
    ? Buffer.byteLength(unescapeText(stored))
    : Buffer.from(stored.toString('latin1'), 'base64').length;
}

/** The key of a record that failed its checksum, if it can still be made out. */
function damagedName(bundle: Bundle, row: LookRow): string | undefined {
  if (row.place >= bundle.listLength) return undefined;
  try {
    return bundle.entry(row.place).uri;
  } catch {
    return undefined;
  }
}

function entryFault(bundle: Bundle, n: number): string | undefined {
  try {
    const { json, uri } = bundle.entry(n);
    if (JSON.parse(json.toString('utf8')).uri !== uri) return `${uri}: its list entry names another resource.`;
    return isListedAt(bundle, uri, n) ? undefined : `${uri}: it is listed, but not there.`;
  } catch (error) {
    const why = error instanceof BundleError ? error.message : 'It is not JSON.';
    return `List entry ${n}: ${why}`;
  }
}

/** Paths and references of the guide's tables; a damaged block is named once. */
function guideFaults(bundle: Bundle): string[] {
  const faults = new Set<string>();
  const { documents, references } = bundle.guideSize();
  const check = (count: number, what: string, look: (n: number) => unknown): void => {
    for (let n = 0; n < count; n++) {
      try {
        look(n);
      } catch (error) {
        if (!(error instanceof BundleError)) throw error;
        faults.add(`The guide's ${what}: ${error.message}`);
      }
    }
  };
  check(documents, 'documents', (n) => bundle.documentPath(n));
  check(references, 'collections', (n) => bundle.reference(n));
  return [...faults];
}

/** A damaged record is not this entry's fault, and has been named by itself. */
function isListedAt(bundle: Bundle, uri: string, n: number): boolean {
  try {
    return bundle.find(uri)?.row.place === n;
  } catch (error) {
    if (error instanceof BundleError) return true;
    throw error;
  }
}
