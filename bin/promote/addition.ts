// What promotion adds to project.yaml: under modules, by the name of a module and of one of its lists.

/** A text, or the fields of an issue in their order. */
export type Item = string | readonly (readonly [name: string, value: string])[];

/** A list is to be longer by these items. */
export type AddedItems = { items: readonly Item[] };
/** A map is to hold these values. */
export type AddedPairs = { pairs: readonly AddedPair[] };
export type Added = AddedItems | AddedPairs;
export type AddedPair = readonly [name: string, value: Added];

export type ListName = 'patterns' | 'businessRules' | 'commonIssues';

export type Addition = { module: string; list: ListName; item: Item };

/** Everything as one value for the whole document; modules and lists in the order in which they are first named. */
export function allAdded(additions: readonly Addition[]): AddedPairs {
  const modules = new Map<string, Map<ListName, Item[]>>();
  for (const { module, list, item } of additions) {
    const lists = modules.get(module) ?? new Map<ListName, Item[]>();
    modules.set(module, lists);
    lists.set(list, [...(lists.get(list) ?? []), item]);
  }
  const pairs = [...modules].map(
    ([name, lists]) => [name, { pairs: [...lists].map(([list, items]) => [list, { items }] as const) }] as const,
  );
  return { pairs: [['modules', { pairs }]] };
}
