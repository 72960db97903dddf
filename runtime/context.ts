// What every request is answered from: made once at start and passed down, never global.

import type { Access } from './access.ts';
import type { CurrentBundle } from './current.ts';

export type Context = {
  readonly bundle: CurrentBundle;
  readonly access: Access;
  /** The folder of the project, as a client that runs there would write it. */
  readonly root: string;
  readonly log: (line: string) => void;
};
