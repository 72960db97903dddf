// context_for: the page for the file in hand, as context://for/{path} gives it.

import { answerValue } from '../answer.ts';
import type { Context } from '../context.ts';
import { readResource } from '../router.ts';
import { forUri } from '../uri.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

export async function contextFor(context: Context, { path }: ToolArguments): Promise<Content[]> {
  const answer = await readResource(context, forUri(plainPath(String(path))));
  const [read] = answerValue(answer).contents as [{ text: string }];
  return text(read.text);
}

/** As models write paths: `./src/../lib/a.ts` is `lib/a.ts`. What leads out keeps its dots, and is refused. */
function plainPath(written: string): string {
  const segments: string[] = [];
  for (const segment of written.replaceAll('\\', '/').split('/')) {
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (segment !== '.' && (segment !== '' || segments.length === 0)) segments.push(segment);
  }
  return segments.join('/');
}
