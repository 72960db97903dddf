// The bundle being served. A new file at the path is noticed by `stat`, at most every half second; a
// missing or damaged one never stops the server: the last good bundle stays, or, when there was none,
// requests are answered with what to run. A replaced bundle is let go of, and the collector unmaps it.

import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { advise } from './advice.ts';
import { Bundle } from './bundle.ts';
import { Failure } from './failure.ts';
import { BundleError } from './format.ts';
import type { Mapper } from './map.ts';

export const BUNDLE_FILE = 'context.fgb';
const LOOK_AGAIN_MS = 500;
const BUILD_HINT = 'Run `fieldguide build` in the project; this server takes the bundle up by itself.';
const DIGEST_HINT = 'Put the required bundle in its place; this server takes it up by itself.';

export type CurrentOptions = {
  /** A bundle file, or the folder it is in. */
  path: string;
  mapper: Mapper;
  log: (line: string) => void;
  /** Throws BundleError for a bundle that must not be served; asked before anything is answered from it. */
  accept?: ((bundle: Bundle) => void) | undefined;
  now?: () => number;
};

export class CurrentBundle {
  readonly #options: CurrentOptions;
  readonly #now: () => number;
  #bundle: Bundle | undefined;
  #problem: BundleError = new BundleError('missing', 'There is no bundle.');
  #seen = '';
  #served = '';
  #lookAt = 0;

  constructor(options: CurrentOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The bundle to answer from now; throws Failure when there is none. */
  get(): Bundle {
    const now = this.#now();
    if (now >= this.#lookAt || now < this.#lookAt - LOOK_AGAIN_MS) {
      this.#lookAt = now + LOOK_AGAIN_MS;
      this.#look();
    }
    if (this.#bundle !== undefined) return this.#bundle;
    throw bundleFailure(this.#problem);
  }

  /** The bundle in service, without a look for another one: the same through one synchronous step. */
  get inService(): Bundle | undefined {
    return this.#bundle;
  }

  /** The bundle to answer from, or undefined. */
  find(): Bundle | undefined {
    try {
      return this.get();
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  #look(): void {
    const { file, key } = identify(this.#options.path);
    if (key === this.#seen) return;
    this.#seen = key;
    const { accept, log, mapper } = this.#options;
    try {
      const next = openFile(file, mapper, accept);
      if (this.#bundle !== undefined) {
        this.#bundle.close();
        log(`went over to bundle ${next.digest.slice(0, 12)}`);
      }
      this.#bundle = next;
      this.#served = key;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      this.#problem = error;
      if (accept !== undefined && isSameFile(key, this.#served)) this.#drop();
      const kept = this.#bundle === undefined ? '' : ' The last good bundle stays in service.';
      const hint = error.kind === 'wrong_digest' ? DIGEST_HINT : BUILD_HINT;
      log(`cannot use the bundle ${file}: ${error.message}${kept} ${hint}`);
    }
  }

  /** What was written over in place is no longer what was accepted. */
  #drop(): void {
    this.#bundle?.close();
    this.#bundle = undefined;
  }
}

/** Opens a bundle file, or the one in a folder, once; throws BundleError. */
export function openBundle(path: string, mapper: Mapper): Bundle {
  return openFile(identify(path).file, mapper);
}

function openFile(file: string, mapper: Mapper, accept?: CurrentOptions['accept']): Bundle {
  const bytes = mapper.open(file);
  try {
    const bundle = new Bundle(bytes);
    accept?.(bundle);
    return bundle;
  } catch (error) {
    bytes.close();
    throw error;
  }
}

/** What a request is told when there is no bundle, or when the one there failed a check. */
export function bundleFailure(error: BundleError): Failure {
  if (error.kind === 'missing') {
    return new Failure('no_bundle', 'No bundle to serve', {
      reason: 'The bundle has not been built yet, or was removed.',
      ...advise('bundle'),
    });
  }
  if (error.kind === 'unreadable') {
    return new Failure('no_bundle', 'Bundle cannot be read', { reason: error.message, ...advise('permissions') });
  }
  if (error.kind === 'wrong_digest') {
    return new Failure('no_bundle', 'Bundle is not the required one', { reason: error.message, ...advise('digest') });
  }
  return new Failure('damaged', 'Bundle is damaged', { reason: error.message, ...advise('bundle') });
}

/** The bundle's file, and what tells one version of it from the next. */
function identify(path: string): { file: string; key: string } {
  const named = path.endsWith('.fgb');
  const first = named ? path : join(path, BUNDLE_FILE);
  const found = look(first);
  if (found?.isFile()) return { file: first, key: keyOf(found) };
  const second = named ? join(path, BUNDLE_FILE) : path;
  const other = look(second);
  return other?.isFile() ? { file: second, key: keyOf(other) } : { file: first, key: found ? keyOf(found) : 'missing' };
}

function isSameFile(key: string, other: string): boolean {
  const fileOf = (one: string): string => one.split(' ', 2).join(' ');
  return fileOf(key) === fileOf(other);
}

function keyOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** Undefined for what is not there or cannot be looked at; opening it says which. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
