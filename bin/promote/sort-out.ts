// What becomes of each chosen discovery: it is added to a list of its module, or stands there already, or has to be
// left. The journal is a file that anybody may write, so a text is checked as it was when it was recorded.

import { checkName, type Project } from '../../build/project.ts';
import { heldHash } from '../../runtime/sessions/held.ts';
import { isNotRecordable, NotRecordable, recordable } from '../../runtime/sessions/recordable.ts';
import { sessionIdOf } from '../../runtime/sessions/safe-name.ts';
import type { Discovery, DiscoveryType } from '../../runtime/sessions/store.ts';
import { timeInWords } from '../../runtime/sessions/words.ts';
import type { Addition, ListName } from './addition.ts';

export type Fate =
  | ({ is: 'added'; discovery: Discovery } & Addition)
  | { is: 'held'; discovery: Discovery; module: string }
  | { is: 'left'; discovery: Discovery; why: string };

export const LISTS: Record<DiscoveryType, ListName> = {
  pattern: 'patterns',
  decision: 'patterns',
  rule: 'businessRules',
  issue: 'commonIssues',
};

/** `module` is for those that name none. */
export function sortOut(discoveries: readonly Discovery[], project: Project, module: string | undefined): Fate[] {
  const held = new Map(project.modules.map((one) => [one.name, new Set(textsOf(one).map(heldHash))]));
  return discoveries.map((discovery): Fate => {
    const to = discovery.module ?? module;
    if (to === undefined) return { is: 'left', discovery, why: 'it names no module: say which with --module <name>' };
    try {
      const name = moduleName(to);
      const item = itemOf(discovery);
      const hashes = held.get(name) ?? new Set<string>();
      held.set(name, hashes);
      const hash = heldHash(discovery.content);
      if (hashes.has(hash)) return { is: 'held', discovery, module: name };
      hashes.add(hash);
      return { is: 'added', discovery, module: name, list: LISTS[discovery.type], item };
    } catch (error) {
      if (isNotRecordable(error)) return { is: 'left', discovery, why: error.message };
      throw error;
    }
  });
}

function textsOf({ patterns, businessRules, commonIssues }: Project['modules'][number]): string[] {
  return [...patterns, ...businessRules, ...commonIssues.map(({ description }) => description)];
}

function moduleName(given: string): string {
  const name = recordable('module', given);
  checkName(name, { file: '', line: 1, column: 1 }, ({ what }) => {
    throw new NotRecordable(what);
  });
  return name;
}

function itemOf({ type, content, solution, at, sessionId }: Discovery): Addition['item'] {
  const text = recordable('discovery', content);
  if (type !== 'issue') return text;
  return [
    ['description', text],
    ...(solution === undefined ? [] : [['solution', recordable('solution', solution)] as const]),
    ['discoveredAt', timeInWords(at)],
    ['sessionId', sessionIdOf(sessionId)],
  ];
}
