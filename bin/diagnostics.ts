// Diagnostics for a terminal: the place, what, the source line with a caret, why, and what to do.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../build/diagnostics.ts';
import { type Paint, painter, printable } from './terminal.ts';

export function printDiagnostics(diagnostics: readonly Diagnostic[], root: string): void {
  const paint = painter(process.stderr);
  const files = new Map<string, string[]>();
  for (const diagnostic of diagnostics) {
    const lines = files.get(diagnostic.file) ?? readLines(join(root, diagnostic.file));
    files.set(diagnostic.file, lines);
    process.stderr.write(diagnosticText(printableParts(diagnostic), lines[diagnostic.line - 1], paint));
  }
}

/** Names of files are written by whoever made them. */
function printableParts(diagnostic: Diagnostic): Diagnostic {
  const { file, what, fix } = diagnostic;
  return { ...diagnostic, file: printable(file), what: printable(what), fix: printable(fix) };
}

function readLines(file: string): string[] {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= MOST_SHOWN_BYTES ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
  } catch {
    return [];
  }
}

export function diagnosticText(diagnostic: Diagnostic, line: string | undefined, paint: Paint): string {
  const { file, column, severity, code, what, why, fix } = diagnostic;
  const colour = severity === 'error' ? 'red' : 'yellow';
  const head = `${paint('bold', `${file}:${diagnostic.line}:${column}`)} ${paint(colour, severity)} ${code}: ${what}`;
  return [head, ...excerpt(line, column, paint), `  ${why}`, `  ${paint('cyan', 'help:')} ${fix}`, '', ''].join('\n');
}

const WIDTH = 100;
const MOST_SHOWN_BYTES = 4 * 1024 * 1024;

/** The line and a caret under the column; long lines are shown around it. */
function excerpt(line: string | undefined, column: number, paint: Paint): string[] {
  if (line === undefined || line.trim() === '') return [];
  const from = Math.max(0, column - 1 - WIDTH / 2);
  const shown = line.slice(from, from + WIDTH).replace(/[\t\p{Cc}]/gu, ' ');
  return [`    ${shown}`, `    ${' '.repeat(Math.max(0, column - 1 - from))}${paint('red', '^')}`];
}
