// Which project a command of `fieldguide session` is about.

import type { Option } from '../args.ts';

export const ROOT: Option = {
  name: 'root',
  value: 'folder',
  about: 'the project; the nearest folder upward that is one unless said',
};
