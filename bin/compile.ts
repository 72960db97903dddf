// Makes what users run: the start file, main.cjs, hook.cjs, and one file for each module that is imported lazily.
// Every `import()` of ours becomes a sibling, so main.cjs holds only what `serve` on stdio needs. Beside them
// stand the JSON Schema of project.yaml and the licences of what was compiled in.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { projectSchema } from '../build/project.ts';
import { thirdPartyLicences } from './compile-licences.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUT = join(ROOT, 'dist');

/** Compiles one entry; the modules it imports lazily are given to `lazy`. */
async function compileEntry(entry: string, lazy: (module: string) => void): Promise<Metafile> {
  const siblings: Plugin = {
    name: 'siblings',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const module = resolve(resolveDir, path);
        lazy(module);
        return { path: `./${outName(module)}`, external: true };
      });
    },
  };
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: join(OUT, outName(entry)),
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.15',
    minify: true,
    keepNames: false,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    external: ['msgpackr-extract', 'pg-native'],
    legalComments: 'none',
    plugins: [siblings, WITHOUT_SCHEMAS],
    metafile: true,
  });
  return metafile;
}

/** The SDK validates schemas of tools that it calls or serves itself, which ours does not: 150 KB less, twice. */
const WITHOUT_SCHEMAS: Plugin = {
  name: 'without-schemas',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@modelcontextprotocol\/(client|server)\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'shims',
    }));
    onLoad({ filter: /.*/, namespace: 'shims' }, () => ({
      contents:
        'import process from "node:process"; export { process }; export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
    }));
  },
};

function outName(module: string): string {
  return `${basename(module, '.ts')}.cjs`;
}

async function compileAll(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(join(OUT, 'native'), { recursive: true });
  const entries = ['bin/fieldguide.ts', 'bin/main.ts', 'bin/hook.ts', 'bin/hand-over.ts', 'build/examine-worker.ts'];
  const todo = entries.map((entry) => join(ROOT, entry));
  const done = new Map<string, { entry: string; metafile: Metafile }>();
  for (let entry = todo.shift(); entry !== undefined; entry = todo.shift()) {
    const name = outName(entry);
    const known = done.get(name);
    if (known?.entry === entry) continue;
    if (known !== undefined) throw new Error(`${entry} and ${known.entry} would both become ${name}`);
    done.set(name, { entry, metafile: await compileEntry(entry, (module) => todo.push(module)) });
  }
  for (const target of ['linux-x64', 'linux-arm64']) {
    cpSync(join(ROOT, `runtime/native/${target}.node`), join(OUT, `native/${target}.node`));
  }
  chmodSync(join(OUT, 'fieldguide.cjs'), 0o755);
  const metafiles = Object.fromEntries([...done].map(([name, { metafile }]) => [name, metafile]));
  writeFileSync(join(OUT, 'metafile.json'), JSON.stringify(metafiles));
  writeFileSync(join(OUT, 'third-party-licences.txt'), thirdPartyLicences(ROOT, Object.values(metafiles)));
  writeFileSync(join(OUT, 'project.schema.json'), `${JSON.stringify(projectSchema(), null, 2)}\n`);
  keepCode();
}

const WARM_PAGES = 50;

/** Serves a small bundle once, in both eras, and keeps the code that V8 compiled for it. */
function keepCode(): void {
  const root = mkdtempSync(join(tmpdir(), 'fieldguide-compile-'));
  try {
    writeFileSync(
      join(root, 'project.yaml'),
      'version: "1.0"\nproject: { name: warm }\nmodules: { a: { description: b, keyFiles: [{ path: src/a.ts }] } }\n',
    );
    mkdirSync(join(root, 'content/docs'), { recursive: true });
    for (let n = 0; n < WARM_PAGES; n++) {
      const text = `# Warm words ${n}\n\n## A server that serves\n\n${'Some running words, and the last one. '.repeat(30)}\n`;
      writeFileSync(join(root, `content/docs/page-${n}.md`), text);
    }
    run([join(OUT, 'main.cjs'), 'build', '--root', root], '');
    run(
      [join(ROOT, 'bin/keep.cjs'), OUT, root],
      FIRST_REQUESTS.map((request) => `${JSON.stringify(request)}\n`).join(''),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function run(args: string[], input: string): void {
  const { status, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const FIRST_REQUESTS = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'resources/list' },
  { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'context://project/overview' } },
  { jsonrpc: '2.0', id: 4, method: 'resources/read', params: { uri: 'context://module/a' } },
  { jsonrpc: '2.0', id: 5, method: 'server/discover', params: { _meta: ENVELOPE } },
  { jsonrpc: '2.0', id: 6, method: 'tools/list' },
  ...['warm words', 'running serves', 'wrom lasr'].map((query, n) => ({
    jsonrpc: '2.0',
    id: 7 + n,
    method: 'tools/call',
    params: { name: 'search', arguments: { query } },
  })),
  { jsonrpc: '2.0', id: 10, method: 'tools/call', params: { name: 'context_for', arguments: { path: 'src/a.ts' } } },
  {
    jsonrpc: '2.0',
    id: 11,
    method: 'tools/call',
    params: { name: 'read_resource', arguments: { uri: 'guide://help' } },
  },
];

await compileAll();
