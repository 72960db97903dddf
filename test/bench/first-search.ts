// How long the first search of a fresh process takes, from its start to its answer, beside the first read:
// interleaved, the same queries for all. Small programs of our own, so that no client is measured.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { indexWords } from '../../build/index-words.ts';
import { pack } from '../../build/pack.ts';
import type { Entry } from '../../build/render.ts';
import { searchable } from '../../build/searchable.ts';
import { tabulate } from '../../build/tabulate.ts';
import { environment } from './process.ts';
import { median, ratio, table } from './report.ts';
import { PROJECT } from './search-corpus.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);

export async function firstSearch(
  entries: readonly Entry[],
  queries: readonly string[],
  folder: string,
): Promise<string> {
  const bundle = join(folder, 'first.fgb');
  writeFileSync(bundle, pack({ ...tabulate(PROJECT, entries), find: indexWords(entries.map(searchable)) }));
  await compilePrograms(folder);
  const program = join(folder, 'first.cjs');
  const figures = { bare: [] as number[], read: [] as number[], search: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const { uri } = entries[(round * 997) % entries.length] as Entry;
    const query = queries[(round * 7) % queries.length] as string;
    figures.bare.push(await answerMs(['-e', 'process.stdout.write("1")']));
    figures.read.push(await answerMs([program, bundle, 'read', uri]));
    figures.search.push(await answerMs([program, bundle, 'search', query]));
  }
  const read = median(figures.read);
  const rows = [
    ['bare node, one byte written', median(figures.bare)],
    ['first read', read],
    ['first search, ten results with snippets', median(figures.search)],
  ] as const;
  return [
    `## From the start of a process to its first answer, ${entries.length.toLocaleString('en')} documents`,
    '',
    `Fresh processes, interleaved, medians of ${ROUNDS}.`,
    '',
    table(
      ['what', 'ms', 'of the first read'],
      rows.map(([what, ms]) => [what, ms.toFixed(1), ratio(ms, read)]),
    ),
  ].join('\n');
}

/** The program and the search beside it, as bin/compile.ts makes a start file and its siblings. */
async function compilePrograms(folder: string): Promise<void> {
  await build({
    entryPoints: ['test/bench/servers/first.ts', 'runtime/search/search.ts'].map((entry) => join(ROOT, entry)),
    entryNames: '[name]',
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.15',
    minify: true,
    define: { 'import.meta.dirname': '__dirname' },
  });
  cpSync(join(ROOT, 'runtime/native'), join(folder, 'native'), { recursive: true });
}

async function answerMs(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment() });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const spent = performance.now() - start;
  child.stdout.resume();
  await ended;
  return spent;
}
