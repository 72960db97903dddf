// npm run bench:live: what live data costs. Hooks from spawn to exit against bare Node, alone and sixteen at once;
// appends by sixteen processes; live pages with much behind them against little; a module's page with an overlay
// against one without. Writes RESULTS-live.md.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '../../runtime/sessions/journal.ts';
import { environment, readLine, Server } from './process.ts';
import { machine, median, p10, progress, ratio, table } from './report.ts';

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SPAWNS = Number(process.env.BENCH_SPAWNS ?? 60);
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 1500);
const WRITERS = 16;
const APPENDS = 2000;

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
try {
  const report = [
    `# Benchmark of live data\n\nWritten by \`npm run bench:live\`; interleaved rounds. Compare ratios, not times.\n\n${machine()}\n`,
    hooks(),
    await hooksAtOnce(),
    await appends(),
    await pages(),
  ].join('\n');
  process.stdout.write(report);
  writeFileSync(join(HERE, 'RESULTS-live.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function project(name: string): string {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(
    join(root, 'project.yaml'),
    'version: "1.0"\nproject: { name: bench }\nmodules: { auth: { description: Sign-in, patterns: [One, Two] } }\n',
  );
  return root;
}

function payload(root: string, n: number | string): string {
  return JSON.stringify({
    session_id: 'bench',
    cwd: root,
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_use_id: `toolu_${n}`,
    tool_input: { file_path: join(root, `src/file-${n}.ts`), old_string: 'a', new_string: 'b' },
    tool_response: { filePath: 'x', originalFile: 'x'.repeat(2000) },
  });
}

function hooks(): string {
  const root = project('hooks');
  const bare: number[] = [];
  const hook: number[] = [];
  for (let n = 0; n < SPAWNS; n++) {
    progress(`hooks ${n + 1}/${SPAWNS}`);
    bare.push(spawnedMs(['-e', '0'], ''));
    hook.push(spawnedMs([START_FILE, 'session', 'hook'], payload(root, n)));
  }
  const rows = [
    ['`node -e 0`', median(bare).toFixed(1), '1.00×', '1.00×'],
    [
      '`fieldguide session hook`',
      median(hook).toFixed(1),
      ratio(median(hook), median(bare)),
      ratio(p10(hook), p10(bare)),
    ],
  ];
  return `## A hook, from spawn to exit\n\n${table(['what', 'ms, median', '× bare, median', '× bare, p10'], rows)}`;
}

function spawnedMs(args: string[], input: string): number {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: environment(), input, encoding: 'utf8' });
  if (status !== 0 || stdout !== '' || stderr !== '') throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return performance.now() - start;
}

async function hooksAtOnce(): Promise<string> {
  const root = project('at-once');
  const bare: number[] = [];
  const hook: number[] = [];
  for (let round = 0; round < ROUNDS * 2; round++) {
    progress(`sixteen at once ${round + 1}/${ROUNDS * 2}`);
    bare.push(await allMs(() => ({ args: ['-e', '0'], input: '' })));
    hook.push(await allMs((n) => ({ args: [START_FILE, 'session', 'hook'], input: payload(root, `${round}-${n}`) })));
  }
  const written = await new Journal({ root }).find('bench');
  const rows = [
    ['sixteen bare Nodes', median(bare).toFixed(0), '1.00×'],
    ['sixteen hooks', median(hook).toFixed(0), ratio(median(hook), median(bare))],
  ];
  return `## Sixteen at once, until the last has exited\n\nOf ${ROUNDS * 2 * WRITERS} tool uses ${written?.toolCalls} were counted.\n\n${table(['what', 'ms, median', 'ratio'], rows)}`;
}

async function allMs(each: (n: number) => { args: string[]; input: string }): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, n) => {
      const { args, input } = each(n);
      const child = spawn(process.execPath, args, { env: environment(), stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(input);
      await once(child, 'exit');
    }),
  );
  return performance.now() - start;
}

