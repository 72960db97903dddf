// npm run bench:search: how often the right document comes first, and how long that takes, beside SQLite
// FTS5 and MiniSearch on the same queries in the same run. Needs FIELDGUIDE_CORPUS and python3; prints and
// writes SEARCH.md. The ranking was tuned on queries of other seeds.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstSearch } from './first-search.ts';
import { type Corpus, cutInto, readCorpus } from './search-corpus.ts';
import { type Kind, makeQueries, type Query } from './search-queries.ts';
import { ENGINES, type Outcome } from './search-rivals.ts';

const MEASURED_SEED = 2026;
/** TUNING=1 uses these instead, and writes nothing. */
const TUNING_SEED = 77;
const TURNS = 3;
const MANY = 10_000;
const KINDS: readonly Kind[] = ['title', 'section', 'slip'];

const corpusFolder = process.env.FIELDGUIDE_CORPUS;
if (corpusFolder === undefined) throw new Error('set FIELDGUIDE_CORPUS to the folder of the corpora');
const isTuning = process.env.TUNING === '1';
const name = process.env.BENCH_CORPUS ?? 'kubernetes-en';
const folder = mkdtempSync(join(tmpdir(), 'fieldguide-search-'));
try {
  const corpus = readCorpus(join(corpusFolder, `${name}.tar.gz`));
  const queries = makeQueries(corpus.documents, isTuning ? TUNING_SEED : MEASURED_SEED);
  const report = [
    head(corpus, queries),
    quality(corpus, queries, folder),
    isTuning ? '' : times(corpus, queries, folder),
    isTuning
      ? ''
      : await firstSearch(
          cutInto(MANY, corpus.entries),
          queries.map(({ text }) => text),
          folder,
        ),
  ].join('\n');
  process.stdout.write(report);
  if (!isTuning && name === 'kubernetes-en') writeFileSync(join(import.meta.dirname, 'SEARCH.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function head(corpus: Corpus, queries: readonly Query[]): string {
  const megabytes = (corpus.sourceBytes / 1e6).toFixed(1);
  return [
    '# Search, measured',
    '',
    `${name}: ${corpus.entries.length.toLocaleString('en')} documents, ${megabytes} MB; ${queries.length} known-item queries, seed ${isTuning ? TUNING_SEED : MEASURED_SEED} (tuned on others).`,
    'How queries are made: `search-queries.ts`. A hit is a relevant document; for a section only the one it is from.',
    `Node ${process.version}, ${cpus().length} cores; other work may have run beside it. One standard error of success@1 is 3 to 5 points.`,
    '',
  ].join('\n');
}

function quality(corpus: Corpus, queries: readonly Query[], scratch: string): string {
  const texts = queries.map(({ text }) => text);
  const rows = ENGINES.map(({ name: engine, run }) => {
    const outcome = run(corpus.entries, texts, 1, scratch);
    const cells = [
      ...KINDS.map((kind) => cell(queries, outcome, (query) => query.kind === kind)),
      cell(queries, outcome, () => true),
    ];
    const share = ((100 * outcome.indexBytes) / corpus.sourceBytes).toFixed(1);
    return `| ${engine} | ${cells.join(' | ')} | ${outcome.indexBytes.toLocaleString('en')} (${share} %) |`;
  });
  return [
    '## Quality: success@1 / success@5 / MRR@10',
    '',
    '| engine | title | section | slip | all | index bytes (of source) |',
    '| --- | --- | --- | --- | --- | ---: |',
    ...rows,
    '',
  ].join('\n');
}

function cell(queries: readonly Query[], outcome: Outcome, isCounted: (query: Query) => boolean): string {
  const ranks = queries.flatMap((query, n) => {
    if (!isCounted(query)) return [];
    return [(outcome.found[n] as string[]).findIndex((key) => query.relevant.includes(key))];
  });
  const share = (of: (rank: number) => number): number => ranks.reduce((sum, rank) => sum + of(rank), 0) / ranks.length;
  const first = share((rank) => (rank === 0 ? 1 : 0)).toFixed(2);
  const five = share((rank) => (rank >= 0 && rank < 5 ? 1 : 0)).toFixed(2);
  return `${first} / ${five} / ${share((rank) => (rank < 0 ? 0 : 1 / (rank + 1))).toFixed(3)}`;
}

/** Documents are cut at headings into ten thousand; the queries are the same. */
function times(corpus: Corpus, queries: readonly Query[], scratch: string): string {
  const entries = cutInto(MANY, corpus.entries);
  const sourceBytes = entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const texts = queries.map(({ text }) => text);
  const rows = ENGINES.map(({ name: engine, run }) => {
    const { times: taken, indexBytes } = run(entries, texts, TURNS, scratch);
    const sorted = taken.sort((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] as number).toFixed(2);
    return `| ${engine} | ${at(0.5)} | ${at(0.99)} | ${((100 * indexBytes) / sourceBytes).toFixed(1)} % |`;
  });
  return [
    `## Time of a query over ${entries.length.toLocaleString('en')} documents`,
    '',
    `The same corpus, each document cut at the first heading after 1,000 characters, the first ${MANY.toLocaleString('en')} pieces`,
    `(${(sourceBytes / 1e6).toFixed(1)} MB); the same queries, ten results, ${TURNS} turns. Ours gives snippets and anchors, the others only which documents.`,
    '',
    '| engine | p50 ms | p99 ms | index, of the text |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    '',
  ].join('\n');
}
