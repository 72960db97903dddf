// Finds a table in TOML by its header line, and a value by its name. Lines inside long strings may look the
// same; whoever uses these ranges parses the outcome and compares.

import type { Entry, Spot } from './clients.ts';
import { newlineOf, parseToml, tomlText } from './toml-text.ts';

export type Range = { from: number; to: number };

/** More headers of one name than this are no table, but text that somebody made to look like it. */
const MOST_BODIES = 8;

/** The stretches that look like the table: from its header to the last line that says something. */
export function tableBodies(text: string, spot: Spot): Range[] {
  return [...text.matchAll(/^[ \t]*\[[^\r\n]*/gm)]
    .filter(([line]) => headerName(line) === nameOf(spot))
    .slice(-MOST_BODIES)
    .map(({ index }) => ({ from: index, to: endOfTable(text, index, spot) }));
}

/** Sub-tables right after it belong to it; comments below belong to what follows. */
function endOfTable(text: string, from: number, spot: Spot): number {
  let to = from;
  let at = from;
  for (const line of text.slice(from).split(/(?<=\n)/)) {
    const name = headerName(line);
    if (at > from && name !== undefined && !name.startsWith(`${nameOf(spot)}.`)) break;
    at += line.length;
    if (!/^[ \t]*(?:#|\r?\n|$)/.test(line)) to = at;
  }
  return to;
}

/** The text without a table and the empty line before it. */
export function withoutBody(text: string, body: Range): string {
  const blank = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, body.from))?.[1] ?? '';
  const isUnended = text[body.to - 1] !== '\n';
  const broken = isUnended ? (/\r?\n$/.exec(text.slice(0, body.from - blank.length))?.[0] ?? '') : '';
  return text.slice(0, body.from - blank.length - broken.length) + text.slice(body.to);
}

function nameOf({ container, key }: Spot): string {
  return `${container}.${key}`;
}

/** `a.b` of a line `[ a . "b" ]`; undefined for any other line. */
function headerName(line: string): string | undefined {
  const [, inside] = /^[ \t]*\[\[?([^[\]]*)\]\]?[ \t]*(?:#.*)?[\r\n]*$/.exec(line) ?? [];
  return inside
    ?.split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');
}

export function withBody(text: string, body: Range, table: string): string {
  const newline = text[body.to - 1] === '\n' ? newlineOf(text) : '';
  return `${text.slice(0, body.from)}${table}${newline}${text.slice(body.to)}`;
}

/** Values that are there are replaced in their own range; others get a line below the header. */
export function withValues(text: string, { from: start, to: end }: Range, entry: Entry): string {
  let body = text.slice(start, end);
  for (const [name, value] of Object.entries(entry).reverse()) {
    const range = findValue(body, name);
    const { from, to } = range ?? lineBelow(body);
    const piece = range === undefined ? `${name} = ${tomlText(value)}${newlineOf(text)}` : tomlText(value);
    body = body.slice(0, from) + piece + body.slice(to);
  }
  return text.slice(0, start) + body + text.slice(end);
}

function lineBelow(body: string): Range {
  const at = body.indexOf('\n') + 1;
  return { from: at, to: at };
}

const MOST_VALUE_LENGTH = 4096;

/** The shortest text after `name =` that is a value by itself and ends its line. */
function findValue(body: string, name: string): Range | undefined {
  const match = new RegExp(`^[ \\t]*(?:${name}|"${name}"|'${name}')[ \\t]*=[ \\t]*`, 'm').exec(body);
  if (match === null) return undefined;
  const from = match.index + match[0].length;
  const rest = body.slice(from, from + MOST_VALUE_LENGTH);
  for (const { index } of rest.matchAll(/(?=[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$))/g)) {
    if (index > 0 && isValue(rest.slice(0, index))) return { from, to: from + index };
  }
  return undefined;
}

function isValue(text: string): boolean {
  try {
    parseToml(`v = ${text}`);
    return !/[ \t]$/.test(text);
  } catch {
    return false;
  }
}
