// What a sub-command is: a row of the table. Its arguments are read by the row, its failures are one line.

import type { Args, Option, Positionals } from './args.ts';
import { isUsageError, parseArgs, UsageError } from './args.ts';

export type Command = {
  name: string;
  summary: string;
  takes?: Positionals;
  options: readonly Option[];
  examples: readonly { line: string; does: string }[];
  run(args: Args): number | Promise<number>;
};

/** A command that is only the name of several others; theirs are `group sub-command`. */
export type Group = {
  name: string;
  summary: string;
  examples: Command['examples'];
  commands: readonly Command[];
};

/** Options that every command has. */
export const SHARED: readonly Option[] = [
  { name: 'help', about: 'show this help' },
  { name: 'debug', about: 'show the stack when something fails' },
];

/** The exit code; undefined when help was asked for. */
export async function runCommand(command: Command, argv: readonly string[]): Promise<number | undefined> {
  const { name, takes } = command;
  const args = parseArgs(argv, [...command.options, ...SHARED], takes);
  if (args.flags.has('help')) return undefined;
  if (args.positionals.length < (takes?.least ?? 0)) {
    throw new UsageError(`${name} needs ${takes?.written}; fieldguide ${name} --help shows examples`);
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (isUsageError(error)) throw error;
    const { message, stack } = error as Error;
    process.stderr.write(`fieldguide ${name}: ${args.flags.has('debug') ? stack : message}\n`);
    return 1;
  }
}
