// A report for a job summary or a comment of a pull request: the sum, the problems, the facts of the bundle.
// A comment holds 65,536 characters, so the table of problems ends before.

import { grouped } from '../../runtime/tokens.ts';
import { counted, errorsFirst, type Outcome, summaryLine } from '../outcome.ts';
import { size } from '../terminal.ts';
import { cell, codeCell, table } from './markdown-text.ts';

const MOST_ROWS = 100;
const MOST_CHARACTERS = 50_000;

export function markdown(outcome: Outcome): string {
  return [`## Fieldguide: ${summaryLine(outcome)}\n`, ...problems(outcome), ...facts(outcome)].join('\n');
}

function problems(outcome: Outcome): string[] {
  const rows: string[][] = [];
  let characters = 0;
  for (const { file, line, column, severity, code, what, fix } of errorsFirst(outcome)) {
    const row = [
      severity,
      codeCell(`${outcome.prefix}${file}:${line}:${column}`),
      codeCell(code),
      cell(`${what} ${fix}`),
    ];
    characters += row.join(' | ').length;
    if (rows.length === MOST_ROWS || characters > MOST_CHARACTERS) break;
    rows.push(row);
  }
  const more = outcome.errors + outcome.warnings - rows.length;
  return [
    ...(rows.length > 0 ? [table(['severity', 'place', 'code', 'problem'], rows)] : []),
    ...(more > 0 ? [`and ${counted(more, 'more problem')}\n`] : []),
  ];
}

function facts({ bundle, check }: Outcome): string[] {
  if (bundle === undefined) return [];
  const rows = [
    ['project', cell(bundle.name)],
    ...(check === undefined ? [] : [['bundle on disk', check.state]]),
    ['digest', codeCell(bundle.digest)],
    ['size', size(bundle.bytes)],
    ['documents', grouped(bundle.documents)],
    ['resources', grouped(bundle.resources)],
    ['tokens', `≈${grouped(bundle.tokens)}`],
  ];
  return [table(['bundle', ''], rows)];
}