/** Each process says how long its appends took; they run side by side. */
async function appends(): Promise<string> {
  const root = project('appends');
  const script = join(folder, 'append.mjs');
  writeFileSync(
    script,
    `import { Journal } from ${JSON.stringify(join(HERE, '../../runtime/sessions/journal.ts'))};
const journal = new Journal({ root: ${JSON.stringify(root)} });
const [writer] = process.argv.slice(2);
process.stdout.write('ready');
process.stdin.once('data', async () => {
  for (let n = 0; n < ${APPENDS}; n++) {
    await journal.append('all', { k: 'touch', t: Date.now(), use: writer + '-' + n, paths: ['src/' + 'x'.repeat(200) + n % 50 + '.ts'] });
  }
  process.exit(0);
});\n`,
  );
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    spawn(process.execPath, ['--import', 'tsx', script, String(n)], { cwd: join(HERE, '../..'), env: environment() }),
  );
  await Promise.all(writers.map((writer) => once(writer.stdout, 'data')));
  const start = performance.now();
  for (const writer of writers) writer.stdin.write('go');
  await Promise.all(writers.map((writer) => once(writer, 'exit')));
  const seconds = (performance.now() - start) / 1000;
  const file = join(root, '.fieldguide/sessions/all.journal');
  const bytes = readFileSync(file);
  const lines = bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => line.includes('"k":"touch"')).length;
  const each = Math.round(bytes.length / (WRITERS * APPENDS));
  return `## Appends by sixteen processes\n\n${WRITERS * APPENDS} records of about ${each} bytes, ${lines} found: **${Math.round((WRITERS * APPENDS) / seconds)} a second**.\n`;
}

async function pages(): Promise<string> {
  const few = built('few');
  const many = built('many');
  progress('twenty sessions, ten thousand sessions');
  await sessions(few, 20);
  await sessions(many, 10_000);
  const short = built('short');
  const long = built('long');
  progress('a thousand records, a million records');
  await records(short, 1000);
  await records(long, 1_000_000);
  const plain = built('plain');
  const overlaid = built('overlaid');
  const journal = new Journal({ root: overlaid });
  for (let n = 0; n < 200; n++) {
    const content = `What was learned about sign-in, number ${n}, in a sentence of usual length.`;
    await journal.discover({
      id: `d${n}`,
      sessionId: 'bench',
      at: Date.now(),
      type: 'pattern',
      content,
      module: 'auth',
    });
  }
  const recent = 'context://sessions/recent';
  const current = 'context://session/current';
  const auth = 'context://module/auth';
  const asked: [string, string, string, number][] = [
    ['`sessions/recent`, 20 sessions', few, recent, 0],
    ['`sessions/recent`, 10,000 sessions', many, recent, 0],
    ['`session/current`, 1,000 records', short, current, 2],
    ['`session/current`, 1,000,000 records', long, current, 2],
    ['`module/auth`, no discoveries', plain, auth, 4],
    ['`module/auth`, 200 discoveries', overlaid, auth, 4],
  ];
  const figures = asked.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, [name, root, uri]] of asked.entries()) {
      progress(`pages ${round + 1}/${ROUNDS}: ${name}`);
      const server = new Server([START_FILE, 'serve', '--root', root], readLine(uri));
      await server.firstReadMs();
      await server.load(uri, 1, LOAD_MS / 3);
      figures[n]?.push(1000 / (await server.load(uri, 1, LOAD_MS)).perSecond);
      await server.end();
    }
  }
  const rows = asked.map(([name, , , base], n) => {
    const ms = median(figures[n] as number[]);
    return [name, ms.toFixed(3), ratio(ms, median(figures[base] as number[]))];
  });
  return `## Reads over stdio, one at a time\n\n${table(['what', 'ms', 'ratio'], rows)}`;
}

function built(name: string): string {
  const root = project(name);
  spawnSync(process.execPath, [START_FILE, 'build', '--root', root]);
  return root;
}

async function sessions(root: string, count: number): Promise<void> {
  const journal = new Journal({ root });
  const now = Date.now();
  for (let n = 0; n < count; n++) {
    const t = now - (count - n) * 1000;
    await journal.append(`session-${n}`, { k: 'start', t, client: 'claude' });
    await journal.append(`session-${n}`, { k: 'touch', t, use: `u${n}`, paths: ['src/a.ts', `src/${n % 9}.ts`] });
    await journal.append(`session-${n}`, { k: 'topic', t, text: `Topic ${n}` });
  }
}

/** Through the store, so that summaries stand where they would. */
async function records(root: string, count: number): Promise<void> {
  const journal = new Journal({ root });
  const now = Date.now();
  await journal.append('bench', { k: 'start', t: now });
  for (let n = 0; n < count; n++) {
    await journal.append('bench', { k: 'touch', t: now, use: `u${n}`, paths: [`src/folder/file-${n % 200}.ts`] });
    if (n % 100_000 === 0) progress(`records ${n}`);
  }
}
