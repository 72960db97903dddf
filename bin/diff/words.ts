// The words that both reports of a difference use.

import { grouped } from '../../runtime/tokens.ts';
import { size } from '../terminal.ts';
import type { Difference, GroupChange, Measure, PromptChange, ResourceChange, Weight } from './difference.ts';
import type { SectionChanges } from './sections.ts';

export const NOTHING_NOTICED = 'No difference an agent would notice';
const MOST_NAMED = 10;

/** `2 added, 1 removed; +3.1 KB, ≈+750 tokens` */
export function summary(difference: Difference): string {
  const { resources, groups, prompts, instructions, project, filesInHand, notes, totals } = difference;
  const count = (kind: string): string[] => {
    const found = resources.filter(({ change }) => change === kind).length;
    return found === 0 ? [] : [`${grouped(found)} ${kind}`];
  };
  const told = [
    ...['added', 'removed', 'moved', 'changed'].flatMap(count),
    ...counted(groups.length, 'category or collection', 'categories and collections'),
    ...counted(prompts.length, 'prompt', 'prompts'),
    ...(instructions === null ? [] : ['the instructions']),
    ...(project === null ? [] : ['the name of the project']),
    ...counted(filesInHand.length, 'page about a file', 'pages about files'),
    ...counted(notes.length, 'note', 'notes'),
  ];
  return `${told.join(', ')}; ${weightDelta(totals)}`;
}

function counted(count: number, one: string, more: string): string[] {
  return count === 0 ? [] : [`${grouped(count)} ${count === 1 ? one : more}`];
}

/** `+3.1 KB, ≈+750 tokens` */
export function weightDelta({ bytes, tokens }: Weight): string {
  const sign = bytes.delta < 0 ? '-' : '+';
  return `${sign}${size(Math.abs(bytes.delta))}, ≈${signed(tokens.delta)} tokens`;
}

export function signed(count: number): string {
  return `${count < 0 ? '-' : '+'}${grouped(Math.abs(count))}`;
}

export function span({ before, after, delta }: Measure): string {
  return delta === 0 ? grouped(after) : `${grouped(before)} → ${grouped(after)} (${signed(delta)})`;
}

export type Show = (name: string) => string;

/** `sections: changed a, b; added c`, `title, description`; `show` makes the names safe for where they go. */
export function detailsOf({ fields, sections }: ResourceChange, show: Show): string[] {
  return [...(sections === undefined ? [] : sectionWords(sections, show)), ...also(fields)];
}

function sectionWords({ added, removed, changed, reordered }: SectionChanges, show: Show): string[] {
  const parts = Object.entries({ changed, added, removed })
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind} ${named(names, show)}`);
  if (reordered === true) parts.push('in another order');
  return parts.length === 0 ? [] : [`sections: ${parts.join('; ')}`];
}

export function groupDetails({ fields, added, removed, documents }: GroupChange): string[] {
  const came = added.length === 0 ? [] : [`${grouped(added.length)} came`];
  const went = removed.length === 0 ? [] : [`${grouped(removed.length)} went`];
  const order = came.length + went.length + fields.length === 0 ? ['in another order'] : [];
  return [
    `documents ${span(documents)}${[...came, ...went, ...order].map((word) => `, ${word}`).join('')}`,
    ...also(fields),
  ];
}

export function promptDetails(prompt: PromptChange, show: Show): string[] {
  const parts = Object.entries(prompt.arguments)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind} ${named(names, show)}`);
  return [
    ...(parts.length === 0 ? [] : [`arguments: ${parts.join('; ')}`]),
    ...also(prompt.fields.filter((field) => field !== 'arguments' || parts.length === 0)),
  ];
}

function also(fields: readonly string[]): string[] {
  return fields.length === 0 ? [] : [fields.join(', ')];
}

function named(names: readonly string[], show: Show): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).map(show).join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}
