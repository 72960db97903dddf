// npm run bench:http: reads over HTTP against a bare node:http server and the SDK's handler; honest clients while
// five hundred slow ones hold connections; memory after many requests and sessions. Writes RESULTS-http.md.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, load, modernRead, requestBytes, type Target } from './http-client.ts';
import { environment } from './process.ts';
import { machine, median, progress, ratio, table } from './report.ts';

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 2000);
const SLOW_MS = Number(process.env.BENCH_SLOW_MS ?? 60_000);
const SLOW = 500;
const REQUESTS = 100_000;
const SESSIONS = 10_000;
const SIZES = [3, 50];
const CONNECTIONS = [1, 16];

type Started = { child: ChildProcess; port: number };

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
try {
  const root = project();
  const report = [
    `# Benchmark of HTTP\n\nWritten by \`npm run bench:http\`; interleaved rounds. Compare ratios, not times.\n\n${machine()}\n`,
    await reads(root),
    await slow(root),
    await memory(root),
  ].join('\n');
  process.stdout.write(report);
  writeFileSync(join(HERE, 'RESULTS-http.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function project(): string {
  const root = join(folder, 'project');
  mkdirSync(join(root, 'content/docs'), { recursive: true });
  for (const kb of SIZES) {
    const line = 'A line of the guide, "quoted" and long enough to be one.\n';
    writeFileSync(join(root, `content/docs/${kb}.md`), `# Page\n\n${line.repeat((kb * 1024) / line.length)}`);
  }
  writeFileSync(
    join(root, 'project.yaml'),
    'version: "1.0"\nproject: { name: bench }\nlimits: { ratePerMinute: 1000000 }\n',
  );
  spawnSync(process.execPath, [START_FILE, 'build', '--root', root], { env: environment() });
  return root;
}

async function serve(root: string): Promise<Started> {
  const child = spawn(process.execPath, [START_FILE, 'serve', '--root', root, '--http', '0'], { env: environment() });
  return { child, port: Number(await heard(child, 'stderr', /127\.0\.0\.1:(\d+)\/mcp/)) };
}

async function rival(script: string, answer: string): Promise<Started> {
  const child = spawn(process.execPath, [join(HERE, script), answer], { env: environment() });
  return { child, port: Number(await heard(child, 'stdout', /^(\d+)\n/)) };
}

async function heard(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  let text = '';
  return await new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(`it ended: ${text}`)));
    child[stream]?.on('data', (chunk) => {
      text += chunk;
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

/** What our server sends for a read, kept for the others to send. */
async function answerOf({ port }: Started, uri: string): Promise<string> {
  const { body, headers } = modernRead(port, uri);
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const file = join(folder, `${uri.replaceAll(/\W/g, '-')}.json`);
  writeFileSync(file, await response.text());
  return file;
}

async function reads(root: string): Promise<string> {
  const rows: string[][] = [];
  for (const kb of SIZES) {
    const uri = `guide://document/docs/${kb}.md`;
    const ours = await serve(root);
    const answer = await answerOf(ours, uri);
    const servers = [
      ['bare node:http', await rival('http-floor.mjs', answer)],
      ['fieldguide', ours],
      ['the SDK’s handler', await rival('http-sdk.mjs', answer)],
    ] as const;
    for (const connections of CONNECTIONS) {
      const perSecond = servers.map((): number[] => []);
      for (let round = -1; round < ROUNDS; round++) {
        for (const [n, [name, { port }]] of servers.entries()) {
          progress(`${kb} KB, ${connections} connections, round ${round + 1} of ${ROUNDS}: ${name}`);
          const reached = await load(modernRead(port, uri), connections, round < 0 ? LOAD_MS / 2 : LOAD_MS);
          if (round >= 0) perSecond[n]?.push(reached);
        }
      }
      const floor = median(perSecond[0] as number[]);
      for (const [n, [name]] of servers.entries()) {
        const reached = median(perSecond[n] as number[]);
        rows.push([name, `${kb} KB`, String(connections), reached.toFixed(0), ratio(reached, floor)]);
      }
    }
    for (const [, { child }] of servers) child.removeAllListeners('exit').kill('SIGKILL');
  }
  const head = ['server', 'text', 'connections', 'reads a second', '× bare'];
  return `## Reads over kept connections, without a handshake\n\n${table(head, rows)}`;
}

async function slow(root: string): Promise<string> {
  const { child, port } = await serve(root);
  const target = modernRead(port, 'guide://document/docs/3.md');
  progress('honest clients alone');
  const quiet = await honest(target, 10_000);
  progress(`honest clients beside ${SLOW} slow ones`);
  const ends: number[] = [];
  let isOver = false;
  const crowd = Array.from({ length: SLOW }, async (_, n) => {
    while (!isOver) ends.push(await slowConnection(port, n));
  });
  const busy = await honest(target, SLOW_MS);
  isOver = true;
  child.removeAllListeners('exit').kill('SIGKILL');
  await Promise.all(crowd);
  const rows = [
    ['quiet', String(quiet.count), quiet.failed.toFixed(0), quiet.p99.toFixed(2), '1.00×'],
    [`${SLOW} slow`, String(busy.count), busy.failed.toFixed(0), busy.p99.toFixed(2), ratio(busy.p99, quiet.p99)],
  ];
  const whole = ends.filter((ms) => ms > 0);
  const longest = whole.reduce((most, ms) => Math.max(most, ms), 0);
  return [
    `## ${SLOW} slow connections for ${SLOW_MS / 1000} s\n`,
    `Drips of headers, drips of bodies, and silence. ${whole.length} of them were closed, the longest after ${(longest / 1000).toFixed(1)} s.\n`,
    table(['honest clients', 'requests', 'failed', 'p99 ms', 'ratio'], rows),
  ].join('\n');
}

/** Eight clients, each a request every few milliseconds. */
async function honest(target: Target, forMs: number): Promise<{ count: number; failed: number; p99: number }> {
  const request = requestBytes(target);
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + forMs;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const connection = new Connection(target.port);
      for (let n = 0; n < 20; n++) {
        const start = performance.now();
        await connection.ask(request).catch(() => failed++);
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      connection.end();
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  times.sort((a, b) => a - b);
  return { count: times.length, failed, p99: times[Math.floor(times.length * 0.99)] as number };
}

/** How long it was left open; 0 when the benchmark ended first. */
async function slowConnection(port: number, n: number): Promise<number> {
  const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const kinds = ['', head, `${head}Content-Length: 1000\r\n\r\n`];
  const start = performance.now();
  const socket = connect(port, '127.0.0.1');
  let drip: NodeJS.Timeout | undefined;
  const wasClosed = await new Promise<boolean>((resolve) => {
    socket.on('connect', () => {
      socket.write(kinds[n % 3] as string);
      if (n % 3 > 0) drip = setInterval(() => socket.write('x'), 500);
    });
    socket.on('error', () => resolve(false));
    socket.on('end', () => resolve(true));
    socket.on('close', () => resolve(true));
    socket.resume();
  });
  clearInterval(drip);
  socket.destroy();
  return wasClosed ? performance.now() - start : 0;
}

async function memory(root: string): Promise<string> {
  const { child, port } = await serve(root);
  const target = modernRead(port, 'guide://document/docs/3.md');
  const anonymous = (): number => {
    const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8');
    return Number(/^Anonymous:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
  };
  await many(target, 2000, 8);
  await sessions(port, 200);
  const rows = [['after 2,000 requests and 200 sessions', anonymous().toFixed(1), '']];
  const base = anonymous();
  const note = (what: string): void => {
    const now = anonymous();
    rows.push([what, now.toFixed(1), `${now >= base ? '+' : ''}${(now - base).toFixed(1)}`]);
  };
  progress(`${REQUESTS} requests`);
  await many(target, REQUESTS, 8);
  note(`${REQUESTS.toLocaleString('en')} requests later`);
  progress(`${SESSIONS} sessions`);
  await sessions(port, SESSIONS);
  note(`and ${SESSIONS.toLocaleString('en')} sessions later, none of them ended by its client`);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  note('five seconds later');
  child.removeAllListeners('exit').kill('SIGKILL');
  return `## Memory that belongs to no file\n\n${table(['when', 'MB', 'more'], rows)}`;
}

async function many(target: Target, count: number, connections: number): Promise<void> {
  const request = requestBytes(target);
  const one = async (): Promise<void> => {
    const connection = new Connection(target.port);
    for (let n = 0; n < count / connections; n++) await connection.ask(request);
    connection.end();
  };
  await Promise.all(Array.from({ length: connections }, one));
}

/** Each shakes hands, reads once, and is never heard of again. */
async function sessions(port: number, count: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/mcp`;
  const clientInfo = { name: 'bench', version: '0' };
  const post = async (method: string, params: object, session?: string): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
    });
    if (!response.ok) throw new Error(`${method}: ${response.status}`);
    await response.text();
    return response;
  };
  const one = async (): Promise<void> => {
    for (let n = 0; n < count / 8; n++) {
      const begun = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      const session = begun.headers.get('mcp-session-id') as string;
      await post('resources/read', { uri: 'guide://document/docs/3.md' }, session);
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
}
