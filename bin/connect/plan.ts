// From clients to files: who shares a file shares one change of it. A plan says what a file holds and what it
// would hold; carrying it out is one write. A file that must be left alone is a plan, too.

import { type Client, type Edit, editsOf } from './clients.ts';
import { type ConfigFile, deleteConfig, type FilePlace, isThere, readConfig, writeConfig } from './config-file.ts';
import { editorOf } from './editors.ts';
import type { Program } from './launch.ts';
import { placeOf, shownPath } from './place.ts';
import { isUnfit, type TextPlace } from './unfit.ts';

export type Did = 'added' | 'updated' | 'unchanged' | 'removed' | 'absent' | 'refused';

export type Plan = {
  clients: readonly Client[];
  /** What the file is for. */
  edits: readonly Edit[];
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

export type Wanted = { clients: readonly Client[]; root: string; program: Program; remove: boolean; hooks: boolean };

export async function planAll({ clients, root, program, remove, hooks }: Wanted): Promise<Plan[]> {
  const groups = new Map<string, Group>();
  for (const client of clients) {
    for (const edit of hooks ? editsOf(client) : [client.server]) {
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
  const places = editsOf(client).map((edit) => placeOf(edit, root));
  const paths = new Map(places.map((place) => [shownPath(place, root), isThere(place)]));
  return [...paths].map(([path, isThere]) => ({ path, isThere }));
}

async function planFile(path: string, group: Group, root: string, program: Program, remove: boolean): Promise<Plan> {
  const { clients, place, edits } = group;
  const editors = await Promise.all(edits.map((edit) => editorOf(edit, program, root)));
  const snippet = editors.reduce<string | undefined>((text, { add }) => add(text), undefined) ?? '';
  const base = { clients, edits, path, snippet, before: undefined, after: undefined };
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
