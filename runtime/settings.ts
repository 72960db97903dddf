// What project.yaml says about serving, as the compiler put it into the bundle. An older bundle says less,
// and without one the usual values hold.

import type { Bundle } from './bundle.ts';
import { BundleError } from './format.ts';

export type Settings = {
  sessions: { store: string; idleMinutes: number };
  limits: { overview: number; module: number; session: number; sessions: number };
  /** Tools that run without a question. */
  approval: { allow: readonly string[] };
};

export const SETTINGS_KEY = 'settings';

export const USUAL_SETTINGS: Settings = {
  sessions: { store: 'journal', idleMinutes: 30 },
  limits: { overview: 50 * 1024, module: 20 * 1024, session: 10 * 1024, sessions: 50 * 1024 },
  approval: { allow: [] },
};

export function readSettings(bundle: Bundle | undefined): Settings {
  const stored = bundle?.findText(SETTINGS_KEY)?.stored;
  if (stored === undefined) return USUAL_SETTINGS;
  const said = parsed(stored.toString('utf8'));
  return {
    sessions: { ...USUAL_SETTINGS.sessions, ...said.sessions },
    limits: { ...USUAL_SETTINGS.limits, ...said.limits },
    approval: { ...USUAL_SETTINGS.approval, ...said.approval },
  };
}

/** Its checksum is its author's, who may be anybody. */
function parsed(stored: string): Partial<Settings> {
  try {
    return Object(JSON.parse(JSON.parse(`"${stored}"`)));
  } catch {
    throw new BundleError('damaged', 'Its settings are not JSON.');
  }
}
