// `fieldguide search <words>`: what an agent would find, on the terminal, the matching words in bold.

import { Failure } from '../../runtime/failure.ts';
import { type Result, type Results, searchDescribed } from '../../runtime/search/described.ts';
import { sizeInWords } from '../../runtime/tokens.ts';
import { errorObject } from '../../runtime/wire/eras.ts';
import { type Args, UsageError } from '../args.ts';
import { type Paint, painter, printable } from '../terminal.ts';
import { quietContext, terminalError } from './ask.ts';

const USUAL_RESULTS = 10;
const MOST_RESULTS = 100;

export async function find(args: Args): Promise<number> {
  const limit = Number(args.values.get('limit') ?? USUAL_RESULTS);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_RESULTS) {
    throw new UsageError(`--limit is a whole number from 1 to ${MOST_RESULTS}`);
  }
  const found = await searched(args, limit);
  if (args.flags.has('json')) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else show(found);
  return found.results.length === 0 ? 1 : 0;
}

async function searched(args: Args, limit: number): Promise<Results> {
  try {
    return await searchDescribed(await quietContext(args), args.positionals.join(' '), args.values.get('space'), limit);
  } catch (error) {
    throw error instanceof Failure ? terminalError(errorObject(error, 'legacy')) : error;
  }
}

function show({ results, total, corrected }: Results): void {
  for (const { asked, used } of corrected) {
    process.stderr.write(`Nothing has "${printable(asked)}"; searched for "${printable(used)}".\n`);
  }
  if (results.length === 0) {
    process.stderr.write('Nothing found. Try other or fewer words, or `fieldguide list`.\n');
    return;
  }
  const paint = painter(process.stdout);
  for (const result of results) process.stdout.write(`${resultText(result, paint)}\n\n`);
  const more = total - results.length;
  if (more > 0) process.stderr.write(`${more} more; --limit shows them.\n`);
}

function resultText({ uri, title, heading, snippet, words, size }: Result, paint: Paint): string {
  const label = heading === undefined || heading === title ? title : `${title} › ${heading}`;
  const cost = size === undefined ? '' : paint('dim', `  ${sizeInWords(size)}`);
  return `${paint('bold', printable(label))}${cost}\n${paint('cyan', uri)}\n${highlighted(printable(snippet), words, paint)}`;
}

function highlighted(snippet: string, words: readonly string[], paint: Paint): string {
  const wanted = new Set(words.map((word) => word.toLowerCase()));
  return snippet.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) =>
    wanted.has(word.toLowerCase()) ? paint('bold', word) : word,
  );
}
