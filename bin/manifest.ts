// manifest.json beside a bundle: what it was made from. Nothing needs it to serve; `--check` names by it which
// files have changed. It may be missing, or written by anybody.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from '../build/collect.ts';

export const MANIFEST_FILE = 'manifest.json';
const MOST_BYTES = 1 << 28;

export type Manifest = { tool: string; digest: string; inputs: ReadonlyMap<string, string> };

export function manifestText(tool: string, facts: Record<string, unknown>, inputs: readonly Input[]): string {
  return `${JSON.stringify({ tool, ...facts, inputs }, null, 2)}\n`;
}

/** Undefined when there is none that can be understood. */
export function findManifest(folder: string): Manifest | undefined {
  try {
    const file = join(folder, MANIFEST_FILE);
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    return manifestOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function manifestOf(value: unknown): Manifest | undefined {
  const { tool, digest, inputs } = value as Record<string, unknown>;
  if (typeof tool !== 'string' || typeof digest !== 'string' || !Array.isArray(inputs)) return undefined;
  const hashes = new Map<string, string>();
  for (const { path, sha256 } of inputs as Partial<Input>[]) {
    if (typeof path !== 'string' || typeof sha256 !== 'string') return undefined;
    hashes.set(path, sha256);
  }
  return { tool, digest, inputs: hashes };
}
