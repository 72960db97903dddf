// What a repository can run by name: the scripts of package.json, the targets of a Makefile, the recipes of a
// justfile. A manifest that can have more names than stand in it is open: nothing is said about it.

export type Names = {
  names: ReadonlySet<string>;
  /** With one `%`, which stands for any letters. */
  patterns: readonly string[];
  isOpen: boolean;
};

export type Manifest = {
  /** Its possible names, the one that its program looks for first at the beginning. */
  files: readonly string[];
  read(text: string): Names;
};

const OPEN: Names = { names: new Set(), patterns: [], isOpen: true };

export const PACKAGE: Manifest = { files: ['package.json'], read: scriptsIn };
export const MAKEFILE: Manifest = { files: ['GNUmakefile', 'makefile', 'Makefile'], read: targetsIn };
export const JUSTFILE: Manifest = { files: ['justfile', 'Justfile', '.justfile'], read: recipesIn };

function scriptsIn(text: string): Names {
  const written = asMap(json(text));
  if (written === undefined) return OPEN;
  return { names: new Set(Object.keys(asMap(written.scripts) ?? {})), patterns: [], isOpen: false };
}

export function canRun({ names, patterns, isOpen }: Names, name: string): boolean {
  return isOpen || names.has(name) || patterns.some((pattern) => isLike(name, pattern));
}

function isLike(name: string, pattern: string): boolean {
  const [before = '', after = ''] = pattern.split('%');
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

/** What the repository calls itself in package.json, without a scope: its name, and the end of its address. */
export function namesOfPackage(text: string): string[] {
  const { name, repository } = asMap(json(text)) ?? {};
  const address = asMap(repository)?.url ?? repository;
  return [name, address].flatMap((value) =>
    typeof value === 'string' ? (/([\w.-]+?)(?:\.git)?\/?$/.exec(value.slice(0, 500))?.[1] ?? []) : [],
  );
}

/** The packages that package.json names: they may bring programs. */
export function packagesIn(text: string): string[] {
  const written = asMap(json(text)) ?? {};
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return groups.flatMap((group) => Object.keys(asMap(written[group]) ?? {}));
}

function targetsIn(text: string): Names {
  const names = new Set<string>();
  const patterns: string[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').replaceAll('\\\n', ' ').split('\n')) {
    if (/^ *\$[({]\w+\s/.test(line) || (/^ *[-s]?include\b/.test(line) && !/^ *\S+\s+\S*\.env\s*$/.test(line)))
      return OPEN;
    const targets = /^[^\t#=:]+(?=::?(?:[^=:]|$))/.exec(line)?.[0];
    if (targets === undefined) continue;
    const declared = targets.startsWith('.PHONY') ? line.slice(line.indexOf(':') + 1).replace(/#.*/, '') : targets;
    for (const name of declared.split(/\s+/)) {
      if (name.includes('/') || name === '') continue;
      if (name.includes('$') || name === '%') return OPEN;
      if (name.includes('%')) patterns.push(name);
      else names.add(name);
    }
  }
  return { names, patterns, isOpen: false };
}

/** Generous: whatever could be a recipe counts as one. */
function recipesIn(text: string): Names {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (/^(?:!include|import\b|mod\b|set\s+fallback)/.test(line)) return OPEN;
    const name = /^(?:alias\s+|@)?([A-Za-z_][\w-]*).*:/.exec(line)?.[1];
    if (name !== undefined) names.add(name);
  }
  return { names, patterns: [], isOpen: false };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asMap(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
