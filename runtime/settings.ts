// What project.yaml says about serving, as the compiler put it into the bundle. An older bundle says less,
// and without one the usual values hold.

import type { Alias } from './aliases.ts';
import type { Bundle } from './bundle.ts';
import { BundleError } from './format.ts';

export type Settings = {
  /** `store` may hold `${NAME}`, as `headers`, `env`, `args` and `url` of an upstream may. */
  sessions: { store: string; idleMinutes: number };
  limits: { overview: number; module: number; session: number; sessions: number; ratePerMinute: number };
  /** Tools that run without a question. */
  approval: { allow: readonly string[] };
  /** Undefined: there is one local user, who may read everything. */
  agents?: readonly AgentSettings[];
  http: { hosts: readonly string[]; origins: readonly string[] };
  upstreams: readonly UpstreamSettings[];
  /** Other names of what is served, under schemes that are not ours. */
  aliases?: readonly Alias[];
  /** Of the project.yaml that says so, where there are upstreams. */
  projectSha256?: string;
};

export type AgentSettings = {
  name: string;
  /** Globs of canonical URIs; `!` takes away, the last that matches counts. */
  resources: readonly string[];
  /** Undefined: all. */
  tools?: readonly string[];
  prompts?: readonly string[];
  /** The name of the environment variable that holds it. */
  tokenName?: string;
};

export type Feature = 'resources' | 'prompts' | 'tools';

export type UpstreamSettings = {
  group: string;
  description?: string;
  features: Record<Feature, boolean>;
  /** Globs of its own URIs. */
  resources: readonly string[];
  timeoutMs: Record<Feature, number>;
  /** Undefined: as long as it allows. */
  cacheTtlMs?: number;
  maxBytes: number;
} & (
  | { command: string; args: readonly string[]; env: readonly (readonly [name: string, value: string])[] }
  | { url: string; headers: readonly (readonly [name: string, value: string])[] }
);

export const SETTINGS_KEY = 'settings';

export const USUAL_SETTINGS: Settings = {
  sessions: { store: 'journal', idleMinutes: 30 },
  limits: { overview: 50 * 1024, module: 20 * 1024, session: 10 * 1024, sessions: 50 * 1024, ratePerMinute: 6000 },
  approval: { allow: [] },
  http: { hosts: [], origins: [] },
  upstreams: [],
};

/** Read once for each bundle: on HTTP every request asks. */
const known = new WeakMap<Bundle, Settings>();

export function readSettings(bundle: Bundle | undefined): Settings {
  const stored = bundle === undefined ? undefined : (known.get(bundle) ?? bundle.findText(SETTINGS_KEY)?.stored);
  if (bundle === undefined || stored === undefined) return USUAL_SETTINGS;
  if (!(stored instanceof Uint8Array)) return stored;
  const said = parsed(stored.toString('utf8'));
  const settings = {
    ...USUAL_SETTINGS,
    ...said,
    sessions: { ...USUAL_SETTINGS.sessions, ...said.sessions },
    limits: { ...USUAL_SETTINGS.limits, ...said.limits },
    approval: { ...USUAL_SETTINGS.approval, ...said.approval },
  };
  known.set(bundle, settings);
  return settings;
}

/** Its checksum is its author's, who may be anybody. */
function parsed(stored: string): Partial<Settings> {
  try {
    return Object(JSON.parse(JSON.parse(`"${stored}"`)));
  } catch {
    throw new BundleError('damaged', 'Its settings are not JSON.');
  }
}
