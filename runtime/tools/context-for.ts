// context_for: the page for the file in hand, as context://for/{path} gives it.

import { answerValue } from '../answer.ts';
import type { Context } from '../context.ts';
import { readResource } from '../router.ts';
import { forUri } from '../uri.ts';
import { plainPath } from './plain-path.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

export async function contextFor(context: Context, { path }: ToolArguments): Promise<Content[]> {
  const answer = await readResource(context, forUri(plainPath(String(path))));
  const [read] = answerValue(answer).contents as [{ text: string }];
  return text(read.text);
}
