// Puts one hook into the list of an event in a JSON file, and takes it out again so that not a byte is
// different. A list that is not there is an entry like a server's (json-edit.ts); in one that is there the hook
// goes first, in one piece right after the bracket. Our own hook is known by its command.

import { getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isHookCommand } from './hook-command.ts';
import { cutMember, type Place, theOneThatComesBack, withFirst, withNewEntry, withoutEntry } from './json-edit.ts';
import { indentAt, laidOut, layoutsFor, styleOf } from './json-layout.ts';
import { findMember, type JsonObject, type Member, objectAt, objectOf, parseRoot } from './json-tree.ts';
import { replaced } from './json-update.ts';
import { placeAt, Unfit } from './unfit.ts';

export function withHook(before: string | undefined, place: Place, item: object, command: string): string {
  const comesBack = (after: string): boolean => withoutHook(after, place) === before;
  const found = before === undefined ? undefined : findList(before, place);
  if (before === undefined || found === undefined) return withNewEntry(before, place, [item], comesBack);
  const { list } = found;
  const ours = list.members.flatMap(({ value }) => handlersOf(value).filter(isOurs));
  if (ours.length > 0) return withCommand(before, ours, command);
  const style = styleOf(before, parseRoot(before, place.syntax));
  return theOneThatComesBack(
    layoutsFor(before, list),
    (layout) => withFirst(before, list, style, layout, (indent) => laidOut(item, layout, style, indent)),
    comesBack,
  );
}

export function hasHook(text: string, place: Place): boolean {
  return findOurs(text, place) !== undefined;
}

/** The text without our hooks in this list; undefined when the file has to go. */
export function withoutHook(text: string, place: Place): string | undefined {
  const found = findOurs(text, place);
  if (found === undefined) return text;
  const { event, list, item } = found;
  if (list.members.length === 1 && isAsWeMakeIt(text, event, place)) return withoutEntry(text, place);
  return withoutHook(cutHook(text, list, item), place);
}

/** A group with handlers of others loses ours alone. */
function cutHook(text: string, list: JsonObject, item: Member): string {
  const handlers = handlersOf(item.value);
  const ours = handlers.find(isOurs);
  if (ours === undefined || handlers.every(isOurs)) return cutMember(text, list, item);
  const inner = item.value.children?.find(({ children }) => children?.[0]?.value === 'hooks')?.children?.[1];
  const handlerList = listAt(inner as Node);
  const handler = handlerList.members.find(({ value }) => value === ours) as Member;
  return cutMember(text, handlerList, handler);
}

type Found = { event: Member; list: JsonObject };

function findList(text: string, { container, key, syntax }: Place): Found | undefined {
  const hooks = findMember(text, parseRoot(text, syntax), container);
  const event = hooks === undefined ? undefined : findMember(text, objectOf(text, hooks), key);
  if (event === undefined) return undefined;
  if (event.value.type === 'array') return { event, list: listAt(event.value) };
  throw new Unfit(`has no list under "${key}"`, placeAt(text, event.value.offset));
}

function findOurs(text: string, place: Place): (Found & { item: Member }) | undefined {
  const found = findList(text, place);
  const item = found?.list.members.find(({ value }) => handlersOf(value).some(isOurs));
  return found === undefined || item === undefined ? undefined : { ...found, item };
}

/** A list as an object whose members have no names. */
function listAt(node: Node): JsonObject {
  const items = (node.children ?? []).map(
    (value): Member => ({ name: '', from: value.offset, value, to: value.offset + value.length }),
  );
  return { open: node.offset, close: node.offset + node.length - 1, members: items };
}

/** An item is a handler itself, or a group of them. */
function handlersOf(item: Node): Node[] {
  if (item.type !== 'object') return [];
  const groups = objectAt(item).members.filter(({ name, value }) => name === 'hooks' && value.type === 'array');
  const inner = groups.flatMap(({ value }) => value.children ?? []).filter(({ type }) => type === 'object');
  return groups.length === 0 ? [item] : inner;
}

function commandOf(handler: Node): Node | undefined {
  return objectAt(handler).members.find(({ name }) => name === 'command')?.value;
}

function isOurs(handler: Node): boolean {
  return isHookCommand(commandOf(handler)?.value);
}

function withCommand(text: string, handlers: readonly Node[], command: string): string {
  const values = handlers.map(commandOf).filter((node) => node !== undefined && node.value !== command) as Node[];
  const piece = JSON.stringify(command);
  return replaced(
    text,
    values.map(({ offset, length }) => ({ from: offset, to: offset + length, text: piece })),
  );
}

/** Then there was no list before; one that was there gets its hook in another layout. */
function isAsWeMakeIt(text: string, { from, value, to }: Member, { syntax }: Place): boolean {
  const style = styleOf(text, parseRoot(text, syntax));
  const written = text.slice(value.offset, to);
  const list = getNodeValue(value);
  return (['lines', 'spread', 'line', 'tight'] as const).some(
    (layout) => laidOut(list, layout, style, indentAt(text, from)) === written,
  );
}
