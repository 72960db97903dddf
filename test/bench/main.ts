// npm run bench: everybody in one interleaved run, each time in a fresh process, the order reversed
// every other round. Prints and writes RESULTS.md: medians, the tenth percentile, and ratios, because
// times of different machines do not compare.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, readLine, Server } from './process.ts';
import { machine, median, p10, progress, ratio, table } from './report.ts';
import { type Rival, rivals } from './rivals.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 80);
const LOAD_ROUNDS = Number(process.env.BENCH_LOAD_ROUNDS ?? 5);
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 1000);
const LOADS = [
  { text: 'small', depth: 1 },
  { text: 'small', depth: 32 },
  { text: 'large', depth: 1 },
  { text: 'large', depth: 32 },
] as const;

type Figures = { starts: number[]; anonymous: number[]; loads: Map<string, { perSecond: number[]; cpuUs: number[] }> };

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
try {
  const all = rivals(folder);
  const figures = new Map<Rival, Figures>(all.map((rival) => [rival, { starts: [], anonymous: [], loads: new Map() }]));
  await measureStarts(all, figures);
  await measureLoads(all, figures);
  const report = `${header()}\n${startTable(all, figures)}\n${loadTables(all, figures)}`;
  process.stdout.write(report);
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureStarts(all: Rival[], figures: Map<Rival, Figures>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    progress(`starts ${round + 1}/${ROUNDS}`);
    for (const rival of round % 2 === 0 ? all : [...all].reverse()) {
      const { starts, anonymous } = figures.get(rival) as Figures;
      if (rival.reads === undefined) {
        starts.push(await bareStart(rival));
        if (round % 10 === 0) anonymous.push(await bareMemory());
        continue;
      }
      const server = new Server(rival.args, readLine(rival.reads.small));
      starts.push(await server.firstReadMs());
      if (round % 10 === 0) anonymous.push(server.anonymousBytes());
      await server.end();
    }
  }
}

async function bareStart(rival: Rival): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, rival.args, { stdio: ['pipe', 'pipe', 'ignore'], env: environment() });
  await once(child, 'exit');
  return performance.now() - start;
}

/** Bare Node waiting on its stdin, as a server that does nothing would. */
async function bareMemory(): Promise<number> {
  const server = new Server(['-e', 'process.stdin.once("data", () => process.stdout.write(`{"id":7}\\n`))'], '');
  await server.firstReadMs();
  const bytes = server.anonymousBytes();
  await server.end();
  return bytes;
}

async function measureLoads(all: Rival[], figures: Map<Rival, Figures>): Promise<void> {
  for (let round = 0; round < LOAD_ROUNDS; round++) {
    for (const rival of round % 2 === 0 ? all : [...all].reverse()) {
      if (rival.reads?.large === undefined) continue;
      const uris = { small: rival.reads.small, large: rival.reads.large };
      const { loads } = figures.get(rival) as Figures;
      for (const { text, depth } of LOADS) {
        progress(`load ${round + 1}/${LOAD_ROUNDS}: ${rival.name}, ${text}, ${depth} in flight`);
        const server = new Server(rival.args, readLine(uris[text]));
        await server.firstReadMs();
        await server.load(uris[text], depth, LOAD_MS / 3);
        const { perSecond, cpuUs } = await server.load(uris[text], depth, LOAD_MS);
        const kept = loads.get(`${text} ${depth}`) ?? { perSecond: [], cpuUs: [] };
        kept.perSecond.push(perSecond);
        kept.cpuUs.push(cpuUs);
        loads.set(`${text} ${depth}`, kept);
        await server.end();
      }
    }
  }
}

function header(): string {
  return `# Benchmark

Written by \`npm run bench\`. One interleaved run, every start in a fresh process, order reversed every
other round; ${ROUNDS} rounds of starts, ${LOAD_ROUNDS} of loads, medians unless said. Compare ratios, not times.

${machine()}
`;
}

function startTable(all: Rival[], figures: Map<Rival, Figures>): string {
  const bare = figures.get(all[0] as Rival) as Figures;
  const rows = all.map((rival) => {
    const { starts, anonymous } = figures.get(rival) as Figures;
    const more = (median(anonymous) - median(bare.anonymous)) / 1e6;
    return [
      rival.name,
      median(starts).toFixed(1),
      ratio(median(starts), median(bare.starts)),
      p10(starts).toFixed(1),
      ratio(p10(starts), p10(bare.starts)),
      `${more >= 0 ? '+' : ''}${more.toFixed(1)}`,
    ];
  });
  return `## Spawn to first answered read\n\n${table(['server', 'median ms', '× bare', 'p10 ms', '× bare', 'anonymous MB over bare'], rows)}`;
}

function loadTables(all: Rival[], figures: Map<Rival, Figures>): string {
  const measured = all.filter((rival) => (figures.get(rival) as Figures).loads.size > 0);
  const floor = figures.get(measured[0] as Rival) as Figures;
  return LOADS.map(({ text, depth }) => {
    const key = `${text} ${depth}`;
    const base = floor.loads.get(key);
    const rows = measured.map((rival) => {
      const load = (figures.get(rival) as Figures).loads.get(key);
      if (load === undefined || base === undefined) return [rival.name, '–', '–', '–', '–'];
      return [
        rival.name,
        Math.round(median(load.perSecond)).toLocaleString('en'),
        ratio(median(load.perSecond), median(base.perSecond)),
        median(load.cpuUs).toFixed(1),
        ratio(median(load.cpuUs), median(base.cpuUs)),
      ];
    });
    const title = `## Reads of ${text === 'small' ? '3 KB' : '50 KB'}, ${depth} in flight`;
    return `${title}\n\n${table(['server', 'reads a second', '× floor', 'CPU µs a read', '× floor'], rows)}`;
  }).join('\n');
}
