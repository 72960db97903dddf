// What a hook costs an agent: from spawn to exit beside a bare Node, alone and sixteen at once, interleaved; and
// how many records sixteen processes append in a second.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureText } from '../support/hooks.ts';
import { environment } from './process.ts';
import { machine, median, p10, progress, ratio, table } from './report.ts';

const START_FILE = join(import.meta.dirname, '../../dist/fieldguide.cjs');
const WRITER = join(import.meta.dirname, '../support/journal-writer.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const AT_ONCE = 16;
const APPENDS = 2000;

const root = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
writeFileSync(join(root, 'project.yaml'), '');
const payload = fixtureText('claude/PostToolUse', root);
const BARE = ['-e', '0'];
const HOOK = [START_FILE, 'session', 'hook'];

async function spawnMs(args: string[], input: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'], env: environment() });
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  await new Promise((resolve) => child.on('exit', resolve));
  return performance.now() - start;
}

async function atOnceMs(args: string[]): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => spawnMs(args, payload)));
  return performance.now() - start;
}

async function compare(rounds: number, ms: (args: string[]) => Promise<number>): Promise<string[][]> {
  const bare: number[] = [];
  const hook: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await ms(BARE));
    hook.push(await ms(HOOK));
  }
  const row = (what: string, times: number[]): string[] => [
    what,
    ...[median, p10].flatMap((of) => [of(times).toFixed(1), ratio(of(times), of(bare))]),
  ];
  return [row('`node -e 0`', bare), row('`fieldguide session hook`', hook)];
}

async function appendsPerSecond(): Promise<number> {
  const start = performance.now();
  const names = Array.from({ length: AT_ONCE }, (_, n) => `w${n}`);
  await Promise.all(names.map((name) => spawnMs([WRITER, root, 'bench', name, String(APPENDS), '300'], '')));
  return (AT_ONCE * APPENDS * 1000) / (performance.now() - start);
}

try {
  const head = ['what', 'median ms', 'ratio', 'p10 ms', 'ratio'];
  progress('one at a time');
  const alone = await compare(ROUNDS, (args) => spawnMs(args, payload));
  progress('sixteen at once');
  const together = await compare(Math.ceil(ROUNDS / 5), atOnceMs);
  progress('appending');
  const perSecond = Math.round(await appendsPerSecond());
  process.stdout.write(`# Benchmark of the hooks

Written by \`npm run bench:hooks\`; interleaved. Compare ratios, not times.

${machine()}

## From spawn to exit, ${ROUNDS} rounds

${table(head, alone)}
## ${AT_ONCE} at once, until the last has ended, ${Math.ceil(ROUNDS / 5)} rounds

${table(head, together)}
## Appending

${AT_ONCE} processes, ${APPENDS} records of 300 bytes each into one session: ${perSecond} records a second, the start of the processes included.
`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
