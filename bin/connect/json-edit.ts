// Puts one entry into a JSON file, and takes it out again so that not a byte is different. An entry goes in
// first, in one piece right after the brace: nothing of others moves, and no comma of theirs is touched. That
// alone does not tell whether an empty object, or the file, had been there before; the layout of our own text
// does. So adding asks taking out, before anything is written, and takes the first layout that comes back.

import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import type { Entry, Spot } from './clients.ts';
import {
  findBreakBefore,
  indentAt,
  type Layout,
  laidOut,
  layoutsFor,
  type Style,
  startsItsLine,
  styleOf,
} from './json-layout.ts';
import {
  findComma,
  findMember,
  type JsonObject,
  type JsonSyntax,
  type Member,
  objectOf,
  parseRoot,
} from './json-tree.ts';
import { updatedEntry } from './json-update.ts';
import { isUnfit, Unfit } from './unfit.ts';

export type Place = Spot & {
  syntax: JsonSyntax;
  /** A member that a file of this kind starts with when it is made. */
  opening?: string | undefined;
};

export function withEntry(before: string | undefined, place: Place, entry: Entry): string {
  const present = before === undefined ? undefined : findEntry(before, place);
  if (before !== undefined && present !== undefined) {
    return updatedEntry(before, present, entry, styleOf(before, parseRoot(before, place.syntax)));
  }
  return withNewEntry(before, place, entry, (after) => withoutEntry(after, place) === before);
}

/** Of an entry that is not there yet. */
export function withNewEntry(
  before: string | undefined,
  place: Place,
  value: unknown,
  comesBack: (after: string) => boolean,
): string {
  if (before === undefined) return wholeFile(place, value);
  const root = parseRoot(before, place.syntax);
  const container = findMember(before, root, place.container);
  if (container === undefined) {
    const layouts = layoutsFor(before, root).filter((layout) => layout !== 'spread');
    return theOneThatComesBack(layouts, (layout) => withContainer(before, place, value, layout), comesBack);
  }
  const object = objectOf(before, container);
  const style = styleOf(before, root);
  return theOneThatComesBack(
    layoutsFor(before, object),
    (layout) => withFirst(before, object, style, layout, (indent) => entryText(place, value, layout, style, indent)),
    comesBack,
  );
}

export function hasEntry(text: string, place: Place): boolean {
  return findEntry(text, place) !== undefined;
}

function findEntry(text: string, place: Place): Member | undefined {
  const container = findMember(text, parseRoot(text, place.syntax), place.container);
  return container === undefined ? undefined : findMember(text, objectOf(text, container), place.key);
}

/** The text without the entry; undefined when the file has to go; the same text when there is no entry. */
export function withoutEntry(text: string, place: Place): string | undefined {
  const root = parseRoot(text, place.syntax);
  const container = findMember(text, root, place.container);
  if (container === undefined) return text;
  const object = objectOf(text, container);
  const present = findMember(text, object, place.key);
  if (present === undefined) return text;
  const entry: unknown = getNodeValue(present.value);
  if (text === wholeFile(place, entry)) return undefined;
  const isAlone = object.members.length === 1 && root.members[0] === container;
  return (
    (isAlone ? withoutContainer(text, place, entry, root, container) : undefined) ?? cutMember(text, object, present)
  );
}

export function theOneThatComesBack(
  layouts: readonly Layout[],
  edit: (layout: Layout) => string,
  comesBack: (after: string) => boolean,
): string {
  const after = layouts.map(edit).find(comesBack);
  if (after === undefined) throw new Unfit('cannot be edited so that --remove would bring it back');
  return after;
}

function wholeFile(place: Place, value: unknown): string {
  const made = `${withContainer('{}', place, value, 'lines')}\n`;
  return place.opening === undefined ? made : made.replace('{', () => `{\n  ${place.opening},`);
}

function withContainer(text: string, place: Place, value: unknown, layout: Layout): string {
  const root = parseRoot(text, place.syntax);
  const style = styleOf(text, root);
  return withFirst(text, root, style, layout, (indent) => containerText(place, value, layout, style, indent));
}

