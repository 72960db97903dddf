// Two snapshots to their difference. Texts are compared as they are stored, which is as they are sent; only
// those that differ are decoded.

import { BundleError } from '../../runtime/format.ts';
import { compareGroups } from './compare-groups.ts';
import { comparePrompts } from './compare-prompts.ts';
import { compareResources, isSameText } from './compare-resources.ts';
import { type Difference, type Identity, measure, type Weight, weigh } from './difference.ts';
import { readJson, type Snapshot, storedText } from './snapshot.ts';

export type Side = { seen: Snapshot; digest: string };

export function compare(old: Side | undefined, fresh: Side, nothing: Snapshot): Difference {
  const [a, b] = [old?.seen ?? nothing, fresh.seen];
  const identical = old?.digest === fresh.digest;
  const found = {
    resources: compareResources(a, b),
    groups: compareGroups(a, b),
    prompts: comparePrompts(a, b),
    instructions: compareInstructions(a, b),
    project: a.name === b.name || old === undefined ? null : { before: a.name ?? '', after: b.name ?? '' },
    filesInHand: compareFilesInHand(a, b),
    notes: notesOf(a, b),
  };
  const noticed = Object.values(found).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
  return {
    identical,
    noticed,
    old: old === undefined ? null : identityOf(old),
    new: identityOf(fresh),
    totals: {
      ...weigh(totalBytes(a), totalBytes(b)),
      resources: measure(a.listed.length, b.listed.length),
      documents: measure(a.documents, b.documents),
      prompts: measure(a.prompts.size, b.prompts.size),
    },
    ...found,
    unseen: identical || old === undefined ? [] : unseen(a, b, noticed),
  };
}

function identityOf({ seen, digest }: Side): Identity {
  return { digest: `sha256:${digest}`, project: seen.name ?? null, tool: seen.tool ?? null };
}

function totalBytes({ resources }: Snapshot): number {
  let sum = 0;
  for (const { bytes } of resources.values()) sum += bytes;
  return sum;
}

function compareInstructions(a: Snapshot, b: Snapshot): Weight | null {
  const [before, after] = [storedText(a, 'instructions'), storedText(b, 'instructions')];
  return isSameText(before, after) ? null : weigh(before?.bytes ?? 0, after?.bytes ?? 0);
}

/** A module's page that changed tells of its brief as well. */
function compareFilesInHand(a: Snapshot, b: Snapshot): string[] {
  const found = new Set<string>();
  for (const key of new Set([...a.places, ...b.places])) {
    const [before, after] = [storedText(a, key), storedText(b, key)];
    if (key === 'for' || isSameText(before, after)) continue;
    const page = key.startsWith('brief/') ? `context://module/${key.slice(6)}` : undefined;
    if (page === undefined) found.add(`context://${key}`);
    else if (isSameText(storedText(a, page), storedText(b, page))) found.add(page);
  }
  const [before, after] = [globsOf(a), globsOf(b)];
  for (const [written, pattern] of [...before, ...after]) {
    if (!before.has(written) || !after.has(written)) found.add(`appliesTo: ${pattern}`);
  }
  return [...found].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

function globsOf({ bundle }: Snapshot): Map<string, string> {
  const globs = readJson<{ globs?: unknown }>(bundle, 'for')?.globs ?? [];
  if (!Array.isArray(globs)) throw new BundleError('damaged', 'Its list of globs cannot be read.');
  return new Map(globs.map((glob) => [JSON.stringify(glob), String(Array.isArray(glob) ? glob[0] : glob)]));
}

function notesOf(a: Snapshot, b: Snapshot): string[] {
  if (a.bundle === undefined) return [];
  const notes: string[] = [];
  const order = (one: Snapshot, other: Snapshot): string =>
    one.listed.filter((uri) => other.resources.has(uri) || other.groups.has(uri)).join('\n');
  if (order(a, b) !== order(b, a)) notes.push('The resources are listed in another order.');
  if (a.content !== b.content) notes.push(`The messages of prompts hold ${b.content}, not ${a.content}.`);
  return notes;
}

/** Where nothing is noticed, what makes the files differ all the same. */
function unseen(a: Snapshot, b: Snapshot, noticed: boolean): string[] {
  const found: string[] = [];
  if (a.tool !== b.tool) found.push(`built by fieldguide ${b.tool ?? 'unknown'}, before by ${a.tool ?? 'unknown'}`);
  if (noticed) return found;
  if (!isSameSearch(a, b)) found.push('the search index');
  return found.length > 0 ? found : ['how the file is laid out'];
}

function isSameSearch(a: Snapshot, b: Snapshot): boolean {
  const [before, after] = [a.bundle?.findSearch(), b.bundle?.findSearch()];
  if (before === undefined || after === undefined) return before === after;
  return before.length === after.length && before.slice(0, before.length).equals(after.slice(0, after.length));
}
