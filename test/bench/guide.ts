// npm run bench:guide: how long builds take, held against parsing the same files once with remark-parse,
// and how long reads and patterns take in a guide of 100,000 documents. Writes RESULTS-guide.md.

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Diagnostics } from '../../build/diagnostics.ts';
import { examine } from '../../build/examine.ts';
import { compile, NO_SOURCES } from '../../build/pipeline.ts';
import type { Project } from '../../build/project.ts';
import { compileGlob } from '../../runtime/glob.ts';
import { environment, readLine, Server } from './process.ts';
import { machine, median, progress, ratio, table } from './report.ts';

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 1500);

const folder = mkdtempSync(join(tmpdir(), 'fieldguide-bench-'));
try {
  const report = [
    `# Benchmark of the guide\n\nWritten by \`npm run bench:guide\`; ${ROUNDS} interleaved rounds, medians. Compare ratios, not times.\n\n${machine()}\n`,
    builds(),
    await reads(),
    globs(),
  ].join('\n');
  process.stdout.write(report);
  writeFileSync(join(HERE, 'RESULTS-guide.md'), report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function builds(): string {
  const corpus = process.env.FIELDGUIDE_CORPUS;
  if (corpus === undefined) return 'Builds were not measured: FIELDGUIDE_CORPUS is not set.\n';
  execFileSync('tar', ['-xzf', join(corpus, 'kubernetes-en.tar.gz'), '-C', folder]);
  const root = join(folder, 'kubernetes-en');
  const config =
    'version: "1.0"\nproject: { name: k }\nguide: { root: content/en, categories: { docs: { dir: . } } }\n';
  writeFileSync(join(root, 'project.yaml'), config);
  const build = [START_FILE, 'build', '--root', root, '--json'];
  const figures = {
    parse: [] as number[],
    cold: [] as number[],
    changed: [] as number[],
    same: [] as number[],
    checked: [] as number[],
    checkedCold: [] as number[],
  };
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`builds ${round}/${ROUNDS}`);
    figures.parse.push(spentMs([join(HERE, 'servers/remark-parse.mjs'), join(root, 'content/en')]));
    rmSync(join(root, '.fieldguide'), { recursive: true, force: true });
    figures.cold.push(spentMs(build));
    appendFileSync(join(root, 'content/en/docs/_index.md'), `\nRound ${round}.\n`);
    figures.changed.push(spentMs(build));
    figures.same.push(spentMs(build));
    figures.checked.push(spentMs([...build, '--check']));
    rmSync(join(root, '.fieldguide'), { recursive: true });
    figures.checkedCold.push(spentMs([...build, '--check']));
  }
  const parse = median(figures.parse);
  const cold = median(figures.cold);
  const rows = [
    ['remark-parse, every file once, one core', seconds(parse), '1.00×', ''],
    ['`fieldguide build`, cold', seconds(cold), ratio(cold, parse), '1.00×'],
    ['one document changed', seconds(median(figures.changed)), '', ratio(median(figures.changed), cold)],
    ['nothing changed', seconds(median(figures.same)), '', ratio(median(figures.same), cold)],
    ['`--check`, nothing changed', seconds(median(figures.checked)), '', ratio(median(figures.checked), cold)],
    ['the same without a cache', seconds(median(figures.checkedCold)), '', ratio(median(figures.checkedCold), cold)],
  ];
  return `## Building kubernetes-en (2,453 documents, 23 MB), whole commands\n\n${table(['what', 'seconds', '× remark-parse', '× cold'], rows)}`;
}

