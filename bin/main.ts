// The command. `serve` stands here because the start is the product; the table of all others is a file of
// its own, and so is the body of each, loaded when it is called.

import { isUsageError } from './args.ts';
import { runCommand } from './command.ts';
import { SERVE } from './table/serve.ts';

async function main(argv: readonly string[]): Promise<number> {
  const code = argv[0] === SERVE.name ? await runCommand(SERVE, argv.slice(1)) : undefined;
  return code ?? (await import('./cli.ts')).cli(argv, SERVE);
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
