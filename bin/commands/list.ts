// `fieldguide list`: every resource there is, page after page as a client would ask, as a tree.

import type { Context } from '../../runtime/context.ts';
import type { Args } from '../args.ts';
import { painter } from '../terminal.ts';
import { type Leaf, treeLines } from '../tree.ts';
import { ask, withContext } from './ask.ts';

export async function list(args: Args): Promise<number> {
  return await withContext(args, async (context) => await listAll(args, context));
}

async function listAll(args: Args, context: Context): Promise<number> {
  const resources: Leaf[] = [];
  let templates: unknown;
  const seen = new Set<unknown>();
  for (let cursor: unknown; ; ) {
    const page = await ask(context, 'resources/list', cursor === undefined ? {} : { cursor });
    resources.push(...(page.resources as Leaf[]));
    templates ??= page.resourceTemplates;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
    if (seen.has(cursor)) throw new Error('the list does not end: the bundle is damaged.');
    seen.add(cursor);
  }
  if (args.flags.has('json')) {
    process.stdout.write(`${JSON.stringify({ resources, resourceTemplates: templates }, null, 2)}\n`);
    return 0;
  }
  for (const line of treeLines(resources, painter(process.stdout))) process.stdout.write(`${line}\n`);
  return 0;
}