async function reads(): Promise<string> {
  const small = bundleOf(10);
  const large = bundleOf(100_000);
  const plain = 'guide://document/x/api/v1/name50.md';
  const asked: [string, string, string][] = [
    ['one document out of 10', small, 'guide://document/x/api/v1/name5.md'],
    ['one document out of 100,000', large, plain],
    ['`api/v1/name50*`: 100 of 100,000 under the prefix, one match', large, 'guide://category/x/api/v1/name50*'],
    ['`**/name50.*`: no literal prefix, 100,000 paths', large, 'guide://category/x/**/name50.*'],
  ];
  const figures = asked.map(() => [] as number[]);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [n, [name, bundle, uri]] of asked.entries()) {
      progress(`reads ${round}/${ROUNDS}: ${name}`);
      const server = new Server([START_FILE, 'serve', '--bundle', bundle], readLine(uri));
      await server.firstReadMs();
      await server.load(uri, 1, LOAD_MS / 3);
      figures[n]?.push(1000 / (await server.load(uri, 1, LOAD_MS)).perSecond);
      await server.end();
    }
  }
  const medians = figures.map(median);
  const [ten, hundredThousand] = medians as [number, number];
  const rows = asked.map(([name], n) => {
    const ms = medians[n] as number;
    return [name, ms.toFixed(3), ratio(ms, n === 1 ? ten : n === 0 ? ms : hundredThousand)];
  });
  return `## Reads over stdio, one at a time\n\nThe second row is held against the first, the others against the second.\n\n${table(['what', 'ms', 'ratio'], rows)}`;
}

/** A guide of one category: a hundred documents under api/v1, the rest spread over folders. */
function bundleOf(documents: number): string {
  progress(`a bundle of ${documents} documents`);
  const parsed = Array.from({ length: documents }, (_, n) => {
    const path = n < 100 ? `content/x/api/v1/name${n}.md` : `content/x/area${n % 97}/part${n % 1009}/page${n}.md`;
    const text = `# Page ${n}\n\n${'Some words about it. '.repeat(12)}\n`;
    return { source: { path, text, input: { path, sha256: '', bytes: text.length } }, ...examine(text, true) };
  }).sort((a, b) => Buffer.compare(Buffer.from(a.source.path), Buffer.from(b.source.path)));
  const project: Project = {
    name: 'bench',
    path: '.',
    stack: [],
    modules: [],
    limits: { overview: 50 * 1024, module: 20 * 1024, response: 100 * 1024, session: 10_240, sessions: 51_200 },
    sessions: { store: 'journal', idleMinutes: 30 },
    approval: { allow: [] },
    guide: { root: 'content', categories: undefined, collections: [] },
    files: [],
    prompts: { folder: undefined, place: undefined, content: 'block' },
    ignore: [],
  };
  const built = compile(project, { ...NO_SOURCES, documents: parsed }, new Diagnostics());
  const file = join(folder, `${documents}.fgb`);
  writeFileSync(file, built?.bytes ?? '');
  return file;
}

/** Patterns that take other matchers seconds, each against the path that is worst for it. */
function globs(): string {
  const long = 'a'.repeat(1000);
  const deep = 'a/'.repeat(500);
  const evil: [string, string][] = [
    ['a*a*a*a*a*a*b', 'a'.repeat(80)],
    ['*a*a*a*b', long],
    [`${'**/a/'.repeat(11)}b`, deep],
    ['*'.repeat(256), long],
    [`${'*a'.repeat(127)}b`, long],
    [`${'**/'.repeat(84)}b`, deep],
    [`${'**/*a/'.repeat(42)}b`, deep],
    ['{a,b}'.repeat(6), long],
    [`{${'a,'.repeat(60)}b}*c`, long],
    ['[a-z]*'.repeat(42), `${long}1`],
    [`${'?'.repeat(255)}b`, long],
    [`${'[!b]*'.repeat(50)}b`, long],
    [`${'*?'.repeat(127)}b`, long],
    [`a/**/${'*/'.repeat(120)}b`, deep],
    [`${'**/*'.repeat(60)}/b`, deep],
    ['**/**/**/**/**/b', deep],
    [`${'\\a*'.repeat(80)}b`, long],
  ];
  const rows = evil.map(([pattern, path]) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      compileGlob(pattern).matches(path);
      return performance.now() - start;
    });
    const shown = pattern.length > 30 ? `${pattern.slice(0, 27)}… (${pattern.length})` : pattern;
    return [`\`${shown.replaceAll('|', '\\|')}\``, String(path.length), Math.max(...times).toFixed(2)];
  });
  return `## Hostile patterns\n\nThe slowest of five, the first of which compiles.\n\n${table(['pattern', 'characters of the path', 'ms'], rows)}`;
}

function spentMs(args: string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: environment(),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return performance.now() - start;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
