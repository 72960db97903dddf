// TOML to values, in a file of its own: the parser is loaded only where there is TOML.

import { parse } from 'smol-toml';

/** Undefined for what is not TOML. */
export function readToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
