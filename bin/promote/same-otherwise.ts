// The proof of an edit, made from its outcome alone: the document read again is the one before with exactly what
// was to be added, in its order, anchors, aliases and tags included, and every letter of the old text is still
// there in its order.

import { type Document, isAlias, isMap, isScalar, isSeq } from 'yaml';
import { textValue } from '../../build/check.ts';
import type { Added, Item } from './addition.ts';

/** What a node says; in a map keys and values alternate. */
type Said = { mark: string; name?: string | undefined; inside?: Said[] | undefined };

export function isOnlyAdded(before: Document.Parsed, after: Document.Parsed, added: Added): boolean {
  const expected = said(before.contents);
  add(expected, added);
  return after.errors.length === 0 && JSON.stringify(expected) === JSON.stringify(said(after.contents));
}

export function isInsertOnly(before: string, after: string): boolean {
  let at = 0;
  for (let n = 0; n < after.length && at < before.length; n++) if (after[n] === before[at]) at++;
  return at === before.length;
}

function said(node: unknown): Said {
  if (isAlias(node)) return { mark: `*${node.source}` };
  if (isMap(node)) {
    const inside = node.items.flatMap(({ key, value }) => [said(key), said(value)]);
    return { mark: mark('map', node), inside };
  }
  if (isSeq(node)) return { mark: mark('list', node), inside: node.items.map(said) };
  if (!isScalar(node)) return nothing();
  const { value } = node;
  return { mark: mark(`${typeof value} ${String(value)}`, node), name: textValue(node) };
}

function nothing(): Said {
  return { mark: mark('object null', {}) };
}

function mark(what: string, { anchor, tag }: { anchor?: string; tag?: string }): string {
  return JSON.stringify([what, anchor ?? '', tag ?? '']);
}

function textSaid(text: string): Said {
  return { mark: mark(`string ${text}`, {}), name: text };
}

function itemSaid(item: Item): Said {
  if (typeof item === 'string') return textSaid(item);
  const inside = item.flatMap(([name, value]) => [textSaid(name), textSaid(value)]);
  return { mark: mark('map', {}), inside };
}

function add(to: Said, value: Added): void {
  if (to.inside === undefined) {
    const [, anchor, tag] = JSON.parse(to.mark) as [string, string, string];
    to.mark = mark('items' in value ? 'list' : 'map', { anchor, tag });
    to.inside = [];
    to.name = undefined;
  }
  const { inside } = to;
  if ('items' in value) {
    inside.push(...value.items.map(itemSaid));
    return;
  }
  for (const [name, one] of value.pairs) {
    const at = inside.findIndex((key, n) => n % 2 === 0 && key.name === name);
    const place = at < 0 ? nothing() : (inside[at + 1] as Said);
    if (at < 0) inside.push(textSaid(name), place);
    add(place, one);
  }
}
