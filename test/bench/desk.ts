// npm run bench:desk: small commands from spawn to exit, against bare Node. Writes RESULTS-desk.md. How long
// builds and checks take is in bench:guide.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './process.ts';
import { machine, median, p10, progress, ratio, table } from './report.ts';

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const SPAWNS = Number(process.env.BENCH_SPAWNS ?? 40);

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
try {
  const report = [
    `# Benchmark of the author's desk\n\nWritten by \`npm run bench:desk\`; interleaved rounds. Compare ratios, not times.\n\n${machine()}\n`,
    spawns(),
  ].join('\n');
  process.stdout.write(report);
  writeFileSync(join(HERE, 'RESULTS-desk.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function spawns(): string {
  const repository = (n: number): string => {
    const root = join(folder, `repository-${n}`);
    mkdirSync(join(root, 'src/auth'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"name":"shop","scripts":{"test":"node --test"}}');
    writeFileSync(join(root, 'README.md'), '# Shop\n\nSells things.\n');
    writeFileSync(join(root, 'src/auth/index.js'), '');
    return root;
  };
  const connected = repository(-1);
  writeFileSync(join(connected, '.mcp.json'), '{ "mcpServers": { "other": { "command": "other" } } }\n');
  const asked: [string, (round: number) => string[]][] = [
    ['`node -e 0`', () => ['-e', '0']],
    ['`fieldguide init --yes`', (round) => [START_FILE, 'init', '--yes', '--root', repository(round)]],
    [
      '`fieldguide connect claude --dry-run`',
      () => [START_FILE, 'connect', 'claude', '--dry-run', '--root', connected],
    ],
    ['`fieldguide --help`', () => [START_FILE, '--help']],
  ];
  const figures = asked.map(() => [] as number[]);
  for (let round = 0; round < SPAWNS; round++) {
    progress(`spawns ${round + 1}/${SPAWNS}`);
    for (const [n, [, args]] of asked.entries()) {
      const given = args(round);
      figures[n]?.push(nodeMs(given));
    }
  }
  const bare = figures[0] as number[];
  const rows = asked.map(([name], n) => {
    const values = figures[n] as number[];
    return [name, median(values).toFixed(1), ratio(median(values), median(bare)), ratio(p10(values), p10(bare))];
  });
  return `## From spawn to exit\n\n${table(['what', 'ms, median', '× bare, median', '× bare, p10'], rows)}`;
}

function nodeMs(args: string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: environment(),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return performance.now() - start;
}
