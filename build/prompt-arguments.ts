// The arguments that a prompt's front matter declares. An argument that cannot be used is reported at its
// own place and passed over; the others stay.

import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { nearest } from '../runtime/nearest.ts';
import { describeValue, readText, type Tell } from './front-matter.ts';
import { show } from './yaml.ts';

export type PromptArgument = { name: string; description?: string; required: boolean };

/** Of a prompt and of its arguments: what people type, and what a bundle's keys may hold. */
export const NAME = /^[A-Za-z0-9._-]{1,64}$/;
export const NAME_RULE = 'letters, digits, hyphens, underscores and dots, at most 64';

const KEYS: Record<keyof PromptArgument, { expected: string; read(node: Node): unknown }> = {
  name: { expected: 'a text', read: readText },
  description: { expected: 'a text', read: readText },
  required: {
    expected: 'true or false',
    read: (node) => (isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined),
  },
};

/** Undefined when it is no list. */
export function readArguments(node: Node, tell: Tell): PromptArgument[] | undefined {
  if (!isSeq(node)) return undefined;
  const found = new Map<string, PromptArgument>();
  for (const item of node.items) {
    const argument = readArgument(item, tell);
    if (argument === undefined) continue;
    if (found.has(argument.name)) {
      const what = `The argument ${show(argument.name)} stands here twice.`;
      tell('prompt-argument-duplicate', item, what, 'Keep one of the two.');
    } else found.set(argument.name, argument);
  }
  return [...found.values()];
}

function readArgument(item: unknown, tell: Tell): PromptArgument | undefined {
  if (!isMap(item)) {
    tell(
      'front-matter-value',
      item,
      `An argument is ${describeValue(item)}.`,
      'Write { name, description, required }.',
    );
    return undefined;
  }
  const found: Partial<PromptArgument> = {};
  for (const { key, value } of item.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!Object.hasOwn(KEYS, name)) {
      const near = nearest(name, Object.keys(KEYS));
      const fix = near === undefined ? 'Known keys: name, description, required.' : `Did you mean ${show(near)}?`;
      tell('front-matter-slip', key, `The key ${show(name)} of an argument is not known.`, fix);
      continue;
    }
    if (value === null || (isScalar(value) && value.value === null)) continue;
    const { expected, read } = KEYS[name as keyof PromptArgument];
    const right = read(value as Node);
    if (right !== undefined) Object.assign(found, { [name]: right });
    else tell('front-matter-value', value, `${show(name)} is ${describeValue(value)}.`, `Write ${expected}.`);
  }
  const { name, description, required = false } = found;
  if (name === undefined || !NAME.test(name)) {
    const what = name === undefined ? 'An argument has no name.' : `An argument cannot be called ${show(name)}.`;
    tell('front-matter-value', item, what, `Give it a name: ${NAME_RULE}.`);
    return undefined;
  }
  return { name, ...(description === undefined ? {} : { description }), required };
}
