// `fieldguide list`: every resource there is, page after page as a client would ask.

import type { Args } from '../args.ts';
import { painter, size } from '../terminal.ts';
import { ask, quietContext } from './ask.ts';

type Listed = { uri: string; description?: string; size?: number };

export async function list(args: Args): Promise<number> {
  const context = quietContext(args);
  const resources: Listed[] = [];
  let templates: unknown;
  const seen = new Set<unknown>();
  for (let cursor: unknown; ; ) {
    const page = await ask(context, 'resources/list', cursor === undefined ? {} : { cursor });
    resources.push(...(page.resources as Listed[]));
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
  const paint = painter(process.stdout);
  const width = resources.reduce((most, { uri }) => Math.min(60, Math.max(most, uri.length)), 0);
  for (const { uri, size: bytes, description } of resources) {
    const length = bytes === undefined ? '' : size(bytes);
    process.stdout.write(`${uri.padEnd(width)}  ${length.padStart(9)}  ${paint('dim', description ?? '')}\n`);
  }
  return 0;
}
