// `fieldguide export agents|llms`: files for clients that read no MCP, made from what the bundle is made from. A file
// that somebody wrote by hand is never overwritten.

import { lstatSync, readFileSync } from 'node:fs';
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { type Diagnostic, Diagnostics } from '../../build/diagnostics.ts';
import { EXPORT_FILES, type ExportKind } from '../../build/export-kinds.ts';
import { type Destination, type Exported, isExported } from '../../build/export-sources.ts';
import { write } from '../../build/write.ts';
import { nearest } from '../../runtime/nearest.ts';
import { sizeInWords } from '../../runtime/tokens.ts';
import { type Args, UsageError } from '../args.ts';
import { diagnosticsText, linesUnder } from '../diagnostics.ts';
import { OUTPUT_FOLDER } from '../find-project.ts';
import { progressOn } from '../progress.ts';
import { painter, printable } from '../terminal.ts';
import { rootOf } from '../where.ts';

/** One file, what is on the disk in its place, and how it differs. */
type Outcome = Exported & { path: string; found: string | undefined; changed?: boolean };

export async function exportCommand(args: Args): Promise<number> {
  const kind = kindOf(args);
  const baseUrl = baseUrlOf(args);
  const root = rootOf(args);
  const out = resolve(args.values.get('out') ?? root);
  const { files, diagnostics } = await made(kind, root, out, baseUrl);
  if (files === undefined) return failed(diagnostics, root, args);
  const outcomes = files.map((file): Outcome => {
    const path = join(out, file.name);
    return { ...file, path, found: textAt(path) };
  });
  if (!args.flags.has('json')) printDiagnostics(diagnostics, root);
  const isCheck = args.flags.has('check');
  if (!isCheck) publish(outcomes, kind, out);
  const ok = !isCheck || outcomes.every(({ text, found }) => text === found);
  if (args.flags.has('json')) print({ ok, diagnostics, files: outcomes.map((one) => outcomeData(one, isCheck)) });
  else if (isCheck) printCheck(outcomes, kind);
  else for (const one of outcomes) process.stdout.write(`${shown(one.path)}  ${written(one)}\n`);
  return ok ? 0 : 1;
}

function kindOf({ positionals: [given = ''] }: Args): ExportKind {
  const known = Object.keys(EXPORT_FILES);
  if (known.includes(given)) return given as ExportKind;
  const near = nearest(given, known);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`export makes ${known.join(' or ')}; not ${JSON.stringify(given)}${hint}`);
}

function baseUrlOf(args: Args): string | undefined {
  const given = args.values.get('base-url');
  if (given === undefined) return undefined;
  if (/[\s\p{Cc}<>()]/u.test(given) || !/^(?:https?:\/\/[^/]|\/)/.test(given)) {
    throw new UsageError(`--base-url is an address or a path that starts with /; not ${JSON.stringify(given)}`);
  }
  return given.endsWith('/') ? given : `${given}/`;
}

async function made(
  kind: ExportKind,
  root: string,
  out: string,
  baseUrl: string | undefined,
): Promise<{ files: Exported[] | undefined; diagnostics: Diagnostic[] }> {
  const diagnostics = new Diagnostics();
  const progress = progressOn(process.stderr, 'fieldguide export: read');
  const { compileFolder } = await import('../compile-folder.ts');
  const options = { progress: progress.at, keepsCache: false };
  const compiled = await compileFolder({ root, outputs: [OUTPUT_FOLDER] }, diagnostics, options).finally(progress.end);
  const { built } = compiled;
  if (built === undefined) return { files: undefined, diagnostics: diagnostics.sorted() };
  const { exportFiles } = await import('../../build/export-files.ts');
  const files = exportFiles(kind, built, compiled, destinationOf(kind, root, out, baseUrl));
  return { files, diagnostics: diagnostics.sorted() };
}

