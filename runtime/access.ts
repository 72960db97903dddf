// Who may read what. Every list, read and look-up asks `may` with a canonical URI before it looks. What is asked
// of agents that have names stands in agents.ts, loaded when there is one.

import type { Bundle, Texts, Whole } from './bundle.ts';
import type { FailureDetail } from './failure.ts';

export type Access = {
  /** Of a canonical URI; of a prompt, `prompt/` and its name. Keep the function: what it answered is kept with it. */
  may(uri: string): boolean;
  /** True when `may` always says yes, so that a run of entries may leave as one slice. */
  readonly everything: boolean;
  /** Its name, where agents have names. */
  readonly agent?: string;
  /** Undefined: every tool. */
  mayCall?(tool: string): boolean;
  /** The bundle's texts without what depends on something that may not be read; undefined: as they are stored. */
  textsOf?(bundle: Bundle): SeenTexts;
  /** What goes out with an error, naming only what may be read. */
  told?(detail: Told): Told;
};

export type SeenTexts = Texts & { findWhole(key: string): Whole | undefined };

export type Told = Partial<Pick<FailureDetail, 'hint' | 'setup' | 'docs'>> & { [more: string]: unknown };

/** One local user, who may read everything: the file is theirs anyway. */
export const LOCAL_USER: Access = { may: () => true, everything: true };

/** As far as who is asking may see them. */
export function textsOf({ textsOf: seen }: Access, bundle: Bundle): SeenTexts {
  return seen?.(bundle) ?? bundle;
}
