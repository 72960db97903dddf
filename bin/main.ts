// The command. `serve` stands here because the start is the product; every other body is a
// file of its own, loaded when it is called.

import { nearest } from '../runtime/nearest.ts';
import { VERSION } from '../runtime/version.ts';
import { type Args, isUsageError, parseArgs, UsageError } from './args.ts';
import { serve } from './commands/serve.ts';
import { type Command, commands, SHARED } from './table.ts';

const COMMANDS = commands({
  serve,
  build: async (args) => (await import('./commands/build.ts')).build(args),
  read: async (args) => (await import('./commands/read.ts')).read(args),
  list: async (args) => (await import('./commands/list.ts')).list(args),
  search: async (args) => (await import('./commands/find.ts')).find(args),
  verify: async (args) => (await import('./commands/verify.ts')).verify(args),
  schema: async () => (await import('./commands/schema.ts')).schema(),
});

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return showHelp(rest[0]);
  if (name === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const command = getCommand(name);
  const args = parseArgs(rest, [...command.options, ...SHARED], command.takes);
  if (args.flags.has('help')) return showHelp(name);
  if (args.positionals.length < (command.takes?.least ?? 0)) {
    throw new UsageError(`${name} needs ${command.takes?.written}; fieldguide ${name} --help shows examples`);
  }
  return await runCommand(command, args);
}

async function runCommand(command: Command, args: Args): Promise<number> {
  try {
    return await command.run(args);
  } catch (error) {
    if (isUsageError(error)) throw error;
    const { message, stack } = error as Error;
    process.stderr.write(`fieldguide ${command.name}: ${args.flags.has('debug') ? stack : message}\n`);
    return 1;
  }
}

function getCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const near = nearest(
    name,
    COMMANDS.map((candidate) => candidate.name),
  );
  const hint = near === undefined ? 'fieldguide --help lists the commands' : `did you mean fieldguide ${near}?`;
  throw new UsageError(`unknown command ${JSON.stringify(name)}; ${hint}`);
}

async function showHelp(name: string | undefined): Promise<number> {
  const { commandHelp, mainHelp } = await import('./help.ts');
  process.stdout.write(name === undefined ? mainHelp(COMMANDS, VERSION) : commandHelp(getCommand(name)));
  return 0;
}

/** A reader that has gone is no failure of ours: the command ends with its own code. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`fieldguide: the output cannot be written (${error.code})\n`);
  process.exit(1);
});
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`fieldguide: ${error.message}\n`);
    process.exitCode = isUsageError(error) ? 2 : 1;
  },
);
