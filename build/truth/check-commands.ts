// Commands that documents tell people to run, held against what the repository has. Guides speak of other projects,
// too, so nothing is said without a manifest at the root, after a command that leads elsewhere, or when the document
// itself accounts for what it runs. A name counts as known when any manifest of the repository has it.

import { posix } from 'node:path';
import { nearest } from '../../runtime/nearest.ts';
import { problem, type Report } from '../diagnostics.ts';
import type { Disk } from '../disk.ts';
import { didYouMean, type NearMisses } from '../near-misses.ts';
import { show } from '../yaml.ts';
import type { Command } from './commands.ts';
import { clonesAnother, isMadeHere } from './made-here.ts';
import { canRun, JUSTFILE, MAKEFILE, PACKAGE } from './manifests.ts';
import { type Runnable, runnableIn } from './runnable.ts';

export type Guiding = { path: string; text: string; commands: readonly Command[] };

/** What is missing; what may have been meant is looked for when it is reported. */
type Missing = { what: string; near(): string | undefined; otherwise: string };

const NEVER_BUILT = /\.(?:sh|bash|zsh|py|rb|pl)$/;
const MANIFESTS = { script: PACKAGE, word: PACKAGE, make: MAKEFILE, just: JUSTFILE } as const;
const CALLED = { script: 'script', word: 'script', make: 'target', just: 'recipe' } as const;

export function checkCommands(
  documents: readonly Guiding[],
  projectName: string,
  disk: Disk,
  near: NearMisses,
  report: Report,
): void {
  const runnable = runnableIn(disk);
  const ownNames = new Set([projectName.toLowerCase().replace(/\s+/g, '-'), ...runnable.ownNames]);
  const isOwn = (name: string): boolean => ownNames.has(name.toLowerCase());
  for (const { path: file, text, commands } of documents) {
    for (const command of commands) {
      const { kind, line, column, after } = command;
      if (!after.every(isOwn)) continue;
      const missing =
        kind === 'path'
          ? missingFile(command.name, file, disk, near)
          : missingName(kind, command.name, runnable, disk, near);
      if (missing === undefined || isMadeHere(command, text) || clonesAnother(text, line, isOwn)) continue;
      const fix = didYouMean(missing.near(), missing.otherwise);
      report(problem('command-broken', { file, line, column }, missing.what, fix));
    }
  }
}

function missingName(
  kind: keyof typeof MANIFESTS,
  name: string,
  runnable: Runnable,
  disk: Disk,
  near: NearMisses,
): Missing | undefined {
  const manifest = MANIFESTS[kind];
  const root = runnable.atRoot(manifest);
  if (root === undefined || canRun(root.names, name) || runsWithoutIt(kind, name, runnable, disk)) return undefined;
  if (runnable.isKnownBelow(manifest, name)) return undefined;
  return {
    what: `${root.file} has no ${CALLED[kind]} ${show(name)}.`,
    near: () => near.name(name, root.names.names),
    otherwise: `Mend the command, or add the ${CALLED[kind]}.`,
  };
}

/** make has rules of its own for files, npm starts server.js, and a package may bring a program of that name. */
function runsWithoutIt(kind: keyof typeof MANIFESTS, name: string, { packages }: Runnable, disk: Disk): boolean {
  if (kind === 'make') return [...disk.namesIn('')].some((file) => file === name || file.startsWith(`${name}.`));
  if (kind === 'script') return name === 'start' && disk.exists('server.js');
  return kind === 'word' && packages.has(name);
}

/**
 * Many a guide runs what people have somewhere else. A path is reported where the repository has its folder, or a
 * file at the root that differs by one letter; and for a document at the root, which speaks of the repository.
 */
function missingFile(written: string, document: string, disk: Disk, near: NearMisses): Missing | undefined {
  const path = posix.normalize(written);
  const isNamedAlone = !path.includes('/');
  const from = posix.dirname(document);
  if (isNamedAlone && !written.startsWith('./')) return undefined;
  if (disk.exists(path) || disk.exists(`${from}/${path}`)) return undefined;
  const isMeant =
    (from === '.' && NEVER_BUILT.test(path)) ||
    (isNamedAlone ? nearest(path, disk.namesIn(''), 1) !== undefined : hasFilesBeside(path, from, disk));
  if (!isMeant || isElsewhere(path, disk)) return undefined;
  return {
    what: `There is no file ${show(path)}.`,
    near: () => near.path(path),
    otherwise: 'Mend the path, or remove the command.',
  };
}

/** As with manifests: a guide may speak of a part that has the file. */
function isElsewhere(path: string, disk: Disk): boolean {
  return path.includes('/') && disk.files().some((file) => file.endsWith(`/${path}`));
}

/** Files that git does not ignore: of what is built, anything may be missing. */
function hasFilesBeside(path: string, from: string, disk: Disk): boolean {
  const folder = NEVER_BUILT.test(path) ? path.slice(0, path.indexOf('/')) : posix.dirname(path);
  const folders = [`${folder}/`, `${from}/${folder}/`].filter((one) => disk.folderAt(one));
  return folders.length > 0 && disk.files().some((file) => folders.some((one) => file.startsWith(one)));
}
