// One build from folder to outcome: compiled in memory, then published, or with --check held against what is
// there. A check reads the cache but does not write it: it leaves the disk as it was.

import { join, relative } from 'node:path';
import { Diagnostics } from '../build/diagnostics.ts';
import type { Built } from '../build/pipeline.ts';
import { PROJECT_FILE } from '../build/project-file.ts';
import { write } from '../build/write.ts';
import { BUNDLE_FILE } from '../runtime/current.ts';
import { estimateTokens } from '../runtime/tokens.ts';
import { VERSION } from '../runtime/version.ts';
import { checkBundle } from './check-bundle.ts';
import type { Compiled } from './compile-folder.ts';
import { OUTPUT_FOLDER } from './find-project.ts';
import { MANIFEST_FILE, manifestText } from './manifest.ts';
import type { Check, Outcome } from './outcome.ts';
import { progressOn } from './progress.ts';
import { prefixInRepository } from './repository.ts';

export type Order = {
  root: string;
  out: string;
  isStrict: boolean;
  isCheck: boolean;
  /** What a person would run to publish. */
  command: string;
};

export async function buildFolder(order: Order): Promise<{ outcome: Outcome; compiled: Compiled }> {
  const startedAt = performance.now();
  const { root, out, isStrict, isCheck } = order;
  const diagnostics = new Diagnostics();
  const compiled = await compiledWithProgress(order, diagnostics);
  const { built, documents } = compiled;
  const check = isCheck && built !== undefined ? checked(order, compiled, built, diagnostics) : undefined;
  const { errors, warnings } = diagnostics.totals;
  const ok = built !== undefined && errors === 0 && !(isStrict && warnings > 0);
  const written = ok && !isCheck && publish(built, compiled, out);
  const isKnown = built !== undefined && (ok || isCheck);
  const outcome = {
    ok,
    diagnostics: diagnostics.sorted(),
    errors,
    warnings,
    documents: built?.documents ?? documents,
    durationMs: performance.now() - startedAt,
    isStrict,
    isCheck,
    bundle: isKnown
      ? {
          name: built.name,
          file: relative(process.cwd(), join(out, BUNDLE_FILE)),
          ...counts(built),
          changed: check === undefined ? written : check.state !== 'fresh',
          written,
        }
      : undefined,
    check,
    prefix: prefixInRepository(root, process.env),
  };
  return { outcome, compiled };
}

async function compiledWithProgress({ root, out, isCheck }: Order, diagnostics: Diagnostics): Promise<Compiled> {
  const progress = progressOn(process.stderr, 'fieldguide build: read');
  const outputs = [OUTPUT_FOLDER, relative(root, out)].filter((path) => path !== '' && isInside(path));
  const { compileFolder } = await import('./compile-folder.ts');
  const options = { progress: progress.at, keepsCache: !isCheck };
  return await compileFolder({ root, outputs }, diagnostics, options).finally(progress.end);
}

function checked({ root, out, command }: Order, { inputs }: Compiled, built: Built, diagnostics: Diagnostics): Check {
  const file = relative(root, join(out, BUNDLE_FILE));
  const place = { file: isInside(file) ? file : PROJECT_FILE, line: 1, column: 1 };
  const made = { bytes: built.bytes, digest: counts(built).digest, inputs };
  const { check, diagnostic } = checkBundle(out, made, place, command);
  if (diagnostic !== undefined) diagnostics.report(diagnostic);
  return check;
}

function isInside(path: string): boolean {
  return !/^\.\.(?:\/|$)/.test(path);
}

/** Whether the bundle is another than before. */
function publish(built: Built, { inputs }: Compiled, out: string): boolean {
  const { changed } = write(out, BUNDLE_FILE, built.bytes);
  write(out, MANIFEST_FILE, Buffer.from(manifestText(VERSION, counts(built), inputs)));
  return changed;
}

function counts(built: Built) {
  const { digest, bytes, resources, modules, documents, prompts, textBytes } = built;
  const tokens = estimateTokens(textBytes);
  return { digest: `sha256:${digest}`, bytes: bytes.length, resources, modules, documents, prompts, tokens };
}
