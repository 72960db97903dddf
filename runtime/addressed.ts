// What a request addresses: by its own name, or by another that project.yaml gives it. Aliases are looked at only when
// a scheme is not ours, so that no other read costs more.

import { type Alias, targetOf } from './aliases.ts';
import type { Context } from './context.ts';
import { bundleFailure } from './current.ts';
import { Failure } from './failure.ts';
import { BundleError } from './format.ts';
import { readSettings } from './settings.ts';
import { type Address, parseUri } from './uri.ts';

/** Throws Failure. For those who may not read what an alias stands for there is no such alias. */
export function addressOf(context: Context, raw: string): Address {
  try {
    return parseUri(raw);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'invalid_scheme') throw error;
    const target = targetOf(raw, aliasesOf(context));
    if (target === undefined) throw error;
    const address = parseUri(target);
    if (!context.access.may(address.uri)) throw error;
    return address;
  }
}

function isAlias(alias: unknown): boolean {
  return Array.isArray(alias) && alias.length === 2 && alias.every((uri) => typeof uri === 'string');
}

function aliasesOf({ bundle }: Context): readonly Alias[] {
  try {
    const { aliases = [] } = readSettings(bundle.find());
    if (Array.isArray(aliases) && aliases.every(isAlias)) return aliases;
    throw new BundleError('damaged', 'Its aliases cannot be read.');
  } catch (error) {
    throw error instanceof BundleError ? bundleFailure(error) : error;
  }
}