function destinationOf(kind: ExportKind, root: string, out: string, baseUrl: string | undefined): Destination {
  const folder = relative(root, out).split(sep).join('/');
  if (isAbsolute(folder) || /^\.\.(?:\/|$)/.test(folder)) return { folder: '', files: [], baseUrl };
  return { folder, files: EXPORT_FILES[kind].map((name) => posix.join(folder, name)), baseUrl };
}

/** All of them, or none when one of them is not ours. */
function publish(outcomes: readonly Outcome[], kind: ExportKind, out: string): void {
  for (const { path, found } of outcomes) {
    if (found === undefined || isExported(found)) continue;
    throw new Error(
      `${shown(path)} was not made by fieldguide export ${kind}; nothing was written. Move it away, or name another folder with --out.`,
    );
  }
  for (const one of outcomes) one.changed = write(out, one.name, Buffer.from(one.text)).changed;
}

/** Undefined where there is nothing. */
function textAt(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile())
    throw new Error(`${shown(path)} is not a plain file; nothing was written. Name another folder with --out.`);
  return readFileSync(path, 'utf8');
}

function failed(diagnostics: readonly Diagnostic[], root: string, args: Args): number {
  if (args.flags.has('json')) print({ ok: false, diagnostics, files: [] });
  else {
    printDiagnostics(diagnostics, root);
    const problems = diagnostics.length === 1 ? 'one problem' : `${diagnostics.length} problems`;
    process.stderr.write(`fieldguide export: ${problems}; nothing was written.\n`);
  }
  return 1;
}

function printCheck(outcomes: readonly Outcome[], kind: ExportKind): void {
  for (const one of outcomes) {
    const difference = firstDifference(one);
    if (difference === undefined) process.stdout.write(`${shown(one.path)}  as the sources make it\n`);
    else if (one.found === undefined) process.stderr.write(`${shown(one.path)} is missing.\n`);
    else {
      const { line, found, expected } = difference;
      process.stderr.write(`${shown(one.path)}:${line} is not what the sources make.\n`);
      process.stderr.write(`  found:    ${excerpt(found)}\n  expected: ${excerpt(expected)}\n`);
    }
  }
  if (outcomes.every(({ text, found }) => text === found)) return;
  process.stderr.write(`fieldguide export: run \`fieldguide export ${kind}\` and commit what it writes.\n`);
}

type Lines = { line: number; found: string | undefined; expected: string | undefined };

function firstDifference({ text, found }: Outcome): Lines | undefined {
  if (text === found) return undefined;
  const [is, wanted] = [(found ?? '').split('\n'), text.split('\n')];
  const at = wanted.findIndex((line, n) => line !== is[n]);
  const n = at < 0 ? wanted.length : at;
  return { line: n + 1, found: is[n], expected: wanted[n] };
}

const MOST_SHOWN = 200;

function excerpt(line: string | undefined): string {
  return line === undefined ? '(the end of the file)' : printable(JSON.stringify(line.slice(0, MOST_SHOWN)));
}

function outcomeData(one: Outcome, isCheck: boolean): Record<string, unknown> {
  const { path, text, found, changed } = one;
  const size = { path, bytes: Buffer.byteLength(text) };
  if (!isCheck) return { ...size, changed };
  return { ...size, ok: text === found, missing: found === undefined, difference: firstDifference(one) };
}

/** Codex, for one, reads no more of it. */
const MOST_AGENTS_BYTES = 32 * 1024;

function written({ name, text, changed }: Outcome): string {
  const bytes = Buffer.byteLength(text);
  const long = name === 'AGENTS.md' && bytes > MOST_AGENTS_BYTES ? '; some clients read only its first 32 KB' : '';
  return `${sizeInWords(bytes)}${changed === true ? '' : ', unchanged'}${long}`;
}

function shown(path: string): string {
  return printable(relative(process.cwd(), path) || path);
}

function print(data: unknown): void {
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
}

function printDiagnostics(diagnostics: readonly Diagnostic[], root: string): void {
  process.stderr.write(diagnosticsText(diagnostics, linesUnder(root), painter(process.stderr)));
}
