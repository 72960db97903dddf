// From clients to files: who shares a file shares one change of it. A plan says what a file holds and what it
// would hold; carrying it out is one write. A file that must be left alone is a plan, too.

import type { Client, Edit } from './clients.ts';
import { type ConfigFile, deleteConfig, type FilePlace, isThere, readConfig, writeConfig } from './config-file.ts';
import { hasEntry, withEntry, withoutEntry } from './json-edit.ts';
import { type Launch, launchFrom, type Program } from './launch.ts';
import { placeOf, shownPath } from './place.ts';
import { isUnfit, type TextPlace } from './unfit.ts';

export type Did = 'added' | 'updated' | 'unchanged' | 'removed' | 'absent' | 'refused';

export type Plan = {
  clients: readonly Client[];
  /** As it is said to a person. */
  path: string;
  did: Did;
  before: string | undefined;
  after: string | undefined;
  /** Why the file is left alone, and where. */
  problem?: string;
  at?: TextPlace | undefined;
  /** What a person can paste instead. */
  snippet: string;
  carryOut(): void;
};

type Group = { clients: Client[]; place: FilePlace; edits: Edit[] };

export type Wanted = { clients: readonly Client[]; root: string; program: Program; remove: boolean };

export async function planAll({ clients, root, program, remove }: Wanted): Promise<Plan[]> {
  const groups = new Map<string, Group>();
  for (const client of clients) {
    for (const edit of client.edits) {
      const place = placeOf(edit, root);
      const path = shownPath(place, root);
      const group = groups.get(path) ?? { clients: [], place, edits: [] };
      if (!group.clients.includes(client)) group.clients.push(client);
      if (!group.edits.includes(edit)) group.edits.push(edit);
      groups.set(path, group);
    }
  }
  const plans: Plan[] = [];
  for (const [path, group] of groups) plans.push(await planFile(path, group, root, program, remove));
  return plans;
}

/** A client's files, and whether they are there: then the client is likely used. */
export function filesOf(client: Client, root: string): { path: string; isThere: boolean }[] {
  return client.edits.map((edit) => {
    const place = placeOf(edit, root);
    return { path: shownPath(place, root), isThere: isThere(place) };
  });
}

async function planFile(path: string, group: Group, root: string, program: Program, remove: boolean): Promise<Plan> {
  const { clients, place, edits } = group;
  const editors = await Promise.all(edits.map((edit) => editorOf(edit, launchFrom(edit.startsIn, program, root))));
  const snippet = editors.reduce<string | undefined>((text, { add }) => add(text), undefined) ?? '';
  const base = { clients, path, snippet, before: undefined, after: undefined };
  try {
    const file = readConfig(place);
    const before = file.text;
    const isIn = before !== undefined && editors.some((editor) => editor.isIn(before));
    const steps = remove ? editors.map((editor) => editor.remove).reverse() : editors.map((editor) => editor.add);
    const changed = steps.reduce<string | undefined>((text, step) => step(text), before);
    const after = changed === undefined && file.isLink ? editors[0]?.empty : changed;
    return {
      ...base,
      before,
      after,
      did: whatItDid(before !== after, isIn, remove),
      carryOut: () => carryOut(file, after),
    };
  } catch (error) {
    return { ...base, ...refusal(error), carryOut: () => {} };
  }
}

function whatItDid(changes: boolean, wasIn: boolean, remove: boolean): Did {
  if (remove) return changes ? 'removed' : 'absent';
  if (!changes) return 'unchanged';
  return wasIn ? 'updated' : 'added';
}

function carryOut(file: ConfigFile, after: string | undefined): void {
  if (after === file.text) return;
  if (after === undefined) deleteConfig(file);
  else writeConfig(file, after);
}

/** Why a file is left alone, whether it or the disk said no. */
export function refusal(error: unknown): Pick<Plan, 'did' | 'problem' | 'at'> {
  if (isUnfit(error)) return { did: 'refused', problem: error.message, at: error.at };
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return { did: 'refused', problem: `cannot be read or written (${code})${ADVICE[code] ?? ''}` };
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: '; you may not write there',
  EPERM: '; you may not write there',
  EROFS: '; the disk is read-only',
  ENOTDIR: '; a file stands where a folder should be',
  ENOSPC: '; the disk is full',
};

type Editor = {
  isIn(text: string): boolean;
  add(text: string | undefined): string;
  remove(text: string | undefined): string | undefined;
  empty: string;
};

async function editorOf(edit: Edit, launch: Launch): Promise<Editor> {
  const { syntax, spot } = edit;
  const entry = edit.entry(launch);
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
