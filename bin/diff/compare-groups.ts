// Categories and collections of two bundles: which documents each answers with, and how it is listed.

import { changedEntry } from './compare-resources.ts';
import { type GroupChange, measure } from './difference.ts';
import type { Members, Snapshot } from './snapshot.ts';

export function compareGroups(a: Snapshot, b: Snapshot): GroupChange[] {
  const uris = [...new Set([...a.groups.keys(), ...b.groups.keys()])];
  uris.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return uris.flatMap((uri) => compareGroup(uri, a.groups.get(uri), b.groups.get(uri)) ?? []);
}

function compareGroup(uri: string, before: Members | undefined, after: Members | undefined): GroupChange | undefined {
  const [old, fresh] = [before?.documents ?? [], after?.documents ?? []];
  const [known, now] = [new Set(old), new Set(fresh)];
  const change = {
    uri,
    documents: measure(old.length, fresh.length),
    added: fresh.filter((document) => !known.has(document)),
    removed: old.filter((document) => !now.has(document)),
  };
  if (before === undefined || after === undefined) {
    return { ...change, change: before === undefined ? 'added' : 'removed', fields: [] };
  }
  const fields = changedEntry(before.entry, after.entry).filter((field) => !isCount(field, before, after));
  if (before.limit !== after.limit) fields.push('pages');
  const isSame = fields.length === 0 && old.join('\n') === fresh.join('\n');
  return isSame ? undefined : { ...change, change: 'changed', fields };
}

/** Without a description of its author's a group is described by the number of its documents. */
function isCount(field: string, { entry: before }: Members, { entry: after }: Members): boolean {
  const count = /^\d+ documents$/;
  return field === 'description' && count.test(String(before?.description)) && count.test(String(after?.description));
}
