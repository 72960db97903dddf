// `build --check`: whether the bundle on disk is what the sources make, byte for byte; if it is not, why, as far
// as the manifest tells. Nothing is written.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from '../build/collect.ts';
import { type Diagnostic, type Place, problem } from '../build/diagnostics.ts';
import { holds } from '../build/write.ts';
import { BUNDLE_FILE } from '../runtime/current.ts';
import { VERSION } from '../runtime/version.ts';
import { findManifest, type Manifest } from './manifest.ts';
import { type Changes, type Check, counted } from './outcome.ts';

const MOST_NAMED = 10;

export type Made = { bytes: Buffer; digest: string; inputs: readonly Input[] };

export type Checked = { check: Check; diagnostic: Diagnostic | undefined };

/** `place` is where the problem is shown, `remedy` the command that makes the bundle. */
export function checkBundle(folder: string, made: Made, place: Place, remedy: string): Checked {
  const file = join(folder, BUNDLE_FILE);
  const fix = `Run \`${remedy}\`.`;
  const state = stateOf(file);
  if (state === 'missing') {
    const diagnostic = problem('bundle-missing', place, 'There is no bundle.', fix);
    return { check: { state: 'missing', changes: undefined }, diagnostic };
  }
  if (state === 'file' && holds(file, made.bytes)) {
    return { check: { state: 'fresh', changes: undefined }, diagnostic: undefined };
  }
  const manifest = findManifest(folder);
  const changes = manifest === undefined ? undefined : changesSince(manifest.inputs, made.inputs);
  const why = state === 'file' ? reason(manifest, changes, made.digest) : `It ${state}.`;
  const diagnostic = problem('bundle-stale', place, `The bundle is not what the sources make. ${why}`, fix);
  return { check: { state: 'stale', changes }, diagnostic };
}

/** `missing`, `file`, or what it is instead. */
function stateOf(file: string): string {
  try {
    return statSync(file).isFile() ? 'file' : 'is not a file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : `cannot be read (${code})`;
  }
}

function changesSince(before: ReadonlyMap<string, string>, inputs: readonly Input[]): Changes {
  const now = new Map(inputs.map(({ path, sha256 }) => [path, sha256]));
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  return {
    added: paths.filter((path) => !before.has(path)),
    removed: paths.filter((path) => !now.has(path)),
    changed: paths.filter((path) => before.has(path) && now.has(path) && before.get(path) !== now.get(path)),
  };
}

function reason(manifest: Manifest | undefined, changes: Changes | undefined, digest: string): string {
  if (manifest === undefined || changes === undefined) return 'No manifest.json beside it says what it was made from.';
  const named = [
    ...changes.changed.map((path) => `${path} has changed`),
    ...changes.added.map((path) => `${path} is new`),
    ...changes.removed.map((path) => `${path} is gone`),
  ];
  const more = named.length - MOST_NAMED;
  const rest = more > 0 ? [`and ${counted(more, 'more file')}`] : [];
  if (named.length > 0) return `${[...named.slice(0, MOST_NAMED), ...rest].join(', ')}.`;
  if (manifest.tool !== VERSION) return `It was made by version ${manifest.tool}; this is ${VERSION}.`;
  if (manifest.digest === digest) return 'It was made from them, but is damaged or was changed since.';
  return 'Its inputs are the same; a file that they name has come or gone, or another compiler made it.';
}
