// Every sub-command as one table, in the order of help. The start file loads it for anything but `serve`;
// help and the manual's page of commands are made from it.

import { nearest } from '../runtime/nearest.ts';
import { VERSION } from '../runtime/version.ts';
import { UsageError } from './args.ts';
import { type Command, runCommand } from './command.ts';
import { commandHelp, mainHelp } from './help.ts';
import { AUTHOR } from './table/author.ts';
import { READER } from './table/reader.ts';

/** `serve` is given, because it stands in the start file. */
export function allCommands(serve: Command): Command[] {
  return [...AUTHOR, serve, ...READER];
}

export async function cli(argv: readonly string[], serve: Command): Promise<number> {
  const commands = allCommands(serve);
  const [name, ...rest] = argv;
  const helpOf = (about: string | undefined): string =>
    about === undefined ? mainHelp(commands, VERSION) : commandHelp(getCommand(commands, about));
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return show(helpOf(rest[0]));
  if (name === '--version') return show(`${VERSION}\n`);
  return (await runCommand(getCommand(commands, name), rest)) ?? show(helpOf(name));
}

function show(text: string): number {
  process.stdout.write(text);
  return 0;
}

function getCommand(commands: readonly Command[], name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const near = nearest(
    name,
    commands.map((candidate) => candidate.name),
  );
  const hint = near === undefined ? 'fieldguide --help lists the commands' : `did you mean fieldguide ${near}?`;
  throw new UsageError(`unknown command ${JSON.stringify(name)}; ${hint}`);
}
