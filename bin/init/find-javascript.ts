// What package.json, lock files and workspaces tell.

import { foreignName, foreignSentence } from './foreign-text.ts';
import type { Found, Kind, Member } from './found.ts';
import { knownIn } from './known-technology.ts';
import { entriesOf, keysOf, textOf, textsOf, under } from './outside-values.ts';
import { pnpmPackages } from './pnpm-workspace.ts';
import { isPlainPath, joined, type Survey } from './survey.ts';
import { workspaceFolders } from './workspace.ts';

const MANIFEST = 'package.json';
const MANAGERS = ['npm', 'yarn', 'pnpm', 'bun'];
const LOCKS: readonly [string, string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
/** Scripts that a newcomer asks for, in the order of use; others are left to package.json. */
const SCRIPTS = [
  'build',
  'compile',
  'test',
  'lint',
  'types',
  'typecheck',
  'type-check',
  'check',
  'format',
  'dev',
  'start',
];

export function findJavascript(survey: Survey): Found | undefined {
  const root = survey.json(MANIFEST);
  if (root === undefined) return undefined;
  const packageManager = managerOf(survey, root);
  const folders = workspaceFolders(survey, workspacePatterns(survey, root), MANIFEST);
  const packages = folders.flatMap((folder) => {
    const value = survey.json(joined(folder, MANIFEST));
    return value === undefined ? [] : [{ folder, value }];
  });
  const values = [root, ...packages.map(({ value }) => value)];
  const { stack } = knownIn('JAVASCRIPT', values.flatMap(everyDependency));
  const isTyped =
    survey.isFile('tsconfig.json') || values.some((value) => everyDependency(value).includes('typescript'));
  const runtime = runtimeOf(survey, root, packageManager);
  const name = foreignName(under(root, 'name'));
  const description = foreignSentence(under(root, 'description'));
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    stack: [isTyped ? 'TypeScript' : 'JavaScript', ...stack],
    kinds: [...new Set([...values.flatMap(kindsOf), ...libraryKinds(survey, root, packages.length > 0)])],
    ...(runtime === undefined ? {} : { runtime }),
    packageManager,
    commands: [`${packageManager} install`, ...scriptLines(root, packageManager)],
    members: packages.map(({ folder, value }) => memberOf(folder, value)),
    isMonorepo: packages.length > 0,
  };
}

function managerOf(survey: Survey, root: unknown): string {
  const named = textOf(under(root, 'packageManager'))?.split('@')[0];
  if (named !== undefined && MANAGERS.includes(named)) return named;
  return LOCKS.find(([file]) => survey.isTaken(file))?.[1] ?? 'npm';
}

function workspacePatterns(survey: Survey, root: unknown): string[] {
  const workspaces = under(root, 'workspaces');
  const listed = Array.isArray(workspaces) ? textsOf(workspaces) : textsOf(under(workspaces, 'packages'));
  return [...listed, ...pnpmPackages(survey.text('pnpm-workspace.yaml') ?? '')];
}

function dependenciesIn(value: unknown, ...groups: string[]): string[] {
  return groups.flatMap((group) => keysOf(under(value, group)));
}

function everyDependency(value: unknown): string[] {
  return dependenciesIn(value, 'dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies');
}

/** A published library may be built and tried with what it is not made for: only its own dependencies tell. */
function kindsOf(value: unknown): Kind[] {
  const isPrivate = under(value, 'private') === true;
  const { kinds } = knownIn('JAVASCRIPT', isPrivate ? everyDependency(value) : dependenciesIn(value, 'dependencies'));
  const bin = under(value, 'bin');
  const isCommand = textOf(bin) !== undefined || keysOf(bin).length > 0;
  return isCommand ? ['cli', ...kinds] : kinds;
}

/** What is published and can be imported; without a word about it, index.js is. */
function libraryKinds(survey: Survey, root: unknown, hasWorkspaces: boolean): Kind[] {
  const isStated = ['main', 'module', 'exports', 'types'].some((key) => under(root, key) !== undefined);
  const isImplied = under(root, 'private') !== true && survey.isFile('index.js');
  return !hasWorkspaces && (isStated || isImplied) ? ['library'] : [];
}

function runtimeOf(survey: Survey, root: unknown, packageManager: string): string | undefined {
  const wanted = foreignName(under(root, 'engines', 'node'));
  if (wanted !== undefined) return `Node.js ${wanted}`;
  const version = /^v?(\d+(?:\.\d+){0,2})\s*$/.exec(survey.text('.nvmrc') ?? survey.text('.node-version') ?? '')?.[1];
  if (version !== undefined) return `Node.js ${version}`;
  return packageManager === 'bun' ? 'Bun' : undefined;
}

/** Commands for scripts that are there; npm's own placeholder for tests is none. */
function scriptLines(root: unknown, packageManager: string): string[] {
  const scripts = new Map(entriesOf(under(root, 'scripts')).filter(([, body]) => textOf(body) !== undefined));
  if (/no test specified/.test(String(scripts.get('test') ?? ''))) scripts.delete('test');
  return SCRIPTS.filter((name) => scripts.has(name)).map((name) =>
    /^(?:test|start)$/.test(name) && packageManager !== 'bun'
      ? `${packageManager} ${name}`
      : `${packageManager} run ${name}`,
  );
}

function memberOf(folder: string, value: unknown): Member {
  const packageName = textOf(under(value, 'name'));
  const description = foreignSentence(under(value, 'description'));
  const bin = under(value, 'bin');
  const stated = [
    under(value, 'source'),
    under(value, 'main'),
    under(value, 'module'),
    bin,
    ...entriesOf(bin).map(([, path]) => path),
  ];
  return {
    folder,
    ...(packageName === undefined ? {} : { packageName }),
    ...(description === undefined ? {} : { description }),
    entries: stated.flatMap((path) => insideOf(folder, path)),
    manifest: joined(folder, MANIFEST),
    needs: everyDependency(value),
  };
}

/** A path that a manifest names, from the root; nothing when it leads out of its folder. */
function insideOf(folder: string, path: unknown): string[] {
  const clean = textOf(path)?.replace(/^(?:\.\/)+/, '');
  return clean !== undefined && isPlainPath(clean) ? [joined(folder, clean)] : [];
}
