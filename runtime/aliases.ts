// Other names of what is served, under schemes that are not ours: how they are written, and what each stands for.

/** Each may hold one `{name}`, the same in both; it stands for a value within one segment. */
export type Alias = readonly [uri: string, target: string];

export const VARIABLE = /\{[A-Za-z0-9_]+\}/;

/** Undefined when it is none; one without a `{name}` goes before those that have one. */
export function targetOf(raw: string, aliases: readonly Alias[]): string | undefined {
  const uri = withPlainScheme(raw);
  const exact = aliases.find(([known]) => known === uri);
  if (exact !== undefined) return exact[1];
  for (const [known, target] of aliases) {
    const value = valueIn(known, uri);
    if (value !== undefined) return target.replace(VARIABLE, () => value);
  }
  return undefined;
}

/** A scheme means the same in capitals. */
export function withPlainScheme(uri: string): string {
  const end = uri.indexOf(':');
  return uri.slice(0, end).toLowerCase() + uri.slice(end);
}

function valueIn(template: string, uri: string): string | undefined {
  const [head = '', tail] = template.split(VARIABLE);
  if (tail === undefined || uri.length <= head.length + tail.length) return undefined;
  if (!uri.startsWith(head) || !uri.endsWith(tail)) return undefined;
  const value = uri.slice(head.length, uri.length - tail.length);
  return /[/?#]/.test(value) ? undefined : value;
}
