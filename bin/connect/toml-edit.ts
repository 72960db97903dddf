// Puts one table into a TOML file as text, and takes it out again. No writer of TOML keeps comments, so a piece
// of text is put in or taken out, and the file is parsed again: unless all else is equal, it is left alone.

import { isDeepStrictEqual } from 'node:util';
import type { Entry, Spot } from './clients.ts';
import { tableBodies, withBody, withoutBody, withValues } from './toml-table.ts';
import { newlineOf, parseToml, type Table, tomlText } from './toml-text.ts';
import { Unfit } from './unfit.ts';

export function withTable(before: string | undefined, spot: Spot, entry: Entry): string {
  if (before === undefined) return `${tableText(spot, entry, '\n')}\n`;
  const newline = newlineOf(before);
  const present = findEntry(parseToml(before), spot);
  if (present === undefined) {
    const text = tableText(spot, entry, newline);
    const isEnded = before === '' || before.endsWith('\n');
    const after = `${before}${newline}${isEnded ? `${text}${newline}` : `${newline}${text}`}`;
    if (isOnlyOurs(before, after, spot, entry) && withoutTable(after, spot) === before) return after;
    throw new Unfit('does not take a table at its end');
  }
  if (holds(present, entry)) return before;
  const isOther = isTable(present) && 'url' in present;
  const updated = tableBodies(before, spot)
    .map((body) =>
      isOther ? withBody(before, body, tableText(spot, entry, newline)) : withValues(before, body, entry),
    )
    .find((after) => isOnlyOurs(before, after, spot, entry));
  if (updated === undefined) throw new Unfit(notATable(spot));
  return updated;
}

export function hasTable(text: string, spot: Spot): boolean {
  return findEntry(parseToml(text), spot) !== undefined;
}

/** The text without the table; undefined when the file has to go; the same text when there is no table. */
export function withoutTable(text: string, spot: Spot): string | undefined {
  const present = findEntry(parseToml(text), spot);
  if (present === undefined) return text;
  if (isEntry(present) && text === `${tableText(spot, present, '\n')}\n`) return undefined;
  const without = tableBodies(text, spot)
    .map((body) => withoutBody(text, body))
    .find((after) => isOnlyOurs(after, text, spot, {}) && !hasTable(after, spot));
  if (without === undefined) throw new Unfit(notATable(spot));
  return without;
}

function notATable({ container, key }: Spot): string {
  return `has a ${container}.${key} that is not written as a table of its own`;
}

export function tableText({ container, key }: Spot, entry: Entry, newline: string): string {
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${tomlText(value)}`);
  return [`[${container}.${key}]`, ...lines].join(newline);
}

function findEntry(root: Table, { container, key }: Spot): unknown {
  const tables = root[container];
  if (tables === undefined) return undefined;
  if (!isTable(tables)) throw new Unfit(`has no table under ${container}`);
  return Object.hasOwn(tables, key) ? tables[key] : undefined;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Whether it has nothing but values of the kinds that we write. */
function isEntry(value: unknown): value is Entry {
  const isText = (item: unknown): boolean => typeof item === 'string';
  return (
    isTable(value) && Object.values(value).every((item) => (Array.isArray(item) ? item.every(isText) : isText(item)))
  );
}

function holds(present: unknown, entry: Entry): boolean {
  return isTable(present) && Object.entries(entry).every(([name, value]) => isDeepStrictEqual(present[name], value));
}

/** Whether the texts differ in the entry alone, which `after` has. */
function isOnlyOurs(before: string, after: string, spot: Spot, entry: Entry): boolean {
  try {
    const now = parseToml(after);
    return (
      holds(findEntry(now, spot), entry) && isDeepStrictEqual(foreign(parseToml(before), spot), foreign(now, spot))
    );
  } catch {
    return false;
  }
}

/** All but the entry; a table that held nothing else may come and go with it. */
function foreign(root: Table, { container, key }: Spot): Table {
  const tables = root[container];
  if (isTable(tables)) {
    delete tables[key];
    if (Object.keys(tables).length === 0) delete root[container];
  }
  return root;
}
