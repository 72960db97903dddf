// What a client would get, as a number: two fingerprints differ when the answers do. Failing is an answer,
// too: a page that appears, or goes, has changed.

import { crc32 } from 'node:zlib';
import type { Answer, Part } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { listOwnResources, readResource } from '../router.ts';

export type ListName = 'resources' | 'prompts' | 'tools';

export async function fingerprintOf(context: Context, uri: string): Promise<string> {
  return await settled(() => readResource(context, uri));
}

export async function fingerprintOfList(context: Context, list: ListName): Promise<string> {
  if (list === 'tools') {
    const { listedTools } = await import('../tools/definitions.ts');
    return await settled(() => ({ value: { tools: listedTools(context.access) } }));
  }
  const { listOwnPrompts } = await import('../prompts.ts');
  const page = list === 'resources' ? listOwnResources : listOwnPrompts;
  const sums: string[] = [];
  for (let cursor: string | undefined; ; ) {
    let next: string | undefined;
    const from = cursor;
    sums.push(
      await settled(async () => {
        const answer = await page(context, from);
        next = cursorIn(answer);
        return answer;
      }),
    );
    if (next === undefined || next === cursor) return sums.join(' ');
    cursor = next;
  }
}

/** A cursor stands at the end of a list's answer. */
function cursorIn(answer: Answer): string | undefined {
  if ('value' in answer) return answer.value.nextCursor as string | undefined;
  const last = answer.parts.at(-1);
  return typeof last === 'string' ? /"nextCursor":"([^"]+)"/.exec(last)?.[1] : undefined;
}

async function settled(ask: () => Answer | Promise<Answer>): Promise<string> {
  try {
    const answer = await ask();
    return 'parts' in answer ? sumOf(answer.parts) : sumOf([JSON.stringify(answer.value)]);
  } catch (error) {
    if (error instanceof Failure) return `${error.kind} ${error.message}`;
    throw error;
  }
}

/** Two sums over the same bytes, so that a change that one of them misses is seen. */
function sumOf(parts: readonly Part[]): string {
  let sum = 0;
  let other = 1;
  for (const part of parts) {
    sum = crc32(part, sum);
    other = crc32(part, other);
  }
  return `${sum} ${other}`;
}
