// How a client starts the server: by the installed command, by a path within the project, or, when there is
// no other way, by a path of this machine. Never through npx, which takes ten times as long at every start.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';
import type { ServerEdit } from './clients.ts';

export type Launch = { command: string; args: readonly string[] };

export type Program = { file: string; way: 'installed' | 'inside' | 'outside' };

/** Where npm puts the package in a project. */
const IN_PROJECT = join('node_modules', 'fieldguide', 'dist', 'fieldguide.cjs');

/** What `running`, the start file of this very program, is to a client that is opened in `root`. */
export function findProgram(running: string, root: string): Program {
  if (isOnPath(running)) return { file: running, way: 'installed' };
  const dependency = join(root, IN_PROJECT);
  if (isFile(dependency)) return { file: dependency, way: 'inside' };
  const within = relative(realPath(root) ?? root, realPath(running) ?? running);
  if (within.split(sep)[0] !== '..' && !isAbsolute(within)) return { file: join(root, within), way: 'inside' };
  return { file: running, way: 'outside' };
}

/** npx keeps its packages for a while only. */
export function isTemporary({ file, way }: Program): boolean {
  return way === 'outside' && file.split(sep).includes('_npx');
}

export function launchFrom(startsIn: ServerEdit['startsIn'], program: Program, root: string): Launch {
  if (startsIn === 'anywhere') {
    return { command: process.execPath, args: [program.file, 'serve', '--root', root] };
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
  const folder = startsIn === 'workspace' ? '${workspaceFolder}' : undefined;
  const where = folder === undefined ? [] : ['--root', folder];
  if (program.way === 'installed') return { command: 'fieldguide', args: ['serve', ...where] };
  if (program.way === 'outside') return { command: 'node', args: [program.file, 'serve', ...where] };
  const path = relative(root, program.file).split(sep).join('/');
  return { command: 'node', args: [folder === undefined ? path : `${folder}/${path}`, 'serve', ...where] };
}

/**
 * Only the first `fieldguide` on the PATH counts. Folders that npm puts there for its scripts do not: no client
 * has them. On Windows the command is a script, which clients cannot start.
 */
function isOnPath(running: string): boolean {
  if (process.platform === 'win32') return false;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const lasting = folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const first = lasting.map((folder) => join(folder, 'fieldguide')).find(isExecutable);
  return first !== undefined && realPath(first) === realPath(running);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
