// What each kind of edit does to a file's text, in one form: put in, take out, and whether it is in. Putting in
// and taking out run in opposite orders, so that each step finds the text that it left.

import type { Edit, HooksEdit, ServerEdit } from './clients.ts';
import { hookCommand, hookWords } from './hook-command.ts';
import { hasEntry, withEntry, withoutEntry } from './json-edit.ts';
import { hasHook, withHook, withoutHook } from './json-list.ts';
import { type Launch, launchFrom, type Program } from './launch.ts';

export type Editor = {
  isIn(text: string): boolean;
  add(text: string | undefined): string;
  remove(text: string | undefined): string | undefined;
  /** What a file holds that may not go. */
  empty: string;
};

export async function editorOf(edit: Edit, program: Program, root: string): Promise<Editor> {
  if (edit.kind === 'hooks') return hooksEditor(edit, hookCommand(program, root, edit.folder));
  if (edit.kind === 'plugin') return pluginEditor(hookWords(program, root));
  return serverEditor(edit, launchFrom(edit.startsIn, program, root));
}

async function serverEditor({ syntax, spot, entry: entryFor }: ServerEdit, launch: Launch): Promise<Editor> {
  const entry = entryFor(launch);
  if (syntax.kind === 'toml') {
    const { hasTable, withTable, withoutTable } = await import('./toml-edit.ts');
    return {
      isIn: (text) => hasTable(text, spot),
      add: (text) => withTable(text, spot, entry),
      remove: (text) => (text === undefined ? undefined : withoutTable(text, spot)),
      empty: '',
    };
  }
  const place = { ...spot, syntax };
  return {
    isIn: (text) => hasEntry(text, place),
    add: (text) => withEntry(text, place, entry),
    remove: (text) => (text === undefined ? undefined : withoutEntry(text, place)),
    empty: '{}\n',
  };
}

/** What goes in first stands last, so the last event is put in first. */
function hooksEditor({ syntax, opening, events }: HooksEdit, command: string): Editor {
  const steps = Object.entries(events).map(([key, itemFor]) => ({
    place: { container: 'hooks', key, syntax, opening },
    item: itemFor(command),
  }));
  return {
    isIn: (text) => steps.some(({ place }) => hasHook(text, place)),
    add: (before) =>
      steps.reduceRight<string | undefined>((text, { place, item }) => withHook(text, place, item, command), before) ??
      '',
    remove: (before) =>
      steps.reduce<string | undefined>(
        (text, { place }) => (text === undefined ? undefined : withoutHook(text, place)),
        before,
      ),
    empty: '{}\n',
  };
}

async function pluginEditor(words: readonly string[]): Promise<Editor> {
  const { isPlugin, withPlugin, withoutPlugin } = await import('./opencode-plugin.ts');
  return { isIn: isPlugin, add: (text) => withPlugin(text, words), remove: withoutPlugin, empty: '' };
}
