// Prompts and tools of other servers, as `{group}__{name}`, and completion of what they take. Only where `features`
// asks for them. What a tool answers goes out as it came, with its origin.

import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { Feature } from '../settings.ts';
import { UPSTREAM_PREFIX } from '../upstream-uri.ts';
import { isObject, originOf } from './entries.ts';
import { type Doing, failureOf, notServed, resultOf, unknownGroup, unsupported } from './failing.ts';
import type { Group } from './group.ts';
import { findGroup, isServed, mayKnow, mayRead, mayUse } from './groups-of.ts';

type Params = Record<string, unknown>;

/** `wiki__search` is `search` of the group wiki. */
export function splitName(name: string): { group: string; own: string } | undefined {
  const at = name.indexOf('__');
  return at > 0 && at < name.length - 2 ? { group: name.slice(0, at), own: name.slice(at + 2) } : undefined;
}

export async function getUpstreamPrompt(context: Context, params: Params): Promise<Answer> {
  const { group, own } = named(context, String(params.name), 'prompts', 'get prompt');
  const result = await ask(group, 'prompts', 'get prompt', 'prompts/get', { ...given(params), name: own });
  return { value: { ...withoutStamps(result), _meta: originOf(group.name, { name: own }, result._meta) } };
}

export async function callUpstreamTool(context: Context, params: Params): Promise<Answer> {
  const { group, own } = named(context, String(params.name), 'tools', 'call tool');
  const result = await ask(group, 'tools', 'call tool', 'tools/call', { ...given(params), name: own });
  return { value: { ...withoutStamps(result), _meta: originOf(group.name, { name: own }, result._meta) } };
}

/** Completion of an argument of a template or prompt that is another server's; its answer is at most as long as ours. */
export async function completeUpstream(context: Context, params: Params): Promise<Answer> {
  const { uri, name } = params.ref as { uri?: string; name?: string };
  const split = uri === undefined ? splitName(name ?? '') : splitTemplate(uri);
  const feature = uri === undefined ? 'prompts' : 'resources';
  const maySee =
    split !== undefined &&
    (uri === undefined ? mayUse(context, split.group, 'prompts', name ?? '') : mayKnow(context, split.group));
  const group = maySee ? findGroup(context, split.group) : undefined;
  if (split === undefined || group === undefined) throw unknownGroup(split?.group ?? '', 'complete');
  const ref = uri === undefined ? { type: 'ref/prompt', name: split.own } : { type: 'ref/resource', uri: split.own };
  const { argument, context: others } = params;
  const asked = { ref, argument, ...(isObject(others) ? { context: others } : {}) };
  const { completion } = await ask(group, feature, 'complete', 'completion/complete', asked, 'completions');
  const { values, total, hasMore } = isObject(completion) ? completion : {};
  const given = (Array.isArray(values) ? values : []).filter((value) => typeof value === 'string');
  const mayKnowValue = (value: string): boolean =>
    uri === undefined || leadsToWhatMayBeRead(context, group, filled(split.own, params, value));
  const texts = given.filter(mayKnowValue).slice(0, 100);
  return {
    value: {
      completion: {
        values: texts,
        // How many there are says something of those that were left out.
        ...(Number.isSafeInteger(total) && texts.length === given.length ? { total } : {}),
        hasMore: hasMore === true,
      },
    },
  };
}

/** The template with a value in its place, and with what the client has chosen before. */
function filled(template: string, { argument, context }: Params, value: string): string {
  const before = isObject(context) && isObject(context.arguments) ? context.arguments : {};
  const chosen = new Map<string, unknown>(Object.entries(before));
  chosen.set(String((argument as { name?: unknown } | undefined)?.name), value);
  return template.replace(/\{\+?([A-Za-z0-9_.]+)\}/g, (whole, name) => {
    const text = chosen.get(name);
    if (typeof text !== 'string') return whole;
    return whole.startsWith('{+') ? encodeURI(text) : encodeURIComponent(text);
  });
}

/** Where something is still open it cannot be told, so only who may read everything hears of it. */
function leadsToWhatMayBeRead(context: Context, { name, settings }: Group, uri: string): boolean {
  if (context.access.everything && isServed(settings, '**')) return true;
  return !uri.includes('{') && isServed(settings, uri) && mayRead(context, name, uri);
}

function splitTemplate(uri: string): { group: string; own: string } | undefined {
  const rest = uri.slice(UPSTREAM_PREFIX.length);
  const at = rest.indexOf('/');
  return at > 0 ? { group: rest.slice(0, at), own: rest.slice(at + 1) } : undefined;
}

function named(
  context: Context,
  name: string,
  feature: 'prompts' | 'tools',
  doing: Doing,
): { group: Group; own: string } {
  const split = splitName(name);
  const maySee = split !== undefined && mayUse(context, split.group, feature, name);
  const group = maySee ? findGroup(context, split.group) : undefined;
  if (maySee && group?.settings.features[feature] === true) return { group, own: split.own };
  const what = feature === 'prompts' ? 'prompt' : 'tool';
  throw new Failure('invalid_params', `Unknown ${what}: ${name.slice(0, 80)}`, {
    reason: `No upstream of project.yaml passes on a ${what} of this name.`,
    word: doing === 'get prompt' ? 'unknown_prompt' : 'unknown_tool',
    ...advise(what),
  });
}

function given({ arguments: values }: Params): Params {
  return isObject(values) ? { arguments: values } : {};
}

async function ask(
  group: Group,
  feature: Feature,
  doing: Doing,
  method: string,
  params: Params,
  needs: string = feature,
): Promise<Params> {
  const about = { group: group.name, doing };
  if (!group.settings.features[feature]) throw notServed(about, `features: of this group leaves ${feature} out.`);
  try {
    const { capabilities } = await group.connect(feature);
    if (capabilities[needs] === undefined) throw unsupported(group.name, needs);
    return resultOf(await group.ask(feature, method, params), about);
  } catch (error) {
    throw failureOf(error, about);
  }
}

function withoutStamps({ resultType: _, ttlMs: __, cacheScope: ___, _meta: ____, ...value }: Params): Params {
  return value;
}
