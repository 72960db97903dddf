// Texts of others inside markdown: whatever they hold, they make no cell, no markup, no link, and call nobody.

import { oneLine } from '../../build/one-line.ts';
import { printable } from '../terminal.ts';

const MOST_BYTES = 1000;

/** As prose in a cell of a table. */
export function cell(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*_[\]<>&|~$]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
    .replace(/@(?=\w)|#(?=\d)/g, '$&&#8203;');
}

/** As code in a cell of a table, where nothing is markup but the pipe. */
export function codeCell(text: string): string {
  const line = onOneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || line === '' ? ' ' : '';
  return `${fence}${padding}${line.replaceAll('|', '\\|')}${padding}${fence}`;
}

/** A table; its cells are markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}

function onOneLine(text: string): string {
  return oneLine(printable(text), MOST_BYTES);
}
