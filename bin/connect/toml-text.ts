// TOML read with places, and the few values of ours written.

import { parse, TomlError } from 'smol-toml';
import { Unfit } from './unfit.ts';

export type Table = Record<string, unknown>;

export function parseToml(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { message, line, column } = error;
    throw new Unfit(`does not parse: ${(message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')}`, {
      line,
      column,
    });
  }
}

/** JSON's strings are TOML's, but for one character. */
export function tomlText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlText).join(', ')}]`;
  return (JSON.stringify(value) ?? '').replaceAll('\u007f', '\\u007f');
}

export function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
