// What every request is answered from: made once at start and passed down, never global.

import type { Access } from './access.ts';
import type { Audit } from './audit.ts';
import type { CurrentBundle } from './current.ts';
import type { Live } from './live.ts';
import type { Watch } from './notices/watch.ts';
import type { Roots } from './roots.ts';
import type { UpstreamsDoor } from './upstreams/door.ts';

export type Context = {
  readonly bundle: CurrentBundle;
  readonly access: Access;
  readonly live: Live;
  /** One watch for all who want to hear of changes, made when the first does. */
  readonly notices: { watch?: Watch };
  readonly roots: Roots;
  /** Where every access is written down, when somebody wants that. */
  readonly audit?: Audit | undefined;
  /** Other servers, one connection each for all contexts of a process. */
  readonly upstreams?: UpstreamsDoor;
  readonly log: (line: string) => void;
};
