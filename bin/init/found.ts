// What the manifests of one language tell about a project, and how the findings of several are made one.

/** What a project is for, as far as a manifest tells: `program` is anything with a main of its own. */
export type Kind = 'cli' | 'web' | 'api' | 'library' | 'program';

/** One package of a repository that has several. */
export type Member = {
  folder: string;
  packageName?: string;
  description?: string;
  /** Files that it may start from, from the root, the best first; those that are not there are passed over. */
  entries: readonly string[];
  manifest: string;
  /** Names of packages that it depends on, its neighbours or not. */
  needs: readonly string[];
};

export type Found = {
  name?: string;
  description?: string;
  stack: readonly string[];
  kinds: readonly Kind[];
  runtime?: string;
  packageManager?: string;
  /** Lines for a shell, in the order in which a newcomer needs them. */
  commands: readonly string[];
  members: readonly Member[];
  isMonorepo: boolean;
};

export const NOTHING_FOUND: Found = { stack: [], kinds: [], commands: [], members: [], isMonorepo: false };

/** The first that knows a thing says it; lists are put together. */
export function together(findings: readonly Found[]): Found {
  const first = <Key extends 'name' | 'description' | 'runtime' | 'packageManager'>(key: Key) => {
    const value = findings.find((found) => found[key] !== undefined)?.[key];
    return value === undefined ? {} : { [key]: value };
  };
  const members = new Map(findings.flatMap((found) => found.members).map((member) => [member.folder, member]));
  return {
    ...first('name'),
    ...first('description'),
    ...first('runtime'),
    ...first('packageManager'),
    stack: [...new Set(findings.flatMap(({ stack }) => stack))],
    kinds: [...new Set(findings.flatMap(({ kinds }) => kinds))],
    commands: [...new Set(findings.flatMap(({ commands }) => commands))],
    members: [...members.values()],
    isMonorepo: findings.some(({ isMonorepo }) => isMonorepo),
  };
}

/** The type that project.yaml states; undefined when nothing tells. */
export function typeOf({ kinds, isMonorepo }: Found): string | undefined {
  const has = (kind: Kind): boolean => kinds.includes(kind);
  if (has('cli') && !isMonorepo) return 'cli';
  if (has('web')) return has('api') ? 'fullstack' : 'web-app';
  if (has('api')) return 'api';
  if (has('cli')) return 'cli';
  if (has('program') && !isMonorepo) return 'cli';
  return has('library') ? 'library' : undefined;
}
