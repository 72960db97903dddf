// `fieldguide read <uri>`: what an agent gets, on the terminal.

import type { Args } from '../args.ts';
import { printable } from '../terminal.ts';
import { ask, quietContext } from './ask.ts';

export async function read(args: Args): Promise<number> {
  const [uri] = args.positionals;
  const result = await ask(await quietContext(args), 'resources/read', { uri });
  if (args.flags.has('json')) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return 0;
  }
  for (const { text } of result.contents as { text: string }[]) {
    const shown = process.stdout.isTTY ? printable(text) : text;
    process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  }
  return 0;
}
