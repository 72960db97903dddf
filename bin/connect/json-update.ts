// Brings an entry that is there already up to date: only values of ours that differ are replaced, in their
// own range. What a person added (env, timeouts) stays, unless the entry is of a server that is reached by
// address: then it is replaced as a whole, because half of each would be neither.

import { isDeepStrictEqual } from 'node:util';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import type { Entry } from './clients.ts';
import { indentAt, laidOut, type Style, startsItsLine } from './json-layout.ts';
import { findMember, type JsonObject, type Member, objectAt } from './json-tree.ts';

/** Keys by which clients tell a server that is reached by address. */
export const REMOTE_KEYS: readonly string[] = ['url', 'httpUrl', 'serverUrl'];

type Replacement = { from: number; to: number; text: string };

export function updatedEntry(text: string, member: Member, entry: Entry, style: Style): string {
  const { value, to } = member;
  const object = value.type === 'object' ? objectAt(value) : undefined;
  const isOther = object?.members.some(({ name }) => REMOTE_KEYS.includes(name));
  if (object === undefined || object.members.length === 0 || isOther) {
    const layout = text.slice(value.offset, to).includes('\n') ? 'lines' : 'line';
    const whole = laidOut(entry, layout, style, indentAt(text, member.from));
    return replaced(text, [{ from: value.offset, to, text: whole }]);
  }
  return replaced(
    text,
    Object.entries(entry)
      .reverse()
      .flatMap(([name, wanted]) => replacement(text, object, name, wanted, style) ?? []),
  );
}

function replacement(
  text: string,
  object: JsonObject,
  name: string,
  wanted: unknown,
  style: Style,
): Replacement | undefined {
  const member = findMember(text, object, name);
  if (member === undefined) return addition(text, object, name, wanted, style);
  const { offset } = member.value;
  if (isDeepStrictEqual(getNodeValue(member.value), wanted)) return undefined;
  const layout = text.slice(offset, member.to).includes('\n') ? 'spread' : 'lines';
  return { from: offset, to: member.to, text: laidOut(wanted, layout, style, indentAt(text, member.from)) };
}

function addition(text: string, object: JsonObject, name: string, wanted: unknown, style: Style): Replacement {
  const at = object.open + 1;
  const [first] = object.members;
  const member = `${JSON.stringify(name)}: ${laidOut(wanted, 'lines', style, '')}`;
  if (first === undefined || !startsItsLine(text, first.from)) return { from: at, to: at, text: `${member}, ` };
  return { from: at, to: at, text: `${style.newline}${indentAt(text, first.from)}${member},` };
}

/** Later ones first, so that places stay right; of several at one place, the last given stands first. */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements
    .toSorted((a, b) => b.from - a.from)
    .reduce((done, { from, to, text: piece }) => done.slice(0, from) + piece + done.slice(to), text);
}
