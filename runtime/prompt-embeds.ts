// What stands before the text of a prompt: resources, read when the prompt is asked for, by whoever asks for it. Each
// is a message of its own, because a message has one block.

import { answerValue } from './answer.ts';
import type { Context } from './context.ts';
import { readResource } from './router.ts';

export type Block = { type: string; [more: string]: unknown };

type Read = { uri: string; mimeType: string; text?: string; blob?: string };

/** In their order; throws the failure of the first that cannot be read. An argument without a value is no URI. */
export async function readBlocks(context: Context, uris: readonly string[]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const uri of uris) {
    if (uri === '') continue;
    const { contents } = answerValue(await readResource(context, uri)) as { contents: readonly Read[] };
    blocks.push(...contents.map(blockOf));
  }
  return blocks;
}

/** Sounds too are embedded as they are: not every version of the protocol has a block for them. */
function blockOf(read: Read): Block {
  const { mimeType, blob } = read;
  if (blob !== undefined && mimeType.startsWith('image/')) return { type: 'image', data: blob, mimeType };
  return { type: 'resource', resource: read };
}
