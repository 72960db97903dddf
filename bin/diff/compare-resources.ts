// Resources of two bundles: added, removed, moved (the same text at another URI), changed in text or in how they
// are listed.

import { createHash } from 'node:crypto';
import { FLAG } from '../../runtime/format.ts';
import { inOrder, type ResourceChange, weigh } from './difference.ts';
import { changedSections, type SectionChanges, sectionsOf } from './sections.ts';
import { type Entry, type Resource, type Snapshot, storedText, textOf } from './snapshot.ts';

type Stored = { stored: Buffer; bytes: number } | undefined;

const FIELDS = ['name', 'title', 'description', 'mimeType', 'annotations'] as const;

export function compareResources(a: Snapshot, b: Snapshot): ResourceChange[] {
  const changes: ResourceChange[] = [];
  for (const before of a.resources.values()) {
    const after = b.resources.get(before.uri);
    if (after === undefined) continue;
    const fields = changedFields(before, after);
    const sameText = isSameText(storedText(a, before.uri), storedText(b, before.uri));
    if (sameText && fields.length === 0) continue;
    const sections = sameText ? undefined : sectionChanges(a, b, before.uri);
    changes.push({ ...described('changed', before, after), fields, ...(sections === undefined ? {} : { sections }) });
  }
  const removed = [...a.resources.values()].filter(({ uri }) => !b.resources.has(uri));
  const added = [...b.resources.values()].filter(({ uri }) => !a.resources.has(uri));
  const moved = findMoved(a, removed, b, added);
  for (const after of added) {
    const before = moved.get(after);
    if (before === undefined) changes.push(described('added', undefined, after));
    else {
      const change = described('moved', before, after);
      changes.push({ ...change, from: before.uri, fields: changedFields(before, after).filter(isTold) });
    }
  }
  const gone = new Set(moved.values());
  for (const before of removed) if (!gone.has(before)) changes.push(described('removed', before, undefined));
  return changes.sort(inOrder);
}

/** A file that is moved has another name. */
function isTold(field: string): boolean {
  return field !== 'name';
}

/** Other escapes may stand for the same text; tables of other writers may have them. */
export function isSameText(before: Stored, after: Stored): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (before.bytes !== after.bytes) return false;
  if (before.stored.equals(after.stored)) return true;
  return textOf(before.stored) === textOf(after.stored);
}

function described(
  change: ResourceChange['change'],
  before: Resource | undefined,
  after: Resource | undefined,
): ResourceChange {
  const { uri, entry } = (after ?? before) as Resource;
  const title = entry?.title;
  return {
    uri,
    change,
    ...(typeof title === 'string' ? { title } : {}),
    ...weigh(before?.bytes ?? 0, after?.bytes ?? 0),
    fields: [],
  };
}

function changedFields(before: Resource, after: Resource): string[] {
  const fields = changedEntry(before.entry, after.entry);
  return before.pages === after.pages ? fields : [...fields, `pages (${before.pages} → ${after.pages})`];
}

export function changedEntry(before: Entry | undefined, after: Entry | undefined): string[] {
  if (before === undefined || after === undefined) {
    return before === after ? [] : [after === undefined ? 'no longer listed' : 'now listed'];
  }
  return FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** Undefined for what is not text. */
function sectionChanges(a: Snapshot, b: Snapshot, uri: string): SectionChanges | undefined {
  const [before, after] = [a.bundle?.findWhole(uri), b.bundle?.findWhole(uri)];
  if (before === undefined || after === undefined || isBlob(a, uri) || isBlob(b, uri)) return undefined;
  return changedSections(sectionsOf(before.stored, before.cuts), sectionsOf(after.stored, after.cuts));
}

function isBlob({ bundle }: Snapshot, uri: string): boolean {
  return ((bundle?.findText(uri)?.flags ?? 0) & FLAG.blob) !== 0;
}

/** For each added one the removed one it was; of several with one text, that of the same file name. */
function findMoved(
  a: Snapshot,
  removed: readonly Resource[],
  b: Snapshot,
  added: readonly Resource[],
): Map<Resource, Resource> {
  const known = new Map<string, Resource[]>();
  for (const one of removed) {
    const text = one.bytes === 0 ? undefined : hashOf(a, one.uri);
    if (text !== undefined) known.set(text, [...(known.get(text) ?? []), one]);
  }
  const moved = new Map<Resource, Resource>();
  if (known.size === 0) return moved;
  for (const one of added) {
    const candidates = known.get(hashOf(b, one.uri) ?? '') ?? [];
    const same = candidates.findIndex(({ uri }) => fileName(uri) === fileName(one.uri));
    const [chosen] = candidates.splice(Math.max(0, same), 1);
    if (chosen !== undefined) moved.set(one, chosen);
  }
  return moved;
}

function hashOf(seen: Snapshot, uri: string): string | undefined {
  const text = storedText(seen, uri);
  return text === undefined || text.stored.length === 0
    ? undefined
    : createHash('sha256').update(text.stored).digest('hex');
}

function fileName(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}
