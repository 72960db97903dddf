// search: the best texts for a few words, each with its section, why it matched, and what reading it costs.

import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { Result, Results } from '../search/described.ts';
import { sizeInWords } from '../tokens.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

const MOST_RESULTS = 25;
const USUAL_RESULTS = 8;
const PROMPT = 'prompt/';

export async function searchTool(context: Context, { query, space, limit }: ToolArguments): Promise<Content[]> {
  const most = Number(limit ?? USUAL_RESULTS);
  if (most < 1 || most > MOST_RESULTS) {
    const reason = `limit is a whole number from 1 to ${MOST_RESULTS}.`;
    throw new Failure('invalid_params', 'Invalid argument: limit', { reason, ...advise('toolArguments') });
  }
  const { searchDescribed } = await import('../search/described.ts');
  const where = space === undefined ? undefined : String(space);
  return text(shown(await searchDescribed(context, String(query), where, most), String(query)));
}

function shown({ results, total, corrected }: Results, query: string): string {
  const notes = corrected.map(
    ({ asked, used }) => `Nothing has ${JSON.stringify(asked)}; searched for ${JSON.stringify(used)}.`,
  );
  if (results.length === 0) {
    return [
      ...notes,
      `Nothing found for ${JSON.stringify(query.slice(0, 200))}. Try other or fewer words, or list_resources.`,
    ].join('\n');
  }
  const count = total > results.length ? `The best ${results.length} of ${total}:` : `${total} found:`;
  return [...notes, count, ...results.map(lines)].join('\n');
}

function lines({ uri, title, heading, snippet, size }: Result, n: number): string {
  const label = heading === undefined || heading === title ? title : `${title} › ${heading}`;
  const cost = size === undefined ? '' : ` (${sizeInWords(size)})`;
  const where = uri.startsWith(PROMPT) ? `prompts/get ${uri.slice(PROMPT.length)}` : uri;
  return `${n + 1}. ${label} — ${where}${cost}\n   ${snippet.replace(/\s*\n\s*/g, ' ')}`;
}
