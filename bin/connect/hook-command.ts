// The command of a hook, in the form of a shell: the one form that every client reads. Codex asks for trust
// again when it changes, so it stays the same from version to version.

import { relative, sep } from 'node:path';
import type { Program } from './launch.ts';

/** What starts the program from the root of the project. */
export function hookWords(program: Program, root: string): [string, ...string[]] {
  if (program.way === 'installed') return ['fieldguide'];
  return ['node', slashed(program.way === 'inside' ? relative(root, program.file) : program.file)];
}

/** `folder` is what the shell of the client makes the root of the project, where it may run a hook elsewhere. */
export function hookCommand(program: Program, root: string, folder?: string): string {
  const [command, ...files] = hookWords(program, root);
  const before = folder === undefined || program.way !== 'inside' ? '' : `${folder}/`;
  return [command, ...files.map((file) => before + quoted(file)), 'session hook'].join(' ');
}

/** Whether a command is one that we wrote, wherever the program was then. */
export function isHookCommand(command: unknown): boolean {
  return typeof command === 'string' && /fieldguide(?:\.cjs)?['"]?\s+session\s+hook\s*$/.test(command);
}

/** Windows has several shells; double quotes mean the same in all of them. */
function quoted(word: string): string {
  if (/^[\w./:@+,-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
