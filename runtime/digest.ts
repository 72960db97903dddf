// The sha256 of a bundle's bytes, counted, not believed: what a bundle states of itself is a claim. Loaded by
// `verify`, by `diff`, and by `serve` when a digest is required; never on the usual start.

import { createHash } from 'node:crypto';
import type { Bundle } from './bundle.ts';
import { BundleError, DIGEST_BYTES } from './format.ts';

const CHUNK_BYTES = 1 << 20;

/** Of every byte before the digest that the bundle states. */
export function countedDigest(bundle: Bundle): string {
  const hash = createHash('sha256');
  const end = bundle.bytes.length - DIGEST_BYTES;
  for (let at = 0; at < end; at += CHUNK_BYTES) hash.update(bundle.bytes.view(at, Math.min(CHUNK_BYTES, end - at)));
  return hash.digest('hex');
}

/** The digest in `sha256:<64 hexadecimal digits>`; undefined for anything else. */
export function parseDigest(written: string): string | undefined {
  return /^sha256:([0-9a-f]{64})$/i.exec(written)?.[1]?.toLowerCase();
}

/** Throws BundleError for every bundle but one. A bundle that states another digest is not read at all. */
export function onlyDigest(required: string): (bundle: Bundle) => void {
  return (bundle) => {
    if (bundle.digest !== required) throw refused(`Its digest is sha256:${bundle.digest}`, required);
    const counted = countedDigest(bundle);
    if (counted !== required) throw refused(`It was changed: its bytes have the digest sha256:${counted}`, required);
  };
}

function refused(what: string, required: string): BundleError {
  return new BundleError('wrong_digest', `${what}; required is sha256:${required}.`);
}
