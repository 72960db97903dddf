// The bodies of `fieldguide session`: what people record by hand, and what they look at. Everything goes through
// the store that the server reads from.

import { randomUUID } from 'node:crypto';
import { recordable } from '../../runtime/sessions/recordable.ts';
import type { Session } from '../../runtime/sessions/session.ts';
import type { Discovery, DiscoveryType } from '../../runtime/sessions/store.ts';
import { counted, durationInWords, shortId, timeInWords } from '../../runtime/sessions/words.ts';
import { type Args, UsageError } from '../args.ts';
import { canAsk, confirm } from '../confirm.ts';
import { pathBelow } from '../path-below.ts';
import { sessionData, sessionLines, sessionText } from '../session-shown.ts';
import { getActive, getSession, type Sessions, withSessions } from '../session-store.ts';
import { painter, printable } from '../terminal.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ARCHIVED_AFTER_MS = 7 * DAY_MS;
const REMOVED_AFTER_MS = 90 * DAY_MS;
const USUAL_LISTED = 10;
const MOST_LISTED = 100;

export async function start(args: Args): Promise<number> {
  const client = args.values.get('client');
  if (client !== undefined && !/^[A-Za-z0-9][\w.-]{0,39}$/.test(client)) {
    throw new UsageError('--client is a name of at most 40 letters, digits, dots and dashes');
  }
  return await withSessions(args, async (sessions) => {
    const id = args.values.get('id') ?? sessions.own ?? randomUUID();
    await sessions.store.append(id, { k: 'start', t: Date.now(), ...(client === undefined ? {} : { client }) });
    const session = await getSession(sessions, id);
    if (args.flags.has('json')) printData(sessionData(session));
    else process.stdout.write(`${session.id}\n`);
    return 0;
  });
}

export async function end(args: Args): Promise<number> {
  return await withSessions(args, async (sessions) => {
    const [id] = args.positionals;
    const session = id === undefined ? await getActive(sessions) : await getSession(sessions, id);
    if (session.status !== 'active') {
      say(args, `${nameOf(session)} had ended already.`);
    } else {
      await sessions.store.append(session.id, { k: 'end', t: Date.now() });
      say(args, `${nameOf(session)} ended after ${durationInWords(session.durationMs)}.`);
    }
    return await done(args, sessions, session);
  });
}

export async function touch(args: Args): Promise<number> {
  return await withSessions(args, async (sessions) => {
    const paths = [...new Set(args.positionals.map((path) => pathBelow(sessions.root, path)))];
    const session = await getActive(sessions);
    await sessions.store.append(session.id, { k: 'touch', t: Date.now(), paths });
    say(args, `${nameOf(session)}: noted ${counted(paths.length, 'file')}.`);
    return await done(args, sessions, session);
  });
}

export async function topic(args: Args): Promise<number> {
  return await withSessions(args, async (sessions) => {
    const text = recordable('topic', args.positionals.join(' '));
    const session = await getActive(sessions);
    await sessions.store.append(session.id, { k: 'topic', t: Date.now(), text });
    say(args, `${nameOf(session)}: recorded the topic "${text}".`);
    return await done(args, sessions, session);
  });
}

export async function discover(args: Args): Promise<number> {
  const type = args.values.get('type') as DiscoveryType | undefined;
  if (type === undefined) throw new UsageError('session discover needs --type; --help shows examples');
  return await withSessions(args, async (sessions) => {
    const module = args.values.get('module');
    const solution = args.values.get('solution');
    const discovery = {
      type,
      content: recordable('discovery', args.positionals.join(' ')),
      ...(module === undefined ? {} : { module: recordable('module', module) }),
      ...(solution === undefined ? {} : { solution: recordable('solution', solution) }),
    };
    const session = await getActive(sessions);
    if (!args.flags.has('yes') && !(await isAccepted(discovery))) {
      process.stderr.write('Nothing was recorded.\n');
      return 1;
    }
    const recorded: Discovery = { id: randomUUID(), sessionId: session.id, at: Date.now(), ...discovery };
    await sessions.store.discover(recorded);
    if (args.flags.has('json')) printData({ ...recorded, at: timeInWords(recorded.at) });
    else process.stdout.write(`${recorded.id}\n`);
    return 0;
  });
}

/** It changes what others will read, so a person has to say yes. */
async function isAccepted({ type, content, module, solution }: Omit<Discovery, 'id' | 'sessionId' | 'at'>) {
  if (!canAsk()) {
    throw new Error('others will read it, so it needs a yes: run it on a terminal, or add --yes. Nothing was recorded');
  }
  const about = [
    [type, content],
    ['module', module],
    ['solution', solution],
  ].filter(([, value]) => value !== undefined);
  process.stderr.write(`${about.map(([name, value]) => `${name}: ${printable(value as string)}`).join('\n')}\n`);
  return await confirm('Record this for everybody who reads this project?');
}

export async function list(args: Args): Promise<number> {
  const limit = Number(args.values.get('limit') ?? USUAL_LISTED);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) {
    throw new UsageError(`--limit is a whole number from 1 to ${MOST_LISTED}`);
  }
  return await withSessions(args, async ({ store }) => {
    const sessions = await store.recent(limit);
    if (args.flags.has('json')) printData({ sessions: sessions.map(sessionData) });
    else if (sessions.length === 0) process.stderr.write('No sessions yet; `fieldguide session start` begins one.\n');
    else process.stdout.write(`${sessionLines(sessions, painter(process.stdout)).join('\n')}\n`);
    return 0;
  });
}

export async function show(args: Args): Promise<number> {
  return await withSessions(args, async (sessions) => {
    const [id] = args.positionals;
    const session = id === undefined ? await sessions.store.current(sessions.own) : await getSession(sessions, id);
    if (session === undefined) throw new Error('no active session; `fieldguide session list` shows the ones before');
    if (args.flags.has('json')) printData(sessionData(session));
    else process.stdout.write(sessionText(session, painter(process.stdout)));
    return 0;
  });
}

export async function prune(args: Args): Promise<number> {
  const age = ageOf(args.values.get('older-than'));
  return await withSessions(args, async ({ store }) => {
    const dryRun = args.flags.has('dry-run');
    const now = Date.now();
    const pruned = await store.prune(now - ARCHIVED_AFTER_MS, now - age, dryRun);
    if (args.flags.has('json')) printData({ ...pruned, dryRun });
    else {
      const { archived, removed } = pruned;
      const would = dryRun ? 'would be ' : '';
      process.stdout.write(`${counted(archived, 'session')} ${would}archived, ${removed} ${would}removed\n`);
    }
    return 0;
  });
}

function ageOf(given: string | undefined): number {
  if (given === undefined) return REMOVED_AFTER_MS;
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(given) ?? [];
  if (count === undefined) throw new UsageError('--older-than is a number of days or hours, such as 30d or 12h');
  return Number(count) * (unit === 'd' ? DAY_MS : HOUR_MS);
}

/** What has become of the session, where data was asked for. */
async function done(args: Args, { store }: Sessions, { id }: Session): Promise<number> {
  const session = args.flags.has('json') ? await store.find(id) : undefined;
  if (session !== undefined) printData(sessionData(session));
  return 0;
}

function nameOf({ id }: Session): string {
  return `Session ${shortId(id)}`;
}

function say(args: Args, line: string): void {
  if (!args.flags.has('json')) process.stderr.write(`${printable(line)}\n`);
}

function printData(value: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
