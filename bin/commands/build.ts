// `fieldguide build`: collect, compile, publish, and say how it went.

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { collectGuide, type Input, readProject } from '../../build/collect.ts';
import { Diagnostics } from '../../build/diagnostics.ts';
import { parseAll } from '../../build/parse-all.ts';
import { type Built, compile } from '../../build/pipeline.ts';
import { project } from '../../build/project.ts';
import { write } from '../../build/write.ts';
import { BUNDLE_FILE } from '../../runtime/current.ts';
import { VERSION } from '../../runtime/version.ts';
import type { Args } from '../args.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { size } from '../terminal.ts';
import { OUTPUT_FOLDER, rootOf } from '../where.ts';

export async function build(args: Args): Promise<number> {
  const root = rootOf(args);
  const given = args.values.get('out');
  const out = given === undefined ? resolve(root, OUTPUT_FOLDER) : resolve(given);
  const diagnostics = new Diagnostics();
  const { built, inputs } = await compileFolder(root, diagnostics);
  const found = diagnostics.sorted();
  const strict = args.flags.has('strict') && found.length > 0;
  const published = built !== undefined && !strict ? publish(built, inputs, out) : undefined;
  const summary = built === undefined || published === undefined ? undefined : { ...counts(built), ...published };

  if (args.flags.has('json')) {
    const outcome = {
      ok: summary !== undefined,
      diagnostics: found,
      ...(summary === undefined ? {} : { bundle: summary }),
    };
    process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  } else {
    printDiagnostics(found, root);
    if (summary !== undefined && built !== undefined)
      process.stdout.write(success(built, relative(process.cwd(), out), summary.changed));
    else process.stderr.write(failure(found.length, strict));
  }
  return summary === undefined ? 1 : 0;
}

async function compileFolder(
  root: string,
  diagnostics: Diagnostics,
): Promise<{ built?: Built | undefined; inputs: Input[] }> {
  const source = readProject(root, diagnostics.report);
  const checked = source === undefined ? undefined : project(source.text, diagnostics.report);
  if (source === undefined || checked === undefined) return { inputs: [] };
  diagnostics.ignore(checked.ignore);
  const sources = collectGuide(root, checked.guide, diagnostics.report);
  const parsed = await parseAll(sources, diagnostics.report);
  const built = compile(checked, parsed, (path) => existsSync(join(root, path)), diagnostics);
  return { built, inputs: [source.input, ...sources.map(({ input }) => input)] };
}

function publish(built: Built, inputs: Input[], out: string): { changed: boolean } {
  const manifest = { tool: VERSION, ...counts(built), inputs };
  const { changed } = write(out, BUNDLE_FILE, built.bytes);
  write(out, 'manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return { changed };
}

function counts(built: Built) {
  const { digest, bytes, resources, modules, documents } = built;
  return { digest: `sha256:${digest}`, bytes: bytes.length, resources, modules, documents };
}

function success(built: Built, out: string, changed: boolean): string {
  const { resources, modules, documents, bytes, digest, name } = built;
  const rows = [
    ['project', name],
    ['modules', String(modules)],
    ['documents', String(documents)],
    ['resources', String(resources)],
    ['bundle', `${out === '' ? '.' : out}/${BUNDLE_FILE}, ${size(bytes.length)}${changed ? '' : ', unchanged'}`],
    ['digest', `sha256:${digest}`],
  ];
  return `${rows.map(([label, value]) => `${(label as string).padEnd(10)} ${value}`).join('\n')}\n`;
}

function failure(count: number, strict: boolean): string {
  const problems = count === 1 ? 'one problem' : `${count} problems`;
  return `fieldguide build: ${problems}${strict ? ', and --strict' : ''}; nothing was written.\n`;
}
