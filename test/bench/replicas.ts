// npm run bench:replicas: what it costs to keep live data in a database. Reads of the bundle with a database, with one
// that is away, and with the journal; recent sessions of a million against of a thousand; how long it takes until a
// client of one server is told of what another has recorded. Writes RESULTS-replicas.md.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { PostgresServer, withSchema } from '../support/postgres.ts';
import { LineClient } from './line-client.ts';
import { readLine, Server } from './process.ts';
import { machine, median, progress, ratio, table } from './report.ts';

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 1500);
const NOTICES = Number(process.env.BENCH_NOTICES ?? 500);
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 1_000_000);
const AUTH = 'context://module/auth';
const RECENT = 'context://sessions/recent';
const CURRENT = 'context://session/current';

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
const postgres = await PostgresServer.start();
try {
  const root = built();
  const report = [
    `# Benchmark of replicas\n\nWritten by \`npm run bench:replicas\`; interleaved rounds, one PostgreSQL 17 on the same machine. Compare ratios, not times.\n\n${machine()}\n`,
    await bundleReads(root),
    await recentSessions(root),
    await notices(root),
  ].join('\n');
  process.stdout.write(report);
  writeFileSync(join(HERE, 'RESULTS-replicas.md'), report);
} finally {
  postgres.end();
  rmSync(folder, { recursive: true, force: true });
}

function built(): string {
  const root = join(folder, 'shop');
  mkdirSync(root);
  writeFileSync(
    join(root, 'project.yaml'),
    'version: "1.0"\nproject: { name: bench }\nmodules: { auth: { description: Sign-in, patterns: [One, Two] } }\n',
  );
  spawnSync(process.execPath, [START_FILE, 'build', '--root', root]);
  return root;
}

async function bundleReads(root: string): Promise<string> {
  const stores: [string, string][] = [
    ['journal', 'journal'],
    ['database', withSchema(postgres.url, 'reads')],
    ['database that is away', 'postgres://nobody@127.0.0.1:1/none'],
  ];
  const figures = stores.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    // The order turns, so that none is always first.
    for (let n = 0; n < stores.length; n++) {
      const at = (n + round) % stores.length;
      const [name, store] = stores[at] as [string, string];
      progress(`reads of the bundle ${round + 1}/${ROUNDS}: ${name}`);
      const server = new Server([START_FILE, 'serve', '--root', root, '--store', store], readLine(AUTH));
      await server.firstReadMs();
      await server.load(AUTH, 32, LOAD_MS / 2);
      figures[at]?.push((await server.load(AUTH, 32, LOAD_MS)).perSecond);
      await server.end();
    }
  }
  const base = median(figures[0] as number[]);
  const rows = stores.map(([name], n) => {
    const perSecond = median(figures[n] as number[]);
    return [name, Math.round(perSecond).toLocaleString('en'), ratio(perSecond, base)];
  });
  return `## Reads of the bundle a second, 32 in flight over stdio\n\n${table(['live data in', 'reads/s', 'ratio'], rows)}`;
}

async function recentSessions(root: string): Promise<string> {
  const sizes = [1000, SESSIONS];
  const places = sizes.map((size) => withSchema(postgres.url, `recent_${size}`));
  for (const [n, size] of sizes.entries()) {
    progress(`${size} sessions`);
    await fill(places[n] as string, size);
  }
  const figures = sizes.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, size] of sizes.entries()) {
      progress(`recent sessions ${round + 1}/${ROUNDS}: of ${size}`);
      const args = [START_FILE, 'serve', '--root', root, '--store', places[n] as string];
      const server = new Server(args, readLine(RECENT));
      await server.firstReadMs();
      await server.load(RECENT, 1, LOAD_MS / 3);
      figures[n]?.push(1000 / (await server.load(RECENT, 1, LOAD_MS)).perSecond);
      await server.end();
    }
  }
  const rows = sizes.map((size, n) => {
    const ms = median(figures[n] as number[]);
    return [size.toLocaleString('en'), ms.toFixed(3), ratio(ms, median(figures[0] as number[]))];
  });
  return `## \`sessions/recent\`, one at a time\n\n${table(['sessions', 'ms', 'ratio'], rows)}`;
}

/** The first by the program, the others like it. */
async function fill(where: string, count: number): Promise<void> {
  const live = new DatabaseLive({ root: folder, where });
  const store = live.storeOnly(30);
  const t = Date.now() - count * 1000;
  await store.append('session-0', { k: 'start', t, client: 'claude' });
  await store.append('session-0', { k: 'touch', t, use: 'u', paths: ['src/a.ts', 'src/b.ts'] });
  await store.append('session-0', { k: 'topic', t, text: 'A topic' });
  await live.database.with(async (client) => {
    await client.query("SET statement_timeout = '10min'");
    await client.query(
      `INSERT INTO sessions (id, started_at, last_at, state)
       SELECT 'session-' || n, started_at + n * 1000, last_at + n * 1000, state
       FROM sessions, generate_series(1, ${count - 1}) n WHERE id = 'session-0'`,
    );
    await client.query('ANALYZE sessions');
  }, 600_000);
  await live.end();
}

/** From the call at one server to the notice at the client of the other. */
async function notices(root: string): Promise<string> {
  const store = withSchema(postgres.url, 'notices');
  const [teller, listener] = [0, 1].map(
    () => new LineClient([START_FILE, 'serve', '--root', root, '--store', store]),
  ) as [LineClient, LineClient];
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };
  for (const one of [teller, listener]) await one.request('initialize', hello);
  await teller.record('first');
  await listener.request('resources/subscribe', { uri: CURRENT });
  const waited: number[] = [];
  for (let n = 0; n < NOTICES; n++) {
    if (n % 100 === 0) progress(`notices ${n}/${NOTICES}`);
    const told = listener.told();
    const start = performance.now();
    await teller.record(`topic ${n}`);
    await told;
    waited.push(performance.now() - start);
    // Several changes between two looks are one notice: each is given time to be one of its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const one of [teller, listener]) one.child.kill('SIGKILL');
  const sorted = waited.sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1);
  const rows = [[String(NOTICES), at(0.5), at(0.9), at(0.99), at(1)]];
  return `## From a call at one server to the notice at a client of the other\n\n${table(['notices', 'ms, p50', 'p90', 'p99', 'most'], rows)}`;
}
