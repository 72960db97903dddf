// npm run bench:upstreams: what other servers cost. Our own reads while three of them hang, flood and crash, against
// quiet; a read through us against one asked of its server; the start with twenty of them configured, against none.
// Writes RESULTS-upstreams.md.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bad, EVERYTHING } from '../support/upstreams/project.ts';
import { Lines } from './lines.ts';
import { environment, readLine, Server } from './process.ts';
import { machine, median, p10, progress, ratio, table } from './report.ts';

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SPAWNS = Number(process.env.BENCH_SPAWNS ?? 60);
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 4000);
const READS = Number(process.env.BENCH_READS ?? 2000);
const OWN = 'context://module/auth';
const DOCUMENT = 'demo://resource/static/document/features.md';

const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
try {
  const report = [
    `# Benchmark of upstreams\n\nWritten by \`npm run bench:upstreams\`; interleaved rounds. Compare ratios, not times.\n\n${machine()}\n`,
    await ownReads(),
    await proxiedReads(),
    await proxiedOverHttp(),
    await starts(),
  ].join('\n');
  process.stdout.write(report);
  writeFileSync(join(HERE, 'RESULTS-upstreams.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function built(name: string, upstreams: Record<string, object>): string {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  const modules = { auth: { description: 'Sign-in', patterns: Array.from({ length: 40 }, (_, n) => `Pattern ${n}`) } };
  writeFileSync(
    join(root, 'project.yaml'),
    JSON.stringify({ version: '1.0', project: { name: 'bench' }, modules, upstreams }),
  );
  const { status, stderr } = spawnSync(process.execPath, [START_FILE, 'build', '--root', root], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return root;
}

async function readMs(ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await ask();
  return performance.now() - start;
}

/** One at a time for a while; `beside` is asked of other servers all the time. */
async function ownReads(): Promise<string> {
  const groups = {
    hangs: { ...bad('hang'), timeout: '2s' },
    floods: { ...bad('flood'), timeout: '2s' },
    crashes: bad('crash'),
  };
  const root = built('own', groups);
  const quiet: number[] = [];
  const beside: number[] = [];
  let asked = 0;
  for (let round = 0; round < ROUNDS * 2; round++) {
    const isBad = round % 2 === 1;
    progress(`own reads ${round + 1}/${ROUNDS * 2}`);
    const server = await new Lines(process.execPath, [START_FILE, 'serve', '--root', root]).handshake();
    for (let n = 0; n < 500; n++) await server.request('resources/read', { uri: OWN });
    const timer = setInterval(() => {
      for (const group of isBad ? Object.keys(groups) : []) {
        asked++;
        void server.request('resources/read', { uri: `upstream://${group}/bad://${asked}` });
      }
    }, 20);
    const until = performance.now() + LOAD_MS;
    while (performance.now() < until) {
      const ms = await readMs(() => server.request('resources/read', { uri: OWN }));
      (isBad ? beside : quiet).push(ms);
    }
    clearInterval(timer);
    await server.end();
  }
  const row = (name: string, values: number[]): string[] => [
    name,
    String(values.length),
    median(values).toFixed(3),
    at(values, 0.99).toFixed(3),
    ratio(at(values, 0.99), at(quiet, 0.99)),
    at(values, 0.999).toFixed(3),
  ];
  const rows = [row('quiet', quiet), row('while three groups hang, flood and crash', beside)];
  return `## Our own reads, one at a time over stdio\n\nMeanwhile ${asked} reads were asked of the three groups, 150 a second. Goal: p99 at most 2×.\n\n${table(['what', 'reads', 'ms, median', 'p99', 'p99 ratio', 'p99.9'], rows)}`;
}

function at(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

async function proxiedReads(): Promise<string> {
  const root = built('proxied', { all: EVERYTHING });
  const keeping = built('keeping', { all: { ...EVERYTHING, cacheTtl: '1h' } });
  const raw: [string, () => Promise<Lines>, string][] = [
    ['asked of the server itself', () => new Lines(EVERYTHING.command, EVERYTHING.args).handshake(), DOCUMENT],
    [
      'through us',
      () => new Lines(process.execPath, [START_FILE, 'serve', '--root', root]).handshake(),
      `upstream://all/${DOCUMENT}`,
    ],
    [
      'through us, kept for an hour',
      () => new Lines(process.execPath, [START_FILE, 'serve', '--root', keeping]).handshake(),
      `upstream://all/${DOCUMENT}`,
    ],
  ];
  const byPipe = raw.map(() => [] as number[]);
  const byClient = raw.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    progress(`proxied reads ${round + 1}/${ROUNDS}`);
    for (const [n, [, start, uri]] of raw.entries()) {
      const server = await start();
      const reads = async (count: number): Promise<number[]> => {
        const values: number[] = [];
        for (let i = 0; i < count; i++) values.push(await readMs(() => server.request('resources/read', { uri })));
        return values;
      };
      await reads(READS / 4);
      byPipe[n]?.push(median(await reads(READS)));
      await server.end();
      byClient[n]?.push(await clientMs(server.child.spawnargs, uri));
    }
  }
  const rows = raw.flatMap(([name], n) => [
    [
      `plain lines, ${name}`,
      median(byPipe[n] as number[]).toFixed(3),
      ratio(median(byPipe[n] as number[]), median(byPipe[0] as number[])),
    ],
    [
      `the SDK’s client, ${name}`,
      median(byClient[n] as number[]).toFixed(3),
      ratio(median(byClient[n] as number[]), median(byClient[0] as number[])),
    ],
  ]);
  return `## A read of another server's document\n\nOne at a time, over stdio; the server is the SDK's \`server-everything\`. Goal: at most 1.5×.\n\n${table(['what', 'ms, median', 'ratio'], rows.sort())}`;
}

/** As an ordinary client asks. */
async function clientMs([command = '', ...args]: string[], uri: string): Promise<number> {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  const found = await medianOfReads(client, uri);
  await client.close();
  return found;
}

async function medianOfReads(client: Client, uri: string): Promise<number> {
  const values: number[] = [];
  for (let n = 0; n < READS / 2; n++)
    values.push(await readMs(() => client.request({ method: 'resources/read', params: { uri } })));
  return median(values.slice(values.length / 5));
}

/** The server is reached over HTTP, as most that a team shares; a client over HTTP against one that starts us. */
async function proxiedOverHttp(): Promise<string> {
  const uri = 'notes://all';
  const answer = join(folder, 'answer.json');
  writeFileSync(answer, JSON.stringify({ result: { contents: [{ uri, text: 'A line of a note.\n'.repeat(200) }] } }));
  const upstream = spawn(process.execPath, [join(HERE, 'http-sdk.mjs'), answer], { env: environment() });
  const port = await new Promise<string>((resolve) => {
    upstream.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const root = built('http', { notes: { url } });
  const ways: [string, () => ConstructorParameters<typeof Client>[1], () => Transport, string][] = [
    ['asked of the server itself', () => MODERN, () => new StreamableHTTPClientTransport(new URL(url)), uri],
    [
      'through us',
      () => MODERN,
      () =>
        new StdioClientTransport({
          command: process.execPath,
          args: [START_FILE, 'serve', '--root', root],
          stderr: 'ignore',
        }),
      `upstream://notes/${uri}`,
    ],
  ];
  const found = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    progress(`proxied reads over HTTP ${round + 1}/${ROUNDS}`);
    for (const [n, [, options, transport, asked]] of ways.entries()) {
      const client = new Client({ name: 'bench', version: '0' }, options());
      await client.connect(transport());
      found[n]?.push(await medianOfReads(client, asked));
      await client.close();
    }
  }
  upstream.kill('SIGKILL');
  const direct = median(found[0] as number[]);
  const rows = ways.map(([name], n) => {
    const ms = median(found[n] as number[]);
    return [`the SDK’s client, ${name}`, ms.toFixed(3), ratio(ms, direct)];
  });
  return `## The same from a server over HTTP\n\nThe server is the SDK's handler, without a handshake; its client over HTTP, or ours on stdio before it.\n\n${table(['what', 'ms, median', 'ratio'], rows)}`;
}

async function starts(): Promise<string> {
  const none = built('none', {});
  const twenty = built(
    'twenty',
    Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `group-${n}`,
        { ...bad('hang'), description: `Group ${n}`, timeout: '1s' },
      ]),
    ),
  );
  const figures: [string, string, number[]][] = [
    ['no upstreams', none, []],
    ['twenty upstreams', twenty, []],
  ];
  for (let n = 0; n < SPAWNS; n++) {
    progress(`starts ${n + 1}/${SPAWNS}`);
    for (const [, root, values] of figures) {
      const server = new Server([START_FILE, 'serve', '--root', root], readLine(OWN));
      values.push(await server.firstReadMs());
      await server.end();
    }
  }
  const base = figures[0]?.[2] ?? [];
  const rows = figures.map(([name, , values]) => [
    name,
    median(values).toFixed(1),
    ratio(median(values), median(base)),
    ratio(p10(values), p10(base)),
  ]);
  return `## From spawn to the first answered read\n\nGoal: 1.0×.\n\n${table(['what', 'ms, median', 'ratio, median', 'ratio, p10'], rows)}`;
}