function containerText(place: Place, value: unknown, layout: Layout, style: Style, indent: string): string {
  const name = JSON.stringify(place.container);
  if (layout !== 'lines') return `${name}: { ${entryText(place, value, 'line', style, '')} }`;
  const inner = `${style.newline}${indent}${style.unit}`;
  const text = entryText(place, value, layout, style, indent + style.unit);
  return `${name}: {${inner}${text}${style.newline}${indent}}`;
}

function entryText({ key }: Place, value: unknown, layout: Layout, style: Style, indent: string): string {
  return `${JSON.stringify(key)}: ${laidOut(value, layout, style, indent)}`;
}

/** A comment that ends the line of the brace stays on that line. */
const COMMENT_OF_BRACE = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)(?=\r?\n)/;

export function withFirst(
  text: string,
  object: JsonObject,
  style: Style,
  layout: Layout,
  memberText: (indent: string) => string,
): string {
  const inside = text.slice(object.open + 1, object.close);
  const [first] = object.members;
  const comma = first === undefined ? '' : ',';
  if (layout === 'tight') return inserted(text, object.open + 1, `${memberText('')}${comma}`);
  const at = object.open + 1 + (COMMENT_OF_BRACE.exec(inside)?.[0].length ?? 0);
  const outer = indentAt(text, object.open);
  const indent =
    first !== undefined && startsItsLine(text, first.from) ? indentAt(text, first.from) : outer + style.unit;
  const tail = first === undefined && !inside.includes('\n') ? `${style.newline}${outer}` : '';
  return inserted(text, at, `${style.newline}${indent}${memberText(indent)}${comma}${tail}`);
}

/** Undefined when the container is not as we make it. */
function withoutContainer(
  text: string,
  place: Place,
  value: unknown,
  root: JsonObject,
  container: Member,
): string | undefined {
  const to = text[container.to] === ',' ? container.to + 1 : container.to;
  const isTight = text.slice(container.from, container.to) === containerText(place, value, 'tight', NO_STYLE, '');
  if (isTight && container.from === root.open + 1) return cut(text, container.from, to);
  const from = findBreakBefore(text, container.from);
  if (from === undefined) return undefined;
  const kept = cut(text, from, to);
  const closed = root.members.length === 1 ? cut(text, from, root.close) : kept;
  const isMadeFrom = (candidate: string, layout: Layout): boolean => madeFrom(candidate, place, value, layout) === text;
  if (isMadeFrom(closed, 'lines')) return closed;
  return isMadeFrom(kept, 'lines') || isMadeFrom(kept, 'line') ? kept : undefined;
}

const NO_STYLE: Style = { newline: '', unit: '' };

/** Undefined for a text that would not parse. */
function madeFrom(candidate: string, place: Place, value: unknown, layout: Layout): string | undefined {
  try {
    return withContainer(candidate, place, value, layout);
  } catch (error) {
    if (isUnfit(error)) return undefined;
    throw error;
  }
}

/** What follows an entry on lines of its own; else a comment before it would take in what comes after. */
const END_OF_LINE = /^[ \t]*(?:\/\/[^\r\n]*)?(?:\r?\n|$)/;

export function cutMember(text: string, object: JsonObject, { from, to, value }: Member): string {
  const end = text[to] === ',' ? to + 1 : to;
  const isAlone = object.members.length === 1;
  if (from === object.open + 1 && (end > to || isAlone)) return cut(text, from, end);
  const start = (END_OF_LINE.test(text.slice(end)) ? findBreakBefore(text, from) : undefined) ?? from;
  const comma = findComma(text, to);
  if (comma !== undefined) return cut(cut(text, comma, comma + 1), start, to);
  const previous = object.members.at(-2);
  const commaBefore = previous === undefined ? undefined : findComma(text, previous.to);
  if (commaBefore !== undefined) return cut(cut(text, start, to), commaBefore, commaBefore + 1);
  const isOnLines = text.slice(value.offset, to).includes('\n');
  const isTailOfOurs = /^\r?\n([ \t]*)$/.exec(text.slice(to, object.close))?.[1] === indentAt(text, object.open);
  return cut(text, start, isOnLines && isTailOfOurs && start === object.open + 1 ? object.close : to);
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

function inserted(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}
