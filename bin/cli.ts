// Every sub-command as one table, in the order of help. The start file loads it for anything but `serve`;
// help and the manual's page of commands are made from it.

import { nearest } from '../runtime/nearest.ts';
import { VERSION } from '../runtime/version.ts';
import { UsageError } from './args.ts';
import { type Command, type Group, runCommand } from './command.ts';
import { commandHelp, groupHelp, mainHelp } from './help.ts';
import { AUDIT } from './table/audit.ts';
import { AUTHOR } from './table/author.ts';
import { READER } from './table/reader.ts';
import { SESSION } from './table/session.ts';

/** `serve` is given, because it stands in the start file. */
export function allCommands(serve: Command): (Command | Group)[] {
  return [...AUTHOR, serve, ...READER, SESSION, AUDIT];
}

const HELP: readonly (string | undefined)[] = ['--help', '-h', 'help'];

export async function cli(argv: readonly string[], serve: Command): Promise<number> {
  const commands = allCommands(serve);
  const [name, ...rest] = argv;
  if (name === undefined || HELP.includes(name)) return show(helpOf(commands, rest));
  if (name === '--version') return show(`${VERSION}\n`);
  const command = getCommand(commands, name);
  if (!('commands' in command)) return (await runCommand(command, rest)) ?? show(commandHelp(command));
  const [sub, ...after] = rest;
  if (sub === undefined || HELP.includes(sub)) return show(helpOf(commands, [name, ...after]));
  const inner = getSubCommand(command, sub);
  return (await runCommand(inner, after)) ?? show(commandHelp(inner));
}

function helpOf(commands: readonly (Command | Group)[], [name, sub]: readonly string[]): string {
  if (name === undefined) return mainHelp(commands, VERSION);
  const command = getCommand(commands, name);
  if (!('commands' in command)) return commandHelp(command);
  return sub === undefined ? groupHelp(command) : commandHelp(getSubCommand(command, sub));
}

function show(text: string): number {
  process.stdout.write(text);
  return 0;
}

function getCommand(commands: readonly (Command | Group)[], name: string): Command | Group {
  return commands.find((command) => command.name === name) ?? unknown(name, 'fieldguide', commands);
}

function getSubCommand({ name, commands }: Group, sub: string): Command {
  if (sub.startsWith('-')) throw new UsageError(`options come after the command: fieldguide ${name} <command> ${sub}`);
  const found = commands.find((command) => command.name === `${name} ${sub}`);
  const called = commands.map((command) => ({ name: command.name.slice(name.length + 1) }));
  return found ?? unknown(sub, `fieldguide ${name}`, called);
}

function unknown(name: string, where: string, commands: readonly { name: string }[]): never {
  const near = nearest(
    name,
    commands.map((command) => command.name),
  );
  const hint = near === undefined ? `${where} --help lists the commands` : `did you mean ${where} ${near}?`;
  throw new UsageError(`unknown command ${JSON.stringify(name)}; ${hint}`);
}
