// Diagnostics for a terminal: the place, what, the source line with a caret, why, and what to do.

import type { Diagnostic } from '../build/diagnostics.ts';
import { type Paint, painter } from './terminal.ts';

export function printDiagnostics(diagnostics: readonly Diagnostic[], source: string | undefined): void {
  const paint = painter(process.stderr);
  const lines = source?.split(/\r?\n/) ?? [];
  for (const diagnostic of diagnostics)
    process.stderr.write(diagnosticText(diagnostic, lines[diagnostic.line - 1], paint));
}

export function diagnosticText(diagnostic: Diagnostic, line: string | undefined, paint: Paint): string {
  const { file, column, severity, code, what, why, fix } = diagnostic;
  const colour = severity === 'error' ? 'red' : 'yellow';
  const head = `${paint('bold', `${file}:${diagnostic.line}:${column}`)} ${paint(colour, severity)} ${code}: ${what}`;
  return [head, ...excerpt(line, column, paint), `  ${why}`, `  ${paint('cyan', 'help:')} ${fix}`, '', ''].join('\n');
}

const WIDTH = 100;

/** The line and a caret under the column; long lines are shown around it. */
function excerpt(line: string | undefined, column: number, paint: Paint): string[] {
  if (line === undefined || line.trim() === '') return [];
  const from = Math.max(0, column - 1 - WIDTH / 2);
  const shown = line.slice(from, from + WIDTH).replace(/[\t\p{Cc}]/gu, ' ');
  return [`    ${shown}`, `    ${' '.repeat(Math.max(0, column - 1 - from))}${paint('red', '^')}`];
}
