// How long the first search of a fresh server takes, from its start to its answer, beside the first read:
// the command that clients run, interleaved, another query and another document each time.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexWords } from '../../build/index-words.ts';
import { pack } from '../../build/pack.ts';
import type { Entry } from '../../build/render.ts';
import { searchable } from '../../build/searchable.ts';
import { tabulate } from '../../build/tabulate.ts';
import { callLine, readLine, Server } from './process.ts';
import { median, p10, ratio, table } from './report.ts';
import { PROJECT } from './search-corpus.ts';

const START_FILE = join(import.meta.dirname, '../../dist/fieldguide.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);

export async function firstSearch(
  entries: readonly Entry[],
  queries: readonly string[],
  folder: string,
): Promise<string> {
  const bundle = join(folder, 'first.fgb');
  writeFileSync(bundle, pack({ ...tabulate(PROJECT, entries), find: indexWords(entries.map(searchable)) }));
  const args = [START_FILE, 'serve', '--bundle', bundle];
  const figures = { read: [] as number[], tool: [] as number[], search: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const { uri } = entries[(round * 997) % entries.length] as Entry;
    const query = queries[(round * 7) % queries.length] as string;
    figures.read.push(await answerMs(args, readLine(uri)));
    figures.tool.push(await answerMs(args, callLine('read_resource', { uri })));
    figures.search.push(await answerMs(args, callLine('search', { query })));
  }
  const rows = [
    ['first resources/read', figures.read],
    ['first tools/call read_resource', figures.tool],
    ['first tools/call search, eight results with snippets', figures.search],
  ] as const;
  const head = ['what', 'median ms', '× the first read', 'p10 ms', '× the first read'];
  const cells = rows.map(([what, times]) => [
    what,
    median(times).toFixed(1),
    ratio(median(times), median(figures.read)),
    p10(times).toFixed(1),
    ratio(p10(times), p10(figures.read)),
  ]);
  return `## From spawn to the first answer, ${entries.length.toLocaleString('en')} documents\n\nFresh servers, interleaved, ${ROUNDS} rounds.\n\n${table(head, cells)}`;
}

async function answerMs(args: string[], line: string): Promise<number> {
  const server = new Server(args, line);
  const ms = await server.firstReadMs();
  await server.end();
  return ms;
}
