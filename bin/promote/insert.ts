// Where new values go into project.yaml, as pieces of text at exact places: nothing that stands there is touched.
// What is nested deeper comes first, so that of pieces for one place the inner one stands before the outer.

import { type Document, isAlias, isMap, isSeq, type ParsedNode, parseDocument, visit } from 'yaml';
import { textValue } from '../../build/check.ts';
import { placeAt, Unfit } from '../connect/unfit.ts';
import type { Added, AddedItems, AddedPair, AddedPairs } from './addition.ts';
import { intoBrackets } from './insert-inline.ts';
import type { Insertion } from './insertion.ts';
import {
  columnAt,
  dashOf,
  endOfNode,
  endOfPair,
  type FileMap,
  type FilePair,
  type FileSeq,
  hasColon,
  isEmptyValue,
  layoutOf,
  startOf,
} from './yaml-place.ts';
import { Inline, itemLines, type Layout, pairLines, valueLines } from './yaml-value.ts';

export function parsed(text: string): Document.Parsed {
  return parseDocument(text, { keepSourceTokens: true, uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
}

/** The document has been checked; throws Unfit where it would have to be written another way. */
export function insertions(text: string, document: Document.Parsed, added: AddedPairs): Insertion[] {
  return new Planner(text, document).plan(added);
}

class Planner {
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #eol: string;
  readonly #layout: Layout;
  readonly #inline: Inline;
  /** Anchors that something repeats. */
  readonly #repeated = new Set<string>();
  readonly #pieces: Insertion[] = [];

  constructor(text: string, document: Document.Parsed) {
    this.#text = text;
    this.#document = document;
    this.#eol = /\r?\n/.exec(text)?.[0] ?? '\n';
    this.#layout = layoutOf(document, text);
    this.#inline = new Inline(isJson(text));
    visit(document, { Alias: (_, { source }) => void this.#repeated.add(source) });
  }

  plan({ pairs }: AddedPairs): Insertion[] {
    const root = this.#document.contents;
    if (!isMap(root)) throw new Unfit('is not a map');
    this.#intoMap(root, pairs, []);
    return this.#pieces;
  }

  #intoMap(map: FileMap, pairs: readonly AddedPair[], path: readonly string[]): void {
    const missing: AddedPair[] = [];
    for (const [name, value] of pairs) {
      const pair = this.#findPair(map, name);
      if (pair === undefined) missing.push([name, value]);
      else if (isEmptyValue(pair)) this.#fill(map, pair, value, [...path, name]);
      else this.#extend(pair.value as ParsedNode, value, [...path, name]);
    }
    if (missing.length > 0) this.#addPairs(map, missing, path.length === 0);
  }

  #findPair(map: FileMap, name: string): FilePair | undefined {
    return (map.items as FilePair[]).find(({ key }) => {
      if (isAlias(key)) throw this.#unfit(key, 'has an alias for a key here');
      return textValue(key) === name;
    });
  }

  #extend(node: ParsedNode, value: Added, path: readonly string[]): void {
    this.#assertOwn(node, path);
    if ('pairs' in value && isMap(node)) return this.#intoMap(node, value.pairs, path);
    if ('items' in value && isSeq(node)) return this.#intoList(node, value);
    const written = this.#text.slice(node.range[0], node.range[1]).slice(0, 40);
    throw this.#unfit(node, `has ${path.join('.')} written as ${written}; leave it empty, or remove the key`);
  }

  /** What stands there is meant for this one place alone. */
  #assertOwn(node: ParsedNode, path: readonly string[]): void {
    const name = path.join('.');
    if (isAlias(node)) throw this.#unfit(node, `has the alias *${node.source} for ${name}; write its value out`);
    if (node.anchor === undefined || !this.#repeated.has(node.anchor)) return;
    throw this.#unfit(node, `repeats ${name} elsewhere by its anchor &${node.anchor}; write that out`);
  }

  #intoList(list: FileSeq, { items }: AddedItems): void {
    const dash = dashOf(list);
    if (dash === undefined) {
      this.#intoBrackets(
        list,
        items.map((item) => this.#inline.item(item)),
      );
    } else {
      const column = columnAt(this.#text, dash);
      this.#addLines(
        endOfNode(list),
        items.flatMap((item) => itemLines(item, column)),
      );
    }
  }

  #fill(map: FileMap, pair: FilePair, value: Added, path: readonly string[]): void {
    if (pair.value !== null) this.#assertOwn(pair.value, path);
    const end = endOfPair(pair);
    if (map.flow === true) {
      this.#pieces.push({ at: end, text: `${hasColon(pair) ? '' : ':'} ${this.#inline.value(value)}` });
      return;
    }
    if (!hasColon(pair)) throw this.#unfit(pair.key, `has ${path.join('.')} without a colon; write one behind it`);
    this.#addLines(end, valueLines(value, columnAt(this.#text, startOf(pair)), this.#layout));
  }

  #addPairs(map: FileMap, pairs: readonly AddedPair[], isRoot: boolean): void {
    const first = map.items[0] as FilePair | undefined;
    if (map.flow === true || first === undefined) {
      this.#intoBrackets(
        map,
        pairs.map((pair) => this.#inline.pair(pair)),
      );
      return;
    }
    const column = columnAt(this.#text, startOf(first));
    const lines = pairs.flatMap((pair) => pairLines(pair, column, this.#layout));
    this.#addLines(endOfNode(map), lines, isRoot);
  }

  #intoBrackets(collection: FileMap | FileSeq, parts: readonly string[]): void {
    this.#pieces.push(...intoBrackets(this.#text, collection, parts, this.#eol));
  }

  /** After the line that has the content which ends at `end`; a section of its own keeps its distance, if others do. */
  #addLines(end: number, lines: readonly string[], isSection = false): void {
    const text = this.#text;
    const newline = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
    if (newline < 0) {
      this.#pieces.push({ at: text.length, text: lines.map((line) => this.#eol + line).join('') });
      return;
    }
    const at = newline + 1;
    const distance = isSection && /^\r?\n/.test(text.slice(at, at + 2)) ? this.#eol : '';
    this.#pieces.push({ at, text: distance + lines.map((line) => line + this.#eol).join('') });
  }

  #unfit(node: ParsedNode, what: string): Unfit {
    return new Unfit(what, placeAt(this.#text, node.range[0]));
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
