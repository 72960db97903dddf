// Prompts of two bundles: their texts, how they are listed, and the arguments that they ask for.

import { isSameText } from './compare-resources.ts';
import { type PromptChange, weigh } from './difference.ts';
import { type Argument, type Prompt, type Snapshot, storedText } from './snapshot.ts';

export function comparePrompts(a: Snapshot, b: Snapshot): PromptChange[] {
  const names = [...new Set([...a.prompts.keys(), ...b.prompts.keys()])];
  names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return names.flatMap((name) => comparePrompt(name, a, b) ?? []);
}

function comparePrompt(name: string, a: Snapshot, b: Snapshot): PromptChange | undefined {
  const [before, after] = [a.prompts.get(name), b.prompts.get(name)];
  const [old, fresh] = [storedText(a, `prompt/${name}`), storedText(b, `prompt/${name}`)];
  const asked = compareArguments(argumentsOf(before), argumentsOf(after));
  const change = { name, ...weigh(old?.bytes ?? 0, fresh?.bytes ?? 0), arguments: asked };
  if (before === undefined) return { ...change, change: 'added', fields: [] };
  if (after === undefined) return { ...change, change: 'removed', fields: [] };
  const fields: string[] = (['title', 'description'] as const).filter((field) => before[field] !== after[field]);
  if (!isSameText(old, fresh)) fields.push('text');
  if (JSON.stringify(a.embeds.get(name)) !== JSON.stringify(b.embeds.get(name))) fields.push('embeds');
  if (JSON.stringify(argumentsOf(before)) !== JSON.stringify(argumentsOf(after))) fields.push('arguments');
  return fields.length === 0 ? undefined : { ...change, change: 'changed', fields };
}

function compareArguments(before: readonly Argument[], after: readonly Argument[]): PromptChange['arguments'] {
  const known = new Map(before.map((one) => [one.name, one]));
  const now = new Set(after.map(({ name }) => name));
  const names = (all: readonly Argument[]): string[] => all.map(({ name }) => name);
  return {
    added: names(after.filter(({ name }) => !known.has(name))),
    removed: names(before.filter(({ name }) => !now.has(name))),
    changed: names(after.filter((one) => isOther(known.get(one.name), one))),
  };
}

function isOther(before: Argument | undefined, after: Argument): boolean {
  if (before === undefined) return false;
  return before.description !== after.description || (before.required ?? false) !== (after.required ?? false);
}

function argumentsOf(prompt: Prompt | undefined): readonly Argument[] {
  const written: unknown = prompt?.arguments;
  return Array.isArray(written) ? written.filter((one) => typeof one?.name === 'string') : [];
}
