// Makes what users run: one start file, and one file for each module that is imported lazily. Every
// `import()` of ours becomes a sibling, so the start file holds only what `serve` on stdio needs.

import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

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
    define: { 'import.meta.dirname': '__dirname' },
    external: ['msgpackr-extract'],
    legalComments: 'none',
    plugins: [siblings],
    metafile: true,
  });
  return metafile;
}

function outName(module: string): string {
  return `${basename(module, '.ts')}.cjs`;
}

export async function compileAll(): Promise<Record<string, Metafile>> {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(join(OUT, 'native'), { recursive: true });
  const todo = [join(ROOT, 'bin/fieldguide.ts')];
  const done: Record<string, Metafile> = {};
  for (let entry = todo.shift(); entry !== undefined; entry = todo.shift()) {
    const name = outName(entry);
    if (done[name] !== undefined) continue;
    done[name] = await compileEntry(entry, (module) => todo.push(module));
  }
  for (const target of ['linux-x64', 'linux-arm64']) {
    cpSync(join(ROOT, `runtime/native/${target}.node`), join(OUT, `native/${target}.node`));
  }
  chmodSync(join(OUT, 'fieldguide.cjs'), 0o755);
  writeFileSync(join(OUT, 'metafile.json'), JSON.stringify(done));
  return done;
}

await compileAll();
