// `fieldguide connect <client…>`: tells coding agents how to start this server and to say what they work on, in
// their own files, and takes it back with --remove. Clients that share a file share a change; a file that must be left alone is named,
// with the place of the trouble and a snippet to paste.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withoutProjectFile } from '../../build/nearby-project.ts';
import { PROJECT_FILE } from '../../build/project-file.ts';
import { nearest } from '../../runtime/nearest.ts';
import { type Args, UsageError } from '../args.ts';
import { CLIENTS, type Client, editsOf } from '../connect/clients.ts';
import { findProgram, isTemporary, type Program } from '../connect/launch.ts';
import { filesOf, type Plan, planAll, refusal } from '../connect/plan.ts';
import { OUTPUT_FOLDER } from '../find-project.ts';
import { paintDiff, unifiedDiff } from '../line-diff.ts';
import { painter, printable } from '../terminal.ts';
import { rootOf } from '../where.ts';

export async function connect(args: Args): Promise<number> {
  const root = rootOf(args);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error(`${root} is not a folder.`);
  const clients = [...new Set(args.positionals.map(getClient))];
  if (clients.length === 0) throw new UsageError(whichClients(root));
  const program = findProgram(join(import.meta.dirname, 'fieldguide.cjs'), root);
  const dryRun = args.flags.has('dry-run');
  const remove = args.flags.has('remove');
  const planned = await planAll({ clients, root, program, remove, hooks: !args.flags.has('no-hooks') });
  const plans = dryRun ? planned : planned.map(carriedOut);
  if (args.flags.has('json')) process.stdout.write(`${JSON.stringify(outcome(plans, root, dryRun), null, 2)}\n`);
  else for (const plan of plans) showPlan(plan, dryRun, remove);
  if (!remove) warnOfMachinePaths(plans, program);
  if (!remove) warnOfNothingToServe(root);
  return plans.some(({ did }) => did === 'refused') ? 1 : 0;
}

