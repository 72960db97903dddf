// Checks YAML nodes against a shape and gives back plain values, with the place of each. Everything
// wrong is reported, not only the first thing; what is wrong is left out of the value.

import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { nearest } from '../runtime/nearest.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import { expected, type Shape } from './shape.ts';
import { show, type YamlTree } from './yaml.ts';

/** Values looked at before a file is called too large: aliases can make a small file long. */
const MOST_VALUES = 500_000;

export type Checked = {
  value: unknown;
  /** The place of a value by its path, `modules.auth.dependencies.0`. */
  placeOf(path: readonly (string | number)[]): Place;
};

export function check(tree: YamlTree, shape: Shape, file: string, report: Report): Checked {
  const places = new Map<string, Place>();
  let left = MOST_VALUES;

  const value = (unresolved: unknown, of: Shape, path: readonly (string | number)[]): unknown => {
    const node = tree.resolve(unresolved);
    if (node === null || (isScalar(node) && node.value === null)) return undefined;
    if (left-- <= 0) return undefined;
    places.set(JSON.stringify(path), tree.place(unresolved));
    switch (of.type) {
      case 'text':
        return textValue(node) ?? wrong(node, of, path);
      case 'size':
        return sizeValue(node) ?? wrong(node, of, path);
      case 'number':
        return numberValue(node, of) ?? wrong(node, of, path);
      case 'tokens':
        return tokensValue(node) ?? wrong(node, of, path);
      case 'flag':
        return flagValue(node) ?? wrong(node, of, path);
      case 'duration':
        return durationValue(node) ?? wrong(node, of, path);
      case 'either':
        return value(unresolved, isScalar(node) ? of.plain : of.else, path);
      case 'list':
        if (!isSeq(node)) return wrong(node, of, path);
        return listValue(node.items, of.of, path);
      case 'names':
        if (!isMap(node)) return wrong(node, of, path);
        return new Map(
          pairs(node.items, path).flatMap(
            ([name, pair]) => [[name, value(pair.value, of.of, [...path, name])]] as const,
          ),
        );
      case 'map':
        return isMap(node) ? mapValue(node, of, path) : wrong(node, of, path);
    }
  };

  /** Items that are wrong are left out; a place belongs to the index that its value has in the end. */
  const listValue = (items: readonly unknown[], of: Shape, path: readonly (string | number)[]): unknown[] => {
    const kept: unknown[] = [];
    for (const item of items) {
      const node = tree.resolve(item);
      if (node === null || (isScalar(node) && node.value === null)) {
        const what = `An item of ${show(path.join('.'))} is empty.`;
        report(problem('value-wrong', tree.place(item), what, `Write ${expected(of)}, or remove it.`));
        continue;
      }
      const found = value(item, of, [...path, kept.length]);
      if (found !== undefined) kept.push(found);
    }
    return kept;
  };

  const mapValue = (
    node: Node & { items: Pair[] },
    of: Shape & { type: 'map' },
    path: readonly (string | number)[],
  ): unknown => {
    const entries = new Map<string, unknown>();
    for (const [name, pair] of pairs(node.items, path)) {
      const keyShape = Object.hasOwn(of.keys, name) ? of.keys[name] : undefined;
      if (keyShape !== undefined) {
        const found = value(pair.value, keyShape, [...path, name]);
        if (found !== undefined) entries.set(name, found);
      } else if (!name.startsWith('x-')) {
        reportUnknown(name, tree.place(pair.key), of, path);
      }
    }
    for (const name of of.required ?? []) {
      if (entries.has(name) || places.has(JSON.stringify([...path, name]))) continue;
      const what = `The key ${show([...path, name].join('.'))} is missing.`;
      report(problem('key-missing', tree.place(node), what, `Add ${name}: ${of.keys[name]?.about ?? ''}`.trim()));
    }
    return Object.fromEntries(entries);
  };

  /** The items of a map by name; a key that is no plain name is reported. */
  const pairs = (items: readonly unknown[], path: readonly (string | number)[]): [string, Pair][] =>
    (items as Pair[]).flatMap((pair) => {
      const key = tree.resolve(pair.key);
      const name = key === null ? undefined : textValue(key);
      if (name !== undefined) {
        places.set(JSON.stringify([...path, name, '#key']), tree.place(pair.key));
        return [[name, pair] as [string, Pair]];
      }
      report(problem('value-wrong', tree.place(pair.key), 'A key here is not a plain name.', 'Write a name.'));
      return [];
    });

  const reportUnknown = (
    name: string,
    place: Place,
    of: Shape & { type: 'map' },
    path: readonly (string | number)[],
  ): void => {
    const near = nearest(name, Object.keys(of.keys));
    const where = path.length === 0 ? '' : ` in ${show(path.join('.'))}`;
    const known = `Known keys here: ${Object.keys(of.keys).join(', ')}. Keys that start with x- are free.`;
    const fix = near === undefined ? known : `Did you mean ${show(near)}? ${known}`;
    report(problem('key-unknown', place, `The key ${show(name)}${where} is unknown.`, fix));
  };

  const wrong = (node: Node, of: Shape, path: readonly (string | number)[]): undefined => {
    const name = path.length === 0 ? file : show(path.join('.'));
    report(problem('value-wrong', tree.place(node), `${name} is ${describe(node)}.`, `Write ${expected(of)}.`));
  };

  const checked = value(tree.root, shape, []);
  if (left <= 0) {
    const what = `${file} has more than ${MOST_VALUES} values, aliases followed.`;
    report(problem('yaml-too-many-aliases', { file, line: 1, column: 1 }, what, 'Write it shorter.'));
  }
  return {
    value: checked,
    placeOf: (path) => places.get(JSON.stringify(path)) ?? { file, line: 1, column: 1 },
  };
}

