// A difference for a terminal: a line for each thing, what changed in it below, totals and digests at the end.

import { grouped } from '../../runtime/tokens.ts';
import { type Paint, printable } from '../terminal.ts';
import type { Difference, Kind } from './difference.ts';
import { detailsOf, groupDetails, NOTHING_NOTICED, promptDetails, span, summary, weightDelta } from './words.ts';

const SIGNS = { added: '+', removed: '-', moved: '>', changed: '~' } as const;
const MOST_PLACES = 20;

export function textReport(difference: Difference, paint: Paint): string {
  const { noticed, resources, groups, prompts, instructions, project, filesInHand, notes } = difference;
  if (!noticed) return `${NOTHING_NOTICED}.\n${beneath(difference)}${digests(difference)}`;
  const line = (change: Kind, name: string, about: string): string => {
    const colour = change === 'removed' ? 'red' : change === 'added' ? 'cyan' : 'yellow';
    return `${paint(colour, `${SIGNS[change]} ${name}`)}  ${paint('dim', about)}`;
  };
  const below = (details: readonly string[]): string[] => details.map((detail) => `    ${detail}`);
  const quoted = (name: string): string => JSON.stringify(oneLine(name));
  const places = filesInHand.slice(0, MOST_PLACES).map((place) => `    ${oneLine(place)}`);
  const morePlaces = filesInHand.length - places.length;
  const lines = [
    ...(difference.old === null ? ['There was no bundle before.'] : []),
    ...(project === null ? [] : [`~ project ${quoted(project.before)} is now ${quoted(project.after)}`]),
    ...resources.flatMap((one) => {
      const name = one.from === undefined ? oneLine(one.uri) : `${oneLine(one.from)} → ${oneLine(one.uri)}`;
      const title = one.title === undefined ? '' : `${oneLine(one.title)}  `;
      return [line(one.change, name, `${title}${weightDelta(one)}`), ...below(detailsOf(one, quoted))];
    }),
    ...groups.map((one) => line(one.change, oneLine(one.uri), groupDetails(one).join('; '))),
    ...prompts.flatMap((one) => [
      line(one.change, `prompt ${oneLine(one.name)}`, weightDelta(one)),
      ...below(promptDetails(one, quoted)),
    ]),
    ...(instructions === null ? [] : [line('changed', 'instructions', weightDelta(instructions))]),
    ...(filesInHand.length === 0 ? [] : ['~ what is said about files', ...places]),
    ...(morePlaces > 0 ? [`    and ${grouped(morePlaces)} more`] : []),
    ...notes.map((note) => `~ ${oneLine(note)}`),
  ];
  return `${lines.join('\n')}\n\n${summary(difference)}\n${totals(difference)}${beneath(difference)}${digests(difference)}`;
}

function totals({ totals: { resources, documents, prompts, bytes, tokens } }: Difference): string {
  const rows = Object.entries({ resources, documents, prompts, bytes, 'tokens ≈': tokens });
  return rows.map(([label, value]) => `${label.padEnd(10)} ${span(value)}\n`).join('');
}

function beneath({ unseen, identical }: Difference): string {
  if (identical) return 'The two are the same, byte for byte.\n';
  return unseen.length === 0 ? '' : `Not seen by agents: ${unseen.map(oneLine).join(', ')}.\n`;
}

function digests({ old, new: fresh }: Difference): string {
  return `${'old'.padEnd(10)} ${old?.digest ?? 'none'}\n${'new'.padEnd(10)} ${fresh.digest}\n`;
}

function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}
