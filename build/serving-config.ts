// What project.yaml says of serving beyond one machine's one user: agents, upstream servers, who may come in by
// HTTP. Secrets are never part of it: `${NAME}` stays a name, and is looked up when serving.

import { compileGlob, GlobError } from '../runtime/glob.ts';
import type { AgentSettings, Feature, Settings, UpstreamSettings } from '../runtime/settings.ts';
import { canonicalPattern } from './canonical-pattern.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import { show } from './yaml.ts';

/** Only what is said: a bundle without agents has no word of them. */
export type Serving = Partial<Pick<Settings, 'agents' | 'http' | 'upstreams' | 'projectSha256'>>;

type WrittenAgent = {
  resources?: string | string[];
  tools?: string | string[];
  prompts?: string | string[];
  token?: string;
};

type WrittenUpstream = {
  description?: string;
  command?: string;
  args?: string[];
  env?: Map<string, string>;
  url?: string;
  headers?: Map<string, string>;
  enabled?: boolean;
  features?: Partial<Record<Feature, boolean>>;
  resources?: string | string[];
  timeout?: number | Partial<Record<Feature, number>>;
  cacheTtl?: number;
  maxSize?: number;
};

export type WrittenServing = {
  agents?: Map<string, WrittenAgent | undefined>;
  upstreams?: Map<string, WrittenUpstream | undefined>;
  http?: { hosts?: string[]; origins?: string[] };
};

type PlaceOf = (path: readonly (string | number)[]) => Place;

/** Who asks where agents have no names. */
const LOCAL = 'local';
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_|$)){0,29}$/;
const VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;
const USUAL_TIMEOUT_MS: Record<Feature, number> = { resources: 10_000, prompts: 10_000, tools: 30_000 };
const USUAL_MOST_BYTES = 1024 * 1024;

export function readServing({ agents, upstreams, http }: WrittenServing, placeOf: PlaceOf, report: Report): Serving {
  return {
    ...(agents === undefined
      ? {}
      : { agents: [...agents].map(([name, agent]) => readAgent(name, agent ?? {}, placeOf, report)) }),
    ...(upstreams === undefined
      ? {}
      : { upstreams: [...upstreams].flatMap(([name, one]) => readUpstream(name, one ?? {}, placeOf, report)) }),
    ...(http === undefined ? {} : { http: { hosts: http.hosts ?? [], origins: http.origins ?? [] } }),
  };
}

function readAgent(name: string, agent: WrittenAgent, placeOf: PlaceOf, report: Report): AgentSettings {
  const path = ['agents', name];
  checkName('agent', name, placeOf([...path, '#key']), report);
  if (name === LOCAL) {
    const fix = 'It stands for the user of this machine, who has no rules: choose another.';
    report(problem('name-wrong', placeOf([...path, '#key']), 'The name of the agent "local" cannot be used.', fix));
  }
  const token = agent.token === undefined ? undefined : VARIABLE.exec(agent.token)?.[1];
  if (agent.token !== undefined && token === undefined) {
    const what = `The token of the agent ${show(name)} is not the name of an environment variable.`;
    const fix = `Write token: \${NAME} and keep the token in that variable; a token never stands in a file.`;
    report(problem('value-wrong', placeOf([...path, 'token']), what, fix));
  }
  return {
    name,
    resources: globsOf(agent.resources ?? [], [...path, 'resources'], placeOf, report, canonicalPattern),
    ...(agent.tools === undefined ? {} : { tools: globsOf(agent.tools, [...path, 'tools'], placeOf, report) }),
    ...(agent.prompts === undefined ? {} : { prompts: globsOf(agent.prompts, [...path, 'prompts'], placeOf, report) }),
    ...(token === undefined ? {} : { tokenName: token }),
  };
}

