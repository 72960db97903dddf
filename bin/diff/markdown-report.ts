// A difference for a pull request: one line, one table of bounded length, the rest folded away. Names are written by
// whoever wrote the guide, so each stands in code: no markup, no mention of people, no link comes out of it.

import { grouped } from '../../runtime/tokens.ts';
import { printable } from '../terminal.ts';
import type { Difference, ResourceChange } from './difference.ts';
import { detailsOf, groupDetails, NOTHING_NOTICED, promptDetails, signed, span, summary } from './words.ts';

const MOST_ROWS = 50;
/** Of each folded list. */
const MOST_LISTED = 200;
const MOST_NAME = 200;
/** Characters of all lists together: a comment on GitHub has at most 65,536. */
const MOST_CHARACTERS = 60_000;

/** As many lines as there is room for, and what is said of the others. */
type Fit = (lines: readonly string[], most: number) => { shown: string[]; more: string[] };

export function markdownReport(difference: Difference): string {
  const { noticed, old, new: fresh, resources } = difference;
  const name = fresh.project === null ? '' : ` ${code(fresh.project)}:`;
  if (!noticed) {
    return blocks([`**Fieldguide**${name} ${NOTHING_NOTICED}.`, ...unseenLine(difference), digests(difference)]);
  }
  const first = old === null ? ' There was no bundle before.' : '';
  const fit = fitting(MOST_CHARACTERS);
  return blocks([
    `**Fieldguide**${name} ${summary(difference)}.${first}`,
    ...table(resources, fit),
    details('Totals and digests', blocks([totals(difference), ...unseenLine(difference), digests(difference)])),
    ...folded('Categories, collections, prompts, instructions', otherLines(difference), fit),
    ...folded('What changed in them', resourceLines(difference), fit),
    ...folded(
      'What is said about files',
      difference.filesInHand.map((place) => `- ${code(place)}`),
      fit,
    ),
  ]);
}

function fitting(characters: number): Fit {
  let room = characters;
  return (lines, most) => {
    const shown: string[] = [];
    for (const line of lines.slice(0, most)) {
      if (line.length > room) break;
      room -= line.length + 1;
      shown.push(line);
    }
    const left = lines.length - shown.length;
    return { shown, more: left > 0 ? [`and ${grouped(left)} more`] : [] };
  };
}

function table(resources: readonly ResourceChange[], fit: Fit): string[] {
  if (resources.length === 0) return [];
  const rows = resources.map(({ change, uri, from, title, bytes, tokens }) => {
    const place = from === undefined ? code(uri) : `${code(from)} → ${code(uri)}`;
    return `| ${change} | ${place} | ${code(title ?? '')} | ${signed(bytes.delta)} | ${signed(tokens.delta)} |`;
  });
  const { shown, more } = fit(rows, MOST_ROWS);
  const head = ['| | Resource | Title | Bytes | Tokens ≈ |', '| --- | --- | --- | ---: | ---: |'];
  return [[...head, ...shown].join('\n'), ...more];
}

function resourceLines({ resources }: Difference): string[] {
  return resources.flatMap((one) => {
    const found = detailsOf(one, code);
    return found.length === 0 ? [] : [`- ${code(one.uri)}: ${found.join('; ')}`];
  });
}

function otherLines({ groups, prompts, instructions, project, notes }: Difference): string[] {
  return [
    ...(project === null ? [] : [`- The project ${code(project.before)} is now ${code(project.after)}.`]),
    ...groups.map((one) => `- ${one.change} ${code(one.uri)}: ${groupDetails(one).join('; ')}`),
    ...prompts.map((one) => {
      const found = [`${signed(one.bytes.delta)} bytes`, ...promptDetails(one, code)];
      return `- ${one.change} prompt ${code(one.name)}: ${found.join('; ')}`;
    }),
    ...(instructions === null ? [] : [`- changed instructions: ${signed(instructions.bytes.delta)} bytes`]),
    ...notes.map((note) => `- ${code(note)}`),
  ];
}

function totals({ totals: { resources, documents, prompts, bytes, tokens } }: Difference): string {
  const rows = Object.entries({
    Resources: resources,
    Documents: documents,
    Prompts: prompts,
    Bytes: bytes,
    'Tokens ≈': tokens,
  });
  return ['| | |', '| --- | --- |', ...rows.map(([label, value]) => `| ${label} | ${span(value)} |`)].join('\n');
}

function unseenLine({ unseen, identical }: Difference): string[] {
  if (identical) return ['The two are the same, byte for byte.'];
  return unseen.length === 0 ? [] : [`Not seen by agents: ${unseen.map(code).join(', ')}.`];
}

function digests({ old, new: fresh }: Difference): string {
  return `Digest ${code(fresh.digest)}, before ${old === null ? 'none' : code(old.digest)}`;
}

function folded(summaryText: string, lines: readonly string[], fit: Fit): string[] {
  if (lines.length === 0) return [];
  const { shown, more } = fit(lines, MOST_LISTED);
  return [details(summaryText, [...shown, ...more.map((words) => `- ${words}`)].join('\n'))];
}

function details(summaryText: string, inside: string): string {
  return `<details>\n<summary>${summaryText}</summary>\n\n${inside.trimEnd()}\n\n</details>`;
}

function blocks(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

/** Inline code that nothing in the text can end, in a table or out of it. */
export function code(text: string): string {
  const line = printable(text.replace(/[\s\p{Cc}]+/gu, ' ').trim());
  const shown = line.length > MOST_NAME ? `${line.slice(0, MOST_NAME)}…` : line;
  if (shown === '') return '';
  if (!/[|\\`]/.test(shown)) return `\`${shown}\``;
  return `<code>${shown.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
}