/** Numbers and booleans pass for texts as they are written: `runtime: 20` means what it says. */
export function textValue(node: Node): string | undefined {
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string') return node.value;
  if (typeof node.value === 'object' || node.value === undefined) return undefined;
  return node.source ?? String(node.value);
}

function sizeValue(node: Node): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([km]?)b?$/i.exec(textValue(node) ?? '');
  if (match === null) return undefined;
  const unit = { '': 1, k: 1024, m: 1024 * 1024 }[(match[2] as string).toLowerCase()] ?? 1;
  const bytes = Math.floor(Number(match[1]) * unit);
  return bytes >= 1024 && bytes <= 2 ** 31 ? bytes : undefined;
}

function numberValue(node: Node, { least, most }: Shape & { type: 'number' }): number | undefined {
  const value = isScalar(node) ? node.value : undefined;
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most
    ? (value as number)
    : undefined;
}

function flagValue(node: Node): boolean | undefined {
  return isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined;
}

const UNITS_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
]);
const MOST_DURATION_MS = 24 * 3_600_000;

/** In milliseconds; a number without a unit is seconds. */
function durationValue(node: Node): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?(ms|s|m|min|h)?$/.exec(textValue(node) ?? '');
  if (match === null) return undefined;
  const ms = Math.floor(Number(match[1]) * (UNITS_MS.get(match[2] ?? 's') as number));
  return ms <= MOST_DURATION_MS ? ms : undefined;
}

/** A thousand, not 1,024: tokens are counted, not stored. */
function tokensValue(node: Node): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([km]?)(?: tokens)?$/i.exec(textValue(node) ?? '');
  if (match === null) return undefined;
  const unit = { '': 1, k: 1000, m: 1_000_000 }[(match[2] as string).toLowerCase()] ?? 1;
  const count = Math.floor(Number(match[1]) * unit);
  return count >= 1 && count <= 2 ** 40 ? count : undefined;
}

function describe(node: Node): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  return isScalar(node) ? show(node.value) : 'something else';
}
