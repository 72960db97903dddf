// How our own JSON is laid out in somebody else's file: with its line breaks and its indentation. The same
// value has several layouts, so that taking it out can tell what had been there (json-edit.ts).

import type { JsonObject } from './json-tree.ts';

export type Style = { newline: string; unit: string };

/**
 * `lines`: an object has a line for each member, a list is one line, or one for each object in it; `spread`:
 * everything has lines; `line` and `tight`: everything on one line, with and without spaces inside braces.
 */
export type Layout = 'lines' | 'spread' | 'line' | 'tight';

/** In the order in which they please; an object on one line stays on it. */
export function layoutsFor(text: string, { open, members: [first] }: JsonObject): readonly Layout[] {
  const isOneLine = first !== undefined && !text.slice(open, first.from).includes('\n');
  return isOneLine ? ['tight'] : ['lines', 'spread', 'line', 'tight'];
}

export function styleOf(text: string, root: JsonObject): Style {
  const [first] = root.members;
  const indent = first !== undefined && startsItsLine(text, first.from) ? indentAt(text, first.from) : '';
  const unit = indent.slice(indentAt(text, root.open).length);
  return { newline: /\r?\n/.exec(text)?.[0] ?? '\n', unit: unit === '' ? '  ' : unit };
}

export function laidOut(value: unknown, layout: Layout, style: Style, indent: string): string {
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + style.unit;
  const holdsObjects = isList && value.some((item) => typeof item === 'object' && item !== null);
  const isLineEach = layout === 'lines' && holdsObjects;
  const part = (item: unknown): string => laidOut(item, isLineEach ? 'line' : layout, style, inner);
  const parts = isList
    ? value.map(part)
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${part(item)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  if (layout === 'spread' || isLineEach || (layout === 'lines' && !isList)) {
    const lines = parts.map((text) => `${style.newline}${inner}${text}`);
    return `${open}${lines.join(',')}${style.newline}${indent}${close}`;
  }
  const space = (layout === 'tight' ? holdsObjects : !isList) ? ' ' : '';
  return `${open}${space}${parts.join(', ')}${space}${close}`;
}

/** What the line of this offset starts with. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

/** Where the line break is that has only blanks between itself and the offset. */
export function findBreakBefore(text: string, offset: number): number | undefined {
  const match = /\r?\n[ \t]*$/.exec(text.slice(0, offset));
  return match?.index;
}

export function startsItsLine(text: string, offset: number): boolean {
  return findBreakBefore(text, offset) !== undefined;
}
