// Where things stand in the text of a YAML document: columns, and the ends of what has content. Comments, white
// space and line breaks behind a value belong to nobody here, so that what is inserted never tears them off.

import {
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Layout } from './yaml-value.ts';

export type FilePair = Pair<ParsedNode, ParsedNode | null>;
export type FileMap = YAMLMap.Parsed;
export type FileSeq = YAMLSeq.Parsed;

const WITHOUT_CONTENT = ['space', 'newline', 'comment'];
const USUAL_STEP = 2;

/** A key with nothing behind it, not even a word that means nothing. */
export function isEmptyValue({ value }: FilePair): boolean {
  if (value === null) return true;
  return isScalar(value) && value.value === null && (value.source ?? '') === '';
}

export function hasColon({ srcToken }: FilePair): boolean {
  return srcToken?.sep?.some(({ type }) => type === 'map-value-ind') === true;
}

/** Of the pair's key, with what may stand before it: a question mark, an anchor, a tag. */
export function startOf({ srcToken, key }: FilePair): number {
  const first = srcToken?.start.find(({ type }) => !WITHOUT_CONTENT.includes(type) && type !== 'comma');
  return first?.offset ?? key.range[0];
}

export function endOfPair(pair: FilePair): number {
  if (pair.value !== null && !isEmptyValue(pair)) return endOfNode(pair.value);
  const tokens: readonly CST.SourceToken[] = pair.srcToken?.sep ?? [];
  const last = tokens.findLast(({ type }) => !WITHOUT_CONTENT.includes(type));
  return last === undefined ? pair.key.range[1] : last.offset + last.source.length;
}

export function endOfNode(node: ParsedNode): number {
  const last = (isMap(node) || isSeq(node)) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return node.range[1];
  return isMap(node) ? endOfPair(last as FilePair) : endOfNode(last as ParsedNode);
}

export function columnAt(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Undefined for a list between brackets, or an empty one. */
export function dashOf(list: FileSeq): number | undefined {
  const { srcToken } = list;
  if (srcToken?.type !== 'block-seq') return undefined;
  return srcToken.items[0]?.start.find(({ type }) => type === 'seq-item-ind')?.offset;
}

/** How this document is indented, by the first map and the first list of it that show it. */
export function layoutOf(document: Document.Parsed, text: string): Layout {
  let step: number | undefined;
  let dash: number | undefined;
  visit(document, {
    Pair(_, found) {
      const pair = found as FilePair;
      const column = columnAt(text, startOf(pair));
      if (isSeq(pair.value)) {
        const at = dashOf(pair.value as FileSeq);
        if (at !== undefined) dash ??= columnAt(text, at) - column;
      } else if (isMap(pair.value) && pair.value.flow !== true) {
        const first = pair.value.items[0] as FilePair | undefined;
        if (first !== undefined) step ??= columnAt(text, startOf(first)) - column;
      }
      return step !== undefined && dash !== undefined ? visit.BREAK : undefined;
    },
  });
  const wide = Math.max(1, step ?? USUAL_STEP);
  return { step: wide, dash: Math.max(0, dash ?? wide) };
}
