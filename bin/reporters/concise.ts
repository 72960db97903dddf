// One line for each problem, for editors, scripts and quick eyes.

import { oneLine } from '../../build/one-line.ts';
import type { Outcome } from '../outcome.ts';
import { printable } from '../terminal.ts';

const MOST_BYTES = 2000;

export function concise({ diagnostics }: Outcome): string {
  return diagnostics
    .map(({ file, line, column, severity, code, what }) => {
      const place = `${shown(file)}:${line}:${column}`;
      return `${place}: ${severity} ${code}: ${shown(what)}\n`;
    })
    .join('');
}

function shown(text: string): string {
  return oneLine(printable(text), MOST_BYTES);
}
