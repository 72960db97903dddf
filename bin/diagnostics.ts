// Diagnostics for a terminal: the place, what, the source line with a caret, why, and what to do.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Code, Diagnostic } from '../build/diagnostics.ts';
import { type Paint, printable } from './terminal.ts';

/** The lines of a source file; none when it is not there or too long to look at. */
export type Lines = (file: string) => readonly string[];

/** What is never printed, and what is no text. */
const NOT_SHOWN: readonly Code[] = ['secret-probable', 'bundle-missing', 'bundle-stale'];

export function diagnosticsText(diagnostics: readonly Diagnostic[], lines: Lines, paint: Paint): string {
  const hidden = new Set(diagnostics.filter(({ code }) => NOT_SHOWN.includes(code)).map(lineKey));
  return diagnostics
    .map((diagnostic) => {
      const line = hidden.has(lineKey(diagnostic)) ? undefined : lines(diagnostic.file)[diagnostic.line - 1];
      return diagnosticText(printableParts(diagnostic), line, paint);
    })
    .join('');
}

function lineKey({ file, line }: Diagnostic): string {
  return `${line} ${file}`;
}

/** Each file is read once. */
export function linesUnder(root: string): Lines {
  const files = new Map<string, readonly string[]>();
  return (file) => {
    const lines = files.get(file) ?? readLines(join(root, file));
    files.set(file, lines);
    return lines;
  };
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

function diagnosticText(diagnostic: Diagnostic, line: string | undefined, paint: Paint): string {
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
