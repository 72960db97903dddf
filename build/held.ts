// What each module already says, as hashes: so that a discovery that was taken over into project.yaml is not
// shown a second time.

import { heldHash, heldKey } from '../runtime/sessions/held.ts';
import type { Note } from './concerns.ts';
import type { Project } from './project.ts';

export function held({ modules }: Project): Note[] {
  return modules.map(({ name, patterns, businessRules, commonIssues }) => {
    const texts = [...patterns, ...businessRules, ...commonIssues.map(({ description }) => description)];
    const text = [...new Set(texts.map(heldHash))].sort().join(' ');
    return { uri: heldKey(encodeURIComponent(name)), text };
  });
}
