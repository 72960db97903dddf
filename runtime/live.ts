// The way from a request to live data. It stands in the start file, so it knows only whether there is any:
// the journal is loaded when somebody asks for what it holds.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Approvals } from './sessions/approvals.ts';
import type { SessionStore } from './sessions/store.ts';
import type { Settings } from './settings.ts';

export type Live = {
  /** The session that the asking client works in, where its environment says so. */
  readonly own: string | undefined;
  /** Whether anything was discovered that may have to be laid over the bundle's answers. */
  hasDiscoveries(): boolean;
  store(settings: Settings): Promise<SessionStore>;
  approvals(settings: Settings): Promise<Approvals>;
  now(): number;
};

/** Clients that tell the servers they start which session that is for. */
const SESSION_VARIABLES = ['CLAUDE_CODE_SESSION_ID', 'COPILOT_AGENT_SESSION_ID', 'GEMINI_SESSION_ID'];

export function liveOf(root: string, env: NodeJS.ProcessEnv, now: () => number = Date.now): Live {
  const discoveries = join(root, '.fieldguide/discoveries.journal');
  let known: { idleMinutes: number; store: SessionStore } | undefined;
  return {
    own: SESSION_VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== ''),
    hasDiscoveries: () => {
      try {
        return statSync(discoveries, { throwIfNoEntry: false }) !== undefined;
      } catch {
        return true;
      }
    },
    async store({ sessions: { idleMinutes } }) {
      if (known?.idleMinutes === idleMinutes) return known.store;
      const { Journal } = await import('./sessions/journal.ts');
      known = { idleMinutes, store: new Journal({ root, idleMs: idleMinutes * 60_000, now }) };
      return known.store;
    },
    approvals: async () => new (await import('./sessions/approvals.ts')).ApprovalFiles(root),
    now,
  };
}
