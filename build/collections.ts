// Collections to documents: what their members name, each path once, by its bytes.

import { compileGlob } from '../runtime/glob.ts';
import { nearest } from '../runtime/nearest.ts';
import { problem, type Report } from './diagnostics.ts';
import type { CollectionConfig } from './guide-config.ts';
import { didYouMean } from './near-misses.ts';
import type { Category, Document } from './resolve.ts';
import { show } from './yaml.ts';

export type Collection = { id: string; description?: string; documents: readonly Document[] };

export function resolveCollection(
  collection: CollectionConfig,
  categories: readonly Category[],
  all: readonly CollectionConfig[],
  report: Report,
): Collection {
  const groups = membersOf(collection, categories, all, [collection.id], report);
  const { id, description } = collection;
  return { id, documents: firstOfEachPath(groups), ...(description === undefined ? {} : { description }) };
}

function membersOf(
  collection: CollectionConfig,
  categories: readonly Category[],
  all: readonly CollectionConfig[],
  path: readonly string[],
  report: Report,
): (readonly Document[])[] {
  return collection.members.flatMap(({ text, place }) => {
    const slash = text.indexOf('/');
    const name = slash < 0 ? text : text.slice(0, slash);
    const category = categories.find((one) => one.name === name);
    if (category !== undefined) {
      if (slash < 0) return [category.documents.filter(({ isDefault }) => isDefault)];
      const glob = compileGlob(text.slice(slash + 1));
      const found = category.documents.filter((document) => glob.matches(document.path));
      // An empty category has been reported.
      if (found.length === 0 && path.length === 1 && category.documents.length > 0) {
        const near = nearest(
          text.slice(slash + 1),
          category.documents.map((document) => document.path),
        );
        const fix = didYouMean(near === undefined ? undefined : `${name}/${near}`, 'Mend the pattern, or remove it.');
        report(problem('pattern-unmatched', place, `${show(text)} matches no document.`, fix));
      }
      return [found];
    }
    const other = slash < 0 ? all.find(({ id }) => id === name) : undefined;
    if (other === undefined) {
      const near = nearest(name, [...categories.map((one) => one.name), ...all.map(({ id }) => id)]);
      const fix =
        near === undefined
          ? 'Name a category, category/pattern, or another collection.'
          : `Did you mean ${show(near)}?`;
      if (path.length === 1)
        report(problem('collection-unknown', place, `${show(name)} is neither a category nor a collection.`, fix));
      return [];
    }
    if (path.includes(name)) {
      if (path[0] === name) {
        report(
          problem(
            'collection-cycle',
            place,
            `The collection holds itself: ${[...path, name].join(' → ')}.`,
            'Remove one of these.',
          ),
        );
      }
      return [];
    }
    return membersOf(other, categories, all, [...path, name], report);
  });
}

/** By path, as bytes; the same path from two categories counts for the first. */
export function firstOfEachPath(groups: readonly (readonly Document[])[]): Document[] {
  const first = new Map<string, Document>();
  for (const document of groups.flat()) if (!first.has(document.path)) first.set(document.path, document);
  return [...first.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}
