// Asks on a terminal what was guessed. Enter accepts what was found; Ctrl-C and Ctrl-D end everything before anything
// is written. In a file of its own: most runs ask nothing.

import { createInterface, type Interface } from 'node:readline';
import { painter, printable } from '../terminal.ts';
import { foreignName, foreignSentence } from './foreign-text.ts';
import type { Outline } from './outline.ts';

/** How the questions ended when they were not all answered. */
export type Left = 'interrupted' | 'closed';

const MANAGERS = ['npm', 'yarn', 'pnpm', 'bun'];

export async function askAbout(outline: Outline): Promise<Outline | Left> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const left = new Promise<Left>((resolve) => {
    terminal.once('SIGINT', () => resolve('interrupted'));
    terminal.once('close', () => resolve('closed'));
  });
  try {
    return await Promise.race([left, answers(terminal, outline)]);
  } finally {
    terminal.close();
  }
}

async function answers(terminal: Interface, outline: Outline): Promise<Outline> {
  const paint = painter(process.stderr);
  const ask = async (what: string, found: string | undefined): Promise<string> => {
    const shown = found === undefined ? '' : ` ${paint('dim', `(${printable(found)})`)}`;
    return await new Promise((resolve) => terminal.question(`${paint('bold', what)}${shown}: `, resolve));
  };
  process.stderr.write('Enter accepts what is in parentheses.\n');
  const name = foreignName(await ask('Name', outline.name)) ?? outline.name;
  const type = foreignName(await ask('Type, of web-app, api, cli, library, fullstack', outline.type)) ?? outline.type;
  const description = foreignSentence(await ask('Description', outline.description)) ?? outline.description;
  const packageManager = foreignName(await ask('Package manager', outline.packageManager)) ?? outline.packageManager;
  const commands = withManager(outline, packageManager);
  const answered = { ...outline, name, type, description, packageManager, commands };
  if (outline.guide.what !== 'write') return answered;
  const isWanted = !/^\s*n/i.test(await ask(`Write a first guide page, ${outline.guide.page}`, 'yes'));
  return isWanted ? answered : { ...answered, guide: { ...outline.guide, what: 'none' } };
}

/** Scripts of package.json are called by the manager that was answered. */
function withManager({ commands, packageManager: found }: Outline, wanted: string | undefined): readonly string[] {
  if (found === wanted || !MANAGERS.includes(found ?? '') || !MANAGERS.includes(wanted ?? '')) return commands;
  return commands.map((line) =>
    line.startsWith(`${found} `) ? line.replace(found as string, wanted as string) : line,
  );
}
