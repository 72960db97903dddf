// The way from a request to live data. It stands in the start file, so it knows only whether there is any: what
// reads the journal, and what speaks with a database, is loaded when somebody asks for what they hold.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Approvals } from './sessions/approvals.ts';
import type { DatabaseLive } from './sessions/live-database.ts';
import type { SessionStore } from './sessions/store.ts';
import type { Settings } from './settings.ts';

export type Live = {
  /** The session that the asking client works in, where its environment says so. */
  readonly own: string | undefined;
  /** Whether anything is known to have been discovered that may have to be laid over the bundle's answers. */
  hasDiscoveries(settings: Settings): boolean;
  /** When that is known as well as it can be: for who asks once, and rather waits than goes without. */
  ready(settings: Settings): Promise<void>;
  store(settings: Settings): Promise<SessionStore>;
  approvals(settings: Settings): Promise<Approvals>;
  /** What hooks left in the journal goes into the database, if there is one; gives from how many files. */
  handOver(settings: Settings): Promise<number>;
  now(): number;
};

export type LiveOptions = {
  /** What the command line says of where it is kept, over what the bundle says. */
  store?: string | undefined;
  log?: (line: string) => void;
  now?: () => number;
};

/** Clients that tell the servers they start which session that is for. */
const SESSION_VARIABLES = ['CLAUDE_CODE_SESSION_ID', 'COPILOT_AGENT_SESSION_ID', 'GEMINI_SESSION_ID'];

export function liveOf(root: string, env: NodeJS.ProcessEnv, options: LiveOptions = {}): Live {
  const { now = Date.now, log = () => {} } = options;
  const discoveries = join(root, '.fieldguide/discoveries.journal');
  const own = SESSION_VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  let journal: { idleMinutes: number; store: SessionStore } | undefined;
  let database: { where: string; opening: Promise<DatabaseLive>; open?: DatabaseLive } | undefined;
  const whereOf = ({ sessions }: Settings): string => {
    const where = options.store ?? sessions.store;
    return where.startsWith('${') && env[where.slice(2, -1)] === 'journal' ? 'journal' : where;
  };
  const open = (where: string): NonNullable<typeof database> => {
    if (database?.where === where) return database;
    const opened = { where, opening: openDatabase(where) };
    opened.opening.catch((error: Error) => log(`sessions: ${error.message}; serving without live data`));
    void database?.opening.then((before) => before.end()).catch(() => {});
    database = opened;
    return opened;
  };
  const openDatabase = async (where: string): Promise<DatabaseLive> => {
    const { DatabaseLive } = await import('./sessions/live-database.ts');
    const opened = new DatabaseLive({ root, own, where, env, log, now });
    if (database?.where === where) database.open = opened;
    return opened;
  };
  return {
    own,
    hasDiscoveries: (settings) => {
      const where = whereOf(settings);
      if (where !== 'journal') return open(where).open?.hasDiscoveries() ?? false;
      try {
        return statSync(discoveries, { throwIfNoEntry: false }) !== undefined;
      } catch {
        return true;
      }
    },
    async ready(settings) {
      const where = whereOf(settings);
      if (where !== 'journal')
        await open(where).opening.then(
          (opened) => opened.ready(),
          () => {},
        );
    },
    async store(settings) {
      const { idleMinutes } = settings.sessions;
      const where = whereOf(settings);
      if (where !== 'journal') return await (await open(where).opening).store(idleMinutes);
      if (journal?.idleMinutes === idleMinutes) return journal.store;
      const { Journal } = await import('./sessions/journal.ts');
      journal = { idleMinutes, store: new Journal({ root, idleMs: idleMinutes * 60_000, now }) };
      return journal.store;
    },
    async approvals(settings) {
      const where = whereOf(settings);
      if (where !== 'journal') return (await open(where).opening).approvals;
      return new (await import('./sessions/approvals.ts')).ApprovalFiles(root);
    },
    async handOver(settings) {
      const where = whereOf(settings);
      return where === 'journal' ? 0 : await (await open(where).opening).handOver.all();
    },
    now,
  };
}
