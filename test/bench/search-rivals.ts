// The engines of the search benchmark behind one form: documents in, queries answered, times and bytes out.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { indexWords } from '../../build/index-words.ts';
import { pack } from '../../build/pack.ts';
import type { Entry } from '../../build/render.ts';
import { searchable } from '../../build/searchable.ts';
import { tabulate } from '../../build/tabulate.ts';
import { Bundle } from '../../runtime/bundle.ts';
import { memoryBytes } from '../../runtime/map.ts';
import { search } from '../../runtime/search/search.ts';
import { type Plain, PROJECT, plain } from './search-corpus.ts';

/** What each query found, keys, best first; all times in ms; the bytes of the index, and how it was told to rank. */
export type Outcome = { found: string[][]; times: number[]; indexBytes: number };

export type Engine = {
  name: string;
  run(entries: readonly Entry[], queries: readonly string[], turns: number, folder: string): Outcome;
};

const LIMIT = 10;

export const ENGINES: readonly Engine[] = [
  { name: 'fieldguide, with snippets', run: (entries, queries, turns) => ours(entries, queries, turns) },
  { name: 'SQLite FTS5 unicode61, 64,8,1', run: fts5 },
  { name: 'MiniSearch', run: (entries, queries, turns) => miniSearch(entries, queries, turns, {}) },
  {
    name: 'MiniSearch, prefix + fuzzy 0.2, 8,3,1',
    run: (entries, queries, turns) =>
      miniSearch(entries, queries, turns, { prefix: true, fuzzy: 0.2, boost: { title: 8, headings: 3 } }),
  },
];

function ours(entries: readonly Entry[], queries: readonly string[], turns: number): Outcome {
  const find = indexWords(entries.map(searchable));
  const bundle = new Bundle(memoryBytes(pack({ ...tabulate(PROJECT, entries), find })));
  const options = { limit: LIMIT, may: () => true, everything: true };
  return {
    ...timed(queries, turns, (query) => search(bundle, query, options).hits.map(({ key }) => key)),
    indexBytes: find.length,
  };
}

function miniSearch(entries: readonly Entry[], queries: readonly string[], turns: number, options: object): Outcome {
  const index = new MiniSearch({ fields: ['title', 'headings', 'body'], searchOptions: options });
  const documents = entries.map(plain);
  index.addAll(documents.map((one, id) => ({ id, title: one.title, headings: headingsOf(one), body: one.text })));
  const key = (id: number): string => (documents[id] as Plain).key;
  const answered = timed(queries, turns, (query) =>
    index
      .search(query)
      .slice(0, LIMIT)
      .map(({ id }) => key(id)),
  );
  return { ...answered, indexBytes: Buffer.byteLength(JSON.stringify(index)) };
}

/** In the SQLite that Python brings: native, and nothing to install. */
function fts5(entries: readonly Entry[], queries: readonly string[], turns: number, folder: string): Outcome {
  const documents = entries.map(plain);
  const input = {
    folder,
    turns,
    queries,
    documents: documents.map((one) => [one.title, headingsOf(one), one.text]),
  };
  const { status, stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'fts5.py')], {
    input: JSON.stringify(input),
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`python3 with sqlite3 is needed: ${stderr}`);
  const { found, times, bytes }: { found: number[][]; times: number[]; bytes: number } = JSON.parse(stdout);
  return { found: found.map((rows) => rows.map((n) => (documents[n] as Plain).key)), times, indexBytes: bytes };
}

function headingsOf({ sections }: Plain): string {
  return sections.map(({ text }) => text).join('\n');
}

/** The first turn warms up and is not timed, unless it is the only one. */
function timed(
  queries: readonly string[],
  turns: number,
  ask: (query: string) => string[],
): Omit<Outcome, 'indexBytes'> {
  const found = queries.map(ask);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    for (const query of queries) {
      const start = performance.now();
      ask(query);
      times.push(performance.now() - start);
    }
  }
  return { found, times };
}
