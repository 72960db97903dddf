// Live data for commands: the project's store, the session that is meant, and failures as a person reads them.

import { join } from 'node:path';
import { openBundle } from '../runtime/current.ts';
import { BundleError } from '../runtime/format.ts';
import { ADVICE } from '../runtime/later-advice.ts';
import { liveOf } from '../runtime/live.ts';
import { Mapper } from '../runtime/map.ts';
import { findActive } from '../runtime/sessions/active.ts';
import type { Approvals } from '../runtime/sessions/approvals.ts';
import { isNotRecordable } from '../runtime/sessions/recordable.ts';
import type { Session } from '../runtime/sessions/session.ts';
import { isStoreError, type SessionStore } from '../runtime/sessions/store.ts';
import { readSettings, type Settings, USUAL_SETTINGS } from '../runtime/settings.ts';
import type { Args } from './args.ts';
import { OUTPUT_FOLDER } from './find-project.ts';
import { projectRoot } from './project-root.ts';
import { printable } from './terminal.ts';
import { storeOf } from './where.ts';

export type Sessions = {
  root: string;
  store: SessionStore;
  approvals: Approvals;
  /** What the environment says: the session of the coding agent that runs this command. */
  own: string | undefined;
};

/** Sessions looked through for one whose id begins as asked. */
const MOST_LOOKED_AT = 200;
const MOST_NAMED = 5;

/** Runs a command over the store; what cannot be recorded or stored says what to do. */
export async function withSessions(args: Args, use: (sessions: Sessions) => Promise<number>): Promise<number> {
  const root = projectRoot(args);
  const live = liveOf(root, process.env, { store: storeOf(args) });
  const settings = settingsAt(root);
  try {
    // What hooks have recorded belongs to what is shown; when it cannot be handed over, the command fails itself.
    await live.handOver(settings).catch(() => {});
    const [store, approvals] = [await live.store(settings), await live.approvals(settings)];
    return await use({ root, own: live.own, store, approvals });
  } catch (error) {
    if (isNotRecordable(error)) {
      throw new Error(`nothing was recorded. ${error.message}${error.isSecret ? ` ${ADVICE.secret.hint}` : ''}`);
    }
    if (isStoreError(error)) throw new Error(`${error.message}. ${ADVICE[error.fault].setup}`);
    throw error;
  }
}

/** As the bundle has them; of one that cannot be read it is said. */
export function settingsAt(root: string): Settings {
  try {
    const bundle = openBundle(join(root, OUTPUT_FOLDER), new Mapper('pread'));
    try {
      return readSettings(bundle);
    } finally {
      bundle.close();
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    if (error.kind !== 'missing') {
      process.stderr.write(`The bundle cannot be read (${error.message}), so the usual settings hold.\n`);
    }
    return USUAL_SETTINGS;
  }
}

/** The session that a command writes to. */
export async function getActive({ store, own }: Sessions): Promise<Session> {
  const session = await findActive(store, own);
  if (session === undefined) throw new Error('no active session; run `fieldguide session start`');
  return session;
}

/** By its id, or by how that begins. */
export async function getSession({ store }: Sessions, id: string): Promise<Session> {
  const exact = await store.find(id);
  if (exact !== undefined) return exact;
  const found = (await store.recent(MOST_LOOKED_AT)).filter((session) => session.id.startsWith(id));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const asked = JSON.stringify(printable(id.slice(0, 80)));
  if (only === undefined) {
    throw new Error(`no session has an id that begins with ${asked}; \`fieldguide session list\` shows them`);
  }
  const named = found.slice(0, MOST_NAMED).map((session) => session.id);
  throw new Error(`${found.length} sessions have an id that begins with ${asked}: ${named.join(', ')} …`);
}
