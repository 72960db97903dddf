// `fieldguide session hook`: what coding agents run at every step, so it is a file of its own that loads nothing
// else. It never stands in an agent's way: nothing on stdout, at most a line on stderr, and the exit code is 0
// whatever happens, because some agents take stdout for their model and another code for a veto.

import { statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type HeardEvent, type Overrides, readHook } from '../runtime/sessions/hooks.ts';
import { findProject, pathsInside } from '../runtime/sessions/project-folder.ts';
import { LIVE_FOLDER, recordEvent } from '../runtime/sessions/record-event.ts';
import type { SessionEvent } from '../runtime/sessions/session.ts';
import { readInput } from './input.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** Codex ends a hook at the end of a session after so long at the latest. */
const MOST_MS = 3000;
/** A process that hands over has ended, or failed, after so long. */
const AT_WORK_MS = 10_000;
const USAGE = 'it reads the JSON that a coding agent pipes to its hooks; the page Hooks of the manual says how';

async function hook(argv: readonly string[]): Promise<string | undefined> {
  const t = Date.now();
  if (argv.includes('--help') || argv.includes('-h')) return USAGE;
  const { bytes, ended } = await readInput(MOST_BYTES, MOST_MS);
  if (ended === 'terminal') return USAGE;
  if (ended === 'too long') return 'the input is over 16 MiB; nothing was recorded';
  if (bytes.length === 0)
    return ended === 'too late' ? 'nothing came on stdin in time; nothing was recorded' : undefined;
  const payload = parsed(bytes);
  if (payload === undefined) return 'the input is not JSON; nothing was recorded';
  const heard = readHook(payload, process.env, overridesOf(argv));
  if (heard === undefined) return undefined;
  const cwd = resolve(heard.cwd ?? '.');
  const root = findProject(cwd);
  if (root === undefined) return undefined;
  const folder = join(root, LIVE_FOLDER);
  const start: SessionEvent = { k: 'start', t, client: heard.client };
  const event = heard.event.k === 'start' ? start : eventAt(t, heard.event, root, cwd);
  const { created } = await recordEvent(folder, heard.sessionId, event);
  if (created && event.k === 'touch') await recordEvent(folder, heard.sessionId, start);
  await handOverLater(root, folder, created);
  return undefined;
}

/** Where a project keeps its live data is looked up once for each session, and only where there is a bundle. */
async function handOverLater(root: string, folder: string, created: boolean): Promise<void> {
  const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const asks = created && changedAt(join(root, 'dist-index/context.fgb')) > 0;
  if (!asks && changedAt(join(folder, 'to-database')) === 0) return;
  if (!asks && Date.now() - changedAt(join(folder, 'handing-over')) < AT_WORK_MS) return;
  (await import('./hand-over-start.ts')).startHandOver(root, folder, asks);
}

function eventAt(t: number, event: HeardEvent, root: string, cwd: string): SessionEvent {
  if (event.k !== 'touch') return { k: event.k, t };
  const paths = pathsInside(root, cwd, event.files ?? []);
  return {
    k: 'touch',
    t,
    ...(event.use === undefined ? {} : { use: event.use }),
    ...(paths.length === 0 ? {} : { paths }),
  };
}

/** A byte order mark is let pass. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', bytes[0] === 0xef ? 3 : 0));
  } catch {
    return undefined;
  }
}

/** Anything that is not known is passed over: an older fieldguide must not fail on newer settings. */
function overridesOf(argv: readonly string[]): Overrides {
  const given = (option: string): string | undefined => {
    const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`));
    const word = argv[at];
    return word === option ? argv[at + 1] : word?.slice(option.length + 1);
  };
  return { event: given('--event'), agent: given('--agent') };
}

function say(line: string): void {
  try {
    writeSync(2, `fieldguide session hook: ${line.replace(/\s+/g, ' ')}\n`);
  } catch {
    // Nobody listens.
  }
}

hook(process.argv.slice(4))
  .then(
    (line) => line !== undefined && say(line),
    (error: Error) => say(error.message),
  )
  .finally(() => process.exit(0));
