// `fieldguide build`: compile a folder, publish the bundle, and say how it went.

import { join, relative, resolve } from 'node:path';
import type { Input } from '../../build/collect.ts';
import { type Diagnostic, Diagnostics } from '../../build/diagnostics.ts';
import type { Built } from '../../build/pipeline.ts';
import { PROJECT_FILE } from '../../build/project-file.ts';
import { write } from '../../build/write.ts';
import { BUNDLE_FILE } from '../../runtime/current.ts';
import { VERSION } from '../../runtime/version.ts';
import type { Args } from '../args.ts';
import type { Compiled } from '../compile-folder.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { progressOn } from '../progress.ts';
import { size } from '../terminal.ts';
import { OUTPUT_FOLDER, rootOf } from '../where.ts';

type Places = { root: string; out: string };

type Outcome = {
  ok: boolean;
  diagnostics: readonly Diagnostic[];
  /** What was published; undefined when nothing was. */
  bundle: (ReturnType<typeof counts> & { changed: boolean }) | undefined;
  compiled: Compiled;
};

export async function build(args: Args): Promise<number> {
  const places = placesOf(args);
  if (args.flags.has('watch')) return await buildAtChanges(args, places);
  const outcome = await buildOnce(args, places);
  if (args.flags.has('json')) process.stdout.write(`${JSON.stringify(outcomeData(outcome), null, 2)}\n`);
  else printOutcome(outcome, outcome.diagnostics, args, places);
  return outcome.ok ? 0 : 1;
}

/** A problem is shown when it appears, not at every build. */
async function buildAtChanges(args: Args, places: Places): Promise<number> {
  const { root, out } = places;
  let before: readonly Diagnostic[] = [];
  const { watch } = await import('./watch.ts');
  return await watch({
    root,
    files: [join(root, PROJECT_FILE)],
    ignored: out,
    async build() {
      const outcome = await buildOnce(args, places);
      if (args.flags.has('json')) process.stdout.write(`${JSON.stringify(outcomeData(outcome))}\n`);
      else {
        printOutcome(outcome, notIn(before, outcome.diagnostics), args, places);
        process.stderr.write('Watching for changes; Ctrl-C ends.\n');
      }
      before = outcome.diagnostics;
      return outcome.compiled.madeFrom.map((path) => join(root, path));
    },
  });
}

function notIn(before: readonly Diagnostic[], now: readonly Diagnostic[]): Diagnostic[] {
  const key = ({ file, code, what }: Diagnostic): string => JSON.stringify([file, code, what]);
  const known = new Set(before.map(key));
  return now.filter((diagnostic) => !known.has(key(diagnostic)));
}

async function buildOnce(args: Args, { root, out }: Places): Promise<Outcome> {
  const diagnostics = new Diagnostics();
  const progress = progressOn(process.stderr, 'fieldguide build: read');
  const outputs = [OUTPUT_FOLDER, relative(root, out)].filter((path) => path !== '' && !/^\.\.(?:\/|$)/.test(path));
  const { compileFolder } = await import('../compile-folder.ts');
  const compiled = await compileFolder({ root, outputs }, diagnostics, progress.at).finally(progress.end);
  const found = diagnostics.sorted();
  const { built, inputs } = compiled;
  const publishable = built !== undefined && !(args.flags.has('strict') && found.length > 0);
  const bundle = publishable ? { ...counts(built), ...publish(built, inputs, out) } : undefined;
  return { ok: publishable, diagnostics: found, bundle, compiled };
}

function outcomeData({ ok, diagnostics, bundle }: Outcome): Record<string, unknown> {
  return { ok, diagnostics, ...(bundle === undefined ? {} : { bundle }) };
}

function printOutcome(outcome: Outcome, shown: readonly Diagnostic[], args: Args, { root, out }: Places): void {
  printDiagnostics(shown, root);
  const { built } = outcome.compiled;
  if (outcome.bundle !== undefined && built !== undefined) {
    process.stdout.write(success(built, relative(process.cwd(), out), outcome.bundle.changed));
  } else {
    process.stderr.write(failure(outcome.diagnostics.length, built !== undefined && args.flags.has('strict')));
  }
}

function placesOf(args: Args): Places {
  const root = rootOf(args);
  const given = args.values.get('out');
  return { root, out: given === undefined ? resolve(root, OUTPUT_FOLDER) : resolve(given) };
}

function publish(built: Built, inputs: readonly Input[], out: string): { changed: boolean } {
  const manifest = { tool: VERSION, ...counts(built), inputs };
  const { changed } = write(out, BUNDLE_FILE, built.bytes);
  write(out, 'manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return { changed };
}

function counts(built: Built) {
  const { digest, bytes, resources, modules, documents, prompts } = built;
  return { digest: `sha256:${digest}`, bytes: bytes.length, resources, modules, documents, prompts };
}

function success(built: Built, out: string, changed: boolean): string {
  const { resources, modules, documents, prompts, bytes, digest, name } = built;
  const rows = [
    ['project', name],
    ['modules', String(modules)],
    ['documents', String(documents)],
    ['resources', String(resources)],
    ['prompts', String(prompts)],
    ['bundle', `${out === '' ? '.' : out}/${BUNDLE_FILE}, ${size(bytes.length)}${changed ? '' : ', unchanged'}`],
    ['digest', `sha256:${digest}`],
  ];
  return `${rows.map(([label, value]) => `${(label as string).padEnd(10)} ${value}`).join('\n')}\n`;
}

function failure(count: number, strict: boolean): string {
  const problems = count === 1 ? 'one problem' : `${count} problems`;
  return `fieldguide build: ${problems}${strict ? ', and --strict' : ''}; nothing was written.\n`;
}
