// `fieldguide read <uri>`: what an agent gets, on the terminal.

import type { Args } from '../args.ts';
import { printable } from '../terminal.ts';
import { ask, withContext } from './ask.ts';

export async function read(args: Args): Promise<number> {
  const [uri] = args.positionals;
  const result = await withContext(args, (context) => ask(context, 'resources/read', { uri }));
  if (args.flags.has('json')) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return 0;
  }
  for (const { text, blob } of result.contents as { text?: string; blob?: string }[]) {
    if (text === undefined) {
      process.stdout.write(Buffer.from(blob ?? '', 'base64'));
      continue;
    }
    const shown = process.stdout.isTTY ? printable(text) : text;
    process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  }
  return 0;
}
