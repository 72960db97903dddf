// One text of the bundle with discoveries laid over it, at the places that the compiler marked: never at what
// only looks like such a place. A text without marks stays as it is.

import type { Whole } from '../bundle.ts';
import { CUT, type Cut, unescapeText } from '../format.ts';
import { type Counts, tooManyNotice } from '../pages.ts';
import { damaged } from '../table.ts';
import type { Shown } from './shown.ts';
import type { DiscoveryType } from './store.ts';

type Section = keyof Counts;

const SECTIONS: Record<DiscoveryType, Section> = {
  pattern: 'patterns',
  decision: 'patterns',
  rule: 'rules',
  issue: 'issues',
};

/** A brief stays within its limit, or only says how much there is. */
export type Brief = { uri: string; limit: number };

/** `liveOf` gives what belongs to a module; undefined when nothing is laid over the text. */
export function laidOver(
  { stored, cuts }: Whole,
  liveOf: (moduleUri: string) => readonly Shown[],
  brief?: Brief,
): string | undefined {
  const parts: string[] = [];
  const counts = { rules: 0, patterns: 0, issues: 0 };
  let module = '';
  let at = 0;
  let bytes = 0;
  let isChanged = false;
  const add = (part: string): void => {
    bytes += Buffer.byteLength(part);
    parts.push(part);
  };
  for (const cut of cuts) {
    if (cut.kind === CUT.fragment) module = cut.label;
    if (cut.kind !== CUT.count && cut.kind !== CUT.entries) continue;
    const section = sectionOf(cut);
    const live = liveOf(module).filter(({ type }) => SECTIONS[type] === section);
    add(textBetween(stored, at, cut.at));
    at = cut.at;
    if (cut.kind === CUT.count) {
      at += cut.level;
      counts[section] = countAt(stored, cut) + live.length;
      add(String(counts[section]));
    } else if (live.length > 0) {
      add(entries(live, section, counts[section] === live.length, brief !== undefined));
    }
    isChanged ||= live.length > 0;
  }
  if (!isChanged) return undefined;
  add(textBetween(stored, at, stored.length));
  return brief !== undefined && bytes > brief.limit ? tooManyNotice(brief.uri, counts) : parts.join('');
}

function entries(live: readonly Shown[], section: Section, isFirst: boolean, isBrief: boolean): string {
  if (section === 'issues' && !isBrief) return live.map((one) => `\n\n${issue(one)}`).join('');
  const items = live.map(({ asItem, solution, session }) => {
    const way = section === 'issues' && solution !== undefined ? ` — ${solution}` : '';
    return `\n- ${asItem}${way} (Session: ${session})`;
  });
  return `${isFirst ? '\n' : ''}${items.join('')}`;
}

function issue({ content, solution = 'not stated', discovered, session }: Shown): string {
  return `### ${content}\n\n**Solution:** ${solution}  \n**Discovered:** ${discovered} (Session: ${session})`;
}

function sectionOf({ label }: Cut): Section {
  if (label === 'patterns' || label === 'rules' || label === 'issues') return label;
  throw damaged('the cuts of a text');
}

function countAt(stored: Buffer, { at, level }: Cut): number {
  const digits = stored.toString('latin1', at, at + level);
  if (!/^\d{1,9}$/.test(digits)) throw damaged('the cuts of a text');
  return Number(digits);
}

function textBetween(stored: Buffer, from: number, to: number): string {
  if (from > to || to > stored.length) throw damaged('the cuts of a text');
  try {
    return unescapeText(stored.subarray(from, to));
  } catch {
    throw damaged('the cuts of a text');
  }
}
