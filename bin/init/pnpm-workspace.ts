// The list `packages:` of pnpm-workspace.yaml, as people write it: one pattern on a line, or all in brackets.
// Anything else is taken for no list; a YAML library for these lines would double the time of `init`.

const MOST_ITEM = 200;

export function pnpmPackages(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^packages:/.test(line));
  if (start < 0) return [];
  const rest = withoutComment((lines[start] as string).slice('packages:'.length)).trim();
  if (rest !== '') return /^\[.*\]$/.test(rest) ? rest.slice(1, -1).split(',').flatMap(itemOf) : [];
  const items: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const content = withoutComment(line).trim();
    if (content === '') continue;
    if (!content.startsWith('- ')) break;
    items.push(...itemOf(content.slice(2)));
  }
  return items;
}

function withoutComment(line: string): string {
  return line.slice(0, MOST_ITEM * 20).replace(/(^|\s)#.*$/, '$1');
}

function itemOf(written: string): string[] {
  const item = written.trim().replace(/^(["'])(.*)\1$/, '$2');
  return item === '' || item.length > MOST_ITEM ? [] : [item];
}
