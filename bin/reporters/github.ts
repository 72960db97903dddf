// Workflow commands of GitHub Actions, which become annotations of a pull request. A run shows ten of each
// level, so errors come first and the rest is counted; the job summary lists more.

import type { Diagnostic, Severity } from '../../build/diagnostics.ts';
import { counted, errorsFirst, type Outcome, summaryLine } from '../outcome.ts';
import { printable } from '../terminal.ts';

const MOST_OF_ONE_LEVEL = 10;

export function github(outcome: Outcome): string {
  const lines = [
    ...annotations(outcome, 'error', outcome.errors),
    ...annotations(outcome, 'warning', outcome.warnings),
    summaryLine(outcome),
  ];
  return `${lines.join('\n')}\n`;
}

function annotations(outcome: Outcome, level: Severity, all: number): string[] {
  const shown = errorsFirst(outcome)
    .filter(({ severity }) => severity === level)
    .slice(0, MOST_OF_ONE_LEVEL);
  const more = all - shown.length;
  return [
    ...shown.map((diagnostic) => annotation(diagnostic, outcome.prefix)),
    ...(more > 0 ? [`and ${counted(more, `more ${level}`)}`] : []),
  ];
}

function annotation({ file, line, column, severity, code, what, fix }: Diagnostic, prefix: string): string {
  const place = `file=${property(prefix + file)},line=${line},col=${column},title=${property(code)}`;
  return `::${severity} ${place}::${message(`${what}\n${fix}`)}`;
}

/** A line of its own would be a command of its own. */
function message(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
