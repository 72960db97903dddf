// A new value as YAML, in the manner of the file it goes into: on lines of its own with that file's indentation,
// between brackets, or as JSON where the whole file is JSON.

import { yamlItem, yamlText } from '../init/yaml-text.ts';
import type { Added, AddedPair, Item } from './addition.ts';

/** Columns that a map stands further in than its key, and that the dashes of a list do. */
export type Layout = { step: number; dash: number };

/** The value of a key that stands at `column`, as lines without line breaks. */
export function valueLines(value: Added, column: number, layout: Layout): string[] {
  return 'items' in value
    ? value.items.flatMap((item) => itemLines(item, column + layout.dash))
    : value.pairs.flatMap((pair) => pairLines(pair, column + layout.step, layout));
}

export function pairLines([name, value]: AddedPair, column: number, layout: Layout): string[] {
  return [`${indent(column)}${yamlText(name)}:`, ...valueLines(value, column, layout)];
}

export function itemLines(item: Item, column: number): string[] {
  if (typeof item === 'string') return [`${indent(column)}- ${yamlText(item)}`];
  return item.map(([name, value], n) => `${indent(column)}${n === 0 ? '- ' : '  '}${name}: ${yamlText(value)}`);
}

/** Between brackets; `isJson` quotes everything. */
export class Inline {
  readonly #text: (text: string) => string;

  constructor(isJson: boolean) {
    this.#text = isJson ? JSON.stringify : yamlItem;
  }

  value(value: Added): string {
    if ('items' in value) return `[${value.items.map((item) => this.item(item)).join(', ')}]`;
    return `{ ${value.pairs.map((pair) => this.pair(pair)).join(', ')} }`;
  }

  pair([name, value]: AddedPair): string {
    return `${this.#text(name)}: ${this.value(value)}`;
  }

  item(item: Item): string {
    if (typeof item === 'string') return this.#text(item);
    return `{ ${item.map(([name, value]) => `${this.#text(name)}: ${this.#text(value)}`).join(', ')} }`;
  }
}

function indent(column: number): string {
  return ' '.repeat(column);
}
