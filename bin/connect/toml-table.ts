// Finds a table in TOML by its header line, and a value by its name. Lines inside long strings may look the
// same; whoever uses these ranges parses the outcome and compares.

import type { Entry, Spot } from './clients.ts';
import { newlineOf, parseToml, tomlText } from './toml-text.ts';

export type Range = { from: number; to: number };

/** The table, its sub-tables right after it, and the empty line before it. */
export function tableRange(text: string, spot: Spot): Range | undefined {
  const body = tableBody(text, spot);
  if (body === undefined) return undefined;
  const blank = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, body.from))?.[1] ?? '';
  const isUnended = text[body.to - 1] !== '\n';
  const broken = isUnended ? (/\r?\n$/.exec(text.slice(0, body.from - blank.length))?.[0] ?? '') : '';
  return { from: body.from - blank.length - broken.length, to: body.to };
}

/** From the header to the end of the last line that says something; comments below belong to what follows. */
function tableBody(text: string, spot: Spot): Range | undefined {
  const from = [...text.matchAll(/^[ \t]*\[[^\r\n]*/gm)].find(([line]) => headerName(line) === nameOf(spot))?.index;
  if (from === undefined) return undefined;
  let to = from;
  let at = from;
  for (const line of text.slice(from).split(/(?<=\n)/)) {
    const name = headerName(line);
    if (at > from && name !== undefined && !name.startsWith(`${nameOf(spot)}.`)) break;
    at += line.length;
    if (!/^[ \t]*(?:#|\r?\n|$)/.test(line)) to = at;
  }
  return { from, to };
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

export function replacedTable(text: string, spot: Spot, table: string): string | undefined {
  const body = tableBody(text, spot);
  if (body === undefined) return undefined;
  const newline = text[body.to - 1] === '\n' ? newlineOf(text) : '';
  return `${text.slice(0, body.from)}${table}${newline}${text.slice(body.to)}`;
}

/** Values that are there are replaced in their own range; others get a line below the header. */
export function replacedValues(text: string, spot: Spot, entry: Entry): string | undefined {
  let done = text;
  for (const [name, value] of Object.entries(entry).reverse()) {
    const body = tableBody(done, spot);
    if (body === undefined) return undefined;
    const range = findValue(done, body, name);
    const { from, to } = range ?? lineBelow(done, body);
    const piece = range === undefined ? `${name} = ${tomlText(value)}${newlineOf(done)}` : tomlText(value);
    done = done.slice(0, from) + piece + done.slice(to);
  }
  return done;
}

function lineBelow(text: string, body: Range): Range {
  const at = text.indexOf('\n', body.from) + 1;
  return { from: at, to: at };
}

const MOST_VALUE_LENGTH = 4096;

/** The shortest text after `name =` that is a value by itself and ends its line. */
function findValue(text: string, body: Range, name: string): Range | undefined {
  const table = text.slice(body.from, body.to);
  const match = new RegExp(`^[ \\t]*(?:${name}|"${name}"|'${name}')[ \\t]*=[ \\t]*`, 'm').exec(table);
  if (match === null) return undefined;
  const from = body.from + match.index + match[0].length;
  const rest = text.slice(from, Math.min(body.to, from + MOST_VALUE_LENGTH));
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