/** One that is not enabled is as good as none, but is checked like any other. */
function readUpstream(group: string, written: WrittenUpstream, placeOf: PlaceOf, report: Report): UpstreamSettings[] {
  const path = ['upstreams', group];
  const place = placeOf([...path, '#key']);
  checkName('group', group, place, report);
  const { command, url } = written;
  if ((command === undefined) === (url === undefined)) {
    const what = `The upstream ${show(group)} has ${command === undefined ? 'neither command nor url' : 'both command and url'}.`;
    report(problem('value-wrong', place, what, 'Give command for a program to start, or url for a server that runs.'));
    return [];
  }
  const foreign = command === undefined ? (['args', 'env'] as const) : (['headers'] as const);
  for (const key of foreign) {
    if (written[key] === undefined) continue;
    const what = `${show(key)} means nothing for the upstream ${show(group)}, which has ${command === undefined ? 'a url' : 'a command'}.`;
    report(problem('value-wrong', placeOf([...path, key]), what, 'Remove it.'));
  }
  if (url !== undefined) checkUrl(url, placeOf([...path, 'url']), report);
  const shared = {
    group,
    ...(written.description === undefined ? {} : { description: written.description }),
    features: { resources: true, prompts: false, tools: false, ...written.features },
    resources: globsOf(written.resources ?? '*', [...path, 'resources'], placeOf, report),
    timeoutMs: timeoutsOf(written.timeout, placeOf([...path, 'timeout']), report),
    ...(written.cacheTtl === undefined ? {} : { cacheTtlMs: written.cacheTtl }),
    maxBytes: written.maxSize ?? USUAL_MOST_BYTES,
  };
  if (written.enabled === false) return [];
  if (command !== undefined) return [{ ...shared, command, args: written.args ?? [], env: [...(written.env ?? [])] }];
  return [{ ...shared, url: url as string, headers: [...(written.headers ?? [])] }];
}

function timeoutsOf(written: WrittenUpstream['timeout'], place: Place, report: Report): Record<Feature, number> {
  const said = typeof written === 'number' ? { resources: written, prompts: written, tools: written } : (written ?? {});
  if (Object.values(said).includes(0)) {
    report(problem('value-wrong', place, 'A timeout is 0.', 'Write a duration such as 10s.'));
  }
  return { ...USUAL_TIMEOUT_MS, ...said };
}

function checkUrl(url: string, place: Place, report: Report): void {
  if (/^https?:\/\/[^\s/?#]/.test(url) || url.startsWith('${')) return;
  report(problem('value-wrong', place, `${show(url)} is not the address of a server.`, 'Write http://… or https://….'));
}

/** Where live data is kept: a password in it would be part of every bundle, so what is wrong is not repeated. */
export function checkStore(store: string, place: Place, report: Report): void {
  const fix = `Write journal, or store: \${NAME} and keep the address in that variable.`;
  if (store === 'journal' || VARIABLE.test(store)) return;
  if (!/^postgres(?:ql)?:\/\//.test(store)) {
    const what = 'sessions: { store } is neither journal, nor postgres://…, nor the name of an environment variable.';
    return report(problem('value-wrong', place, what, fix));
  }
  const password = /^[a-z]+:\/\/[^/?#]*?:([^/?#]*)@/.exec(store)?.[1] ?? /[?&]password=([^&]*)/.exec(store)?.[1];
  if (password === undefined || password === '' || VARIABLE.test(password)) return;
  const what = 'The address in sessions: { store } has a password, which every bundle would carry.';
  report(problem('value-wrong', place, what, fix));
}

/** Names stand in URIs, in names of tools, and in logs. */
function checkName(what: string, name: string, place: Place, report: Report): void {
  if (NAME.test(name)) return;
  const fix =
    'Choose up to 30 letters, digits, dots, dashes and single underscores between them, beginning with a letter or digit.';
  report(problem('name-wrong', place, `The name of the ${what} ${show(name)} cannot be used.`, fix));
}

function listOf(written: string | readonly string[]): readonly string[] {
  return typeof written === 'string' ? [written] : written;
}

/** `*` alone is everything. */
function globsOf(
  written: string | readonly string[],
  path: readonly (string | number)[],
  placeOf: PlaceOf,
  report: Report,
  spell = (pattern: string): string => pattern,
): readonly string[] {
  return listOf(written).map((glob, n) => {
    const isTakenAway = glob.startsWith('!');
    const pattern = spell(isTakenAway ? glob.slice(1) : glob);
    try {
      compileGlob(pattern);
    } catch (error) {
      if (!(error instanceof GlobError)) throw error;
      const place = placeOf(typeof written === 'string' ? path : [...path, n]);
      report(
        problem(
          'value-wrong',
          place,
          `The pattern ${show(glob)} cannot be used: ${error.message}`,
          'Write a glob such as guide://**.',
        ),
      );
    }
    return (isTakenAway ? '!' : '') + (pattern === '*' ? '**' : pattern);
  });
}
