// New entries of a list or map between brackets. Where each entry has a line of its own, so has a new one, behind
// the comment of the one before; a comma at the end stays at the end.

import { type CST, isMap } from 'yaml';
import type { Insertion } from './insertion.ts';
import { endOfNode, endOfPair, type FileMap, type FilePair, type FileSeq, lineStart, startOf } from './yaml-place.ts';

export function intoBrackets(
  text: string,
  collection: FileMap | FileSeq,
  parts: readonly string[],
  eol: string,
): Insertion[] {
  const { start: open, items, end } = collection.srcToken as CST.FlowCollection;
  const close = (end[0] as CST.SourceToken).offset;
  const last = lastOf(collection);
  if (last === undefined) return [intoEmpty(text.slice(open.offset + 1, close), open, parts)];
  const comma = items.at(-1);
  const atComma = comma?.key == null && comma?.value === undefined ? comma?.start.find(isComma)?.offset : undefined;
  const from = atComma === undefined ? last.end : atComma + 1;
  const isEnded = atComma !== undefined;
  const indent = text.slice(lineStart(text, last.start), last.start);
  if (indent.trim() !== '') {
    const list = parts.join(', ');
    return [{ at: from, text: isEnded ? ` ${list},` : `, ${list}` }];
  }
  const lines = parts.map((part) => `${eol}${indent}${part}`).join(',') + (isEnded ? ',' : '');
  const newline = text.indexOf('\n', from);
  if (newline < 0 || close < newline) return [{ at: from, text: isEnded ? lines : `,${lines}` }];
  const lineEnd = text[newline - 1] === '\r' ? newline - 1 : newline;
  return [...(isEnded ? [] : [{ at: last.end, text: ',' }]), { at: lineEnd, text: lines }];
}

function intoEmpty(inside: string, open: CST.SourceToken, parts: readonly string[]): Insertion {
  const isWide = open.source === '{' || inside.startsWith(' ');
  const text = `${isWide ? ' ' : ''}${parts.join(', ')}${isWide && inside === '' ? ' ' : ''}`;
  return { at: open.offset + 1, text };
}

function lastOf(collection: FileMap | FileSeq): { start: number; end: number } | undefined {
  const last = collection.items.at(-1);
  if (last === undefined) return undefined;
  if (isMap(collection)) return { start: startOf(last as FilePair), end: endOfPair(last as FilePair) };
  const node = last as FileSeq['items'][number];
  return { start: node.range[0], end: endOfNode(node) };
}

function isComma({ type }: CST.SourceToken): boolean {
  return type === 'comma';
}