function getClient(name: string): Client {
  const client = CLIENTS.find((candidate) => candidate.name === name);
  if (client !== undefined) return client;
  const names = CLIENTS.map((candidate) => candidate.name);
  const near = nearest(name, names);
  const hint = near === undefined ? `known are ${names.join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`unknown client ${JSON.stringify(name)}; ${hint}`);
}

function whichClients(root: string): string {
  const width = Math.max(...CLIENTS.map(({ name }) => name.length));
  const rows = CLIENTS.map((client) => {
    const files = filesOf(client, root).map(({ path, isThere }) => `${printable(path)}${isThere ? ' (is here)' : ''}`);
    return `  ${client.name.padEnd(width)}  ${client.title}: ${files.join(', ')}`;
  });
  return ['connect needs <client…>:', ...rows, 'fieldguide connect --help shows examples'].join('\n');
}

function carriedOut(plan: Plan): Plan {
  try {
    plan.carryOut();
    return plan;
  } catch (error) {
    return { ...plan, ...refusal(error) };
  }
}

function showPlan(plan: Plan, dryRun: boolean, remove: boolean): void {
  const path = printable(plan.path);
  if (plan.did === 'refused') {
    const at = plan.at === undefined ? '' : `:${plan.at.line}:${plan.at.column}`;
    process.stderr.write(`fieldguide connect: ${path}${at} ${printable(plan.problem ?? '')}; it is left as it is.\n`);
    process.stderr.write(remove ? `Take ${whatIsIn(plan)} out by hand.\n` : `This belongs into ${path}:\n`);
    if (!remove) process.stdout.write(plan.snippet);
  } else if (dryRun) showDiff(plan);
  else for (const client of plan.clients) process.stdout.write(`${client.name}: ${path} ${said(plan, client)}\n`);
}

function whatIsIn({ edits }: Plan): string {
  const entry = edits.some(({ kind }) => kind === 'server') ? ['the entry fieldguide'] : [];
  const hooks = edits.some(({ kind }) => kind !== 'server') ? ['what runs “session hook”'] : [];
  return [...entry, ...hooks].join(' and ');
}

/** On a terminal as it may show it, elsewhere as a program can apply it. */
function showDiff({ before, after, path, did }: Plan): void {
  const diff = unifiedDiff(before, after, path);
  if (diff === '') process.stderr.write(`${printable(path)} would not change: ${NOTHING_TO_DO[did] ?? ''}.\n`);
  const shown = process.stdout.isTTY ? printable(diff.replaceAll('\r\n', '\n')) : diff;
  process.stdout.write(paintDiff(shown, painter(process.stdout)));
}

const NOTHING_TO_DO: Partial<Record<Plan['did'], string>> = {
  unchanged: 'fieldguide is there already',
  absent: 'fieldguide is not in it',
};

function said(plan: Plan, client: Client): string {
  const { did, after, clients, edits } = plan;
  const what = edits.some(({ kind }) => kind === 'server') ? 'fieldguide' : 'hooks of fieldguide';
  if (did === 'unchanged') return `has ${what} already, nothing to do.`;
  if (did === 'absent') return `has no ${what}, nothing to do.`;
  if (did === 'removed') {
    const others = CLIENTS.filter(
      (other) => !clients.includes(other) && editsOf(other).some((edit) => edits.includes(edit)),
    );
    const also = others.map(({ title }) => ` ${title} reads that file, too.`).join('');
    return `${after === undefined ? 'is deleted; it held nothing else.' : `no longer has ${what}.`}${also}`;
  }
  const now = did === 'updated' ? `had ${what} already, brought up to date` : `has ${what} now`;
  return `${[now, ...nextFor(plan, client)].join('; ')}.`;
}

function nextFor({ edits }: Plan, { server, next, hooks }: Client): string[] {
  const forServer = edits.includes(server) ? [next] : [];
  return hooks !== undefined && edits.includes(hooks.edit) ? [...forServer, hooks.next] : forServer;
}

/** A path of this machine in a file that others get, too, is said aloud. */
function warnOfMachinePaths(plans: readonly Plan[], program: Program): void {
  const isShared = ({ edits, did }: Plan): boolean =>
    did !== 'refused' && edits.some(({ scope }) => scope === 'project');
  const paths = plans.filter(isShared).map(({ path }) => printable(path));
  const remedy = 'npm install --save-dev fieldguide (or --global), then connect again.';
  if (program.way === 'outside' && paths.length > 0) {
    process.stderr.write(
      `Note: ${paths.join(', ')} ${paths.length === 1 ? 'names' : 'name'} a path of this machine, ${printable(program.file)}.\n`,
    );
    process.stderr.write(`For a file that others can use: ${remedy}\n`);
  }
  if (isTemporary(program)) {
    process.stderr.write(`Note: npx keeps that path for a while only: ${remedy}\n`);
  }
}

/** The client would start a server that has nothing to say. */
function warnOfNothingToServe(root: string): void {
  if (existsSync(join(root, PROJECT_FILE)) || existsSync(join(root, OUTPUT_FOLDER))) return;
  process.stderr.write(`Note: there is no ${PROJECT_FILE} in this folder. ${withoutProjectFile(root)}\n`);
}

function outcome(plans: readonly Plan[], root: string, dryRun: boolean): Record<string, unknown> {
  const files = plans.map((plan) => fileOutcome(plan, dryRun));
  return { ok: plans.every(({ did }) => did !== 'refused'), root, dryRun, files };
}

function fileOutcome(plan: Plan, dryRun: boolean): Record<string, unknown> {
  const { clients, path, did, before, after, problem, at, snippet } = plan;
  return {
    file: path,
    clients: clients.map(({ name }) => name),
    did,
    ...(did === 'refused' ? { problem, ...at, snippet } : {}),
    ...(dryRun && did !== 'refused' ? { diff: unifiedDiff(before, after, path) } : {}),
    ...(did === 'added' || did === 'updated' ? { next: clients.flatMap((client) => nextFor(plan, client)) } : {}),
  };
}
