// The space upstream://: what other servers have. By group, as the client of that server would see it; and by URIs of
// ours, which lead to their owner. Loaded at the first request that has to do with another server.

import { accessDenied } from '../advice.ts';
import { type Answer, escaped, textContents } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { UpstreamAddress } from '../upstream-uri.ts';
import { upstreamUri } from '../upstream-uri.ts';
import { isObject, originOf } from '../upstreams/entries.ts';
import { type Doing, failureOf, notServed, resultOf, unknownGroup, unsupported } from '../upstreams/failing.ts';
import type { Group } from '../upstreams/group.ts';
import { findGroup, isServed, mayKnow, mayRead } from '../upstreams/groups-of.ts';
import { healthPage } from '../upstreams/health.ts';
import { type MergedList, mergedPage } from '../upstreams/lists.ts';
import { callUpstreamTool, completeUpstream, getUpstreamPrompt } from '../upstreams/offers.ts';
import { wrongAnswer } from '../upstreams/outage.ts';
import { type Era, eraOf } from '../wire/eras.ts';

type Params = Record<string, unknown>;

/** A page of what all groups have. */
export async function pageOfAll(context: Context, list: MergedList, cursor: string): Promise<Answer> {
  return await mergedPage(context, list, cursor);
}

/** A prompt or a tool of another server, or completion of what one takes. */
export async function askOffer(
  context: Context,
  params: Params,
  what: 'prompt' | 'tool' | 'complete',
): Promise<Answer> {
  if (what === 'prompt') return await getUpstreamPrompt(context, params);
  return await (what === 'tool' ? callUpstreamTool : completeUpstream)(context, params);
}

/** Its server is told, when it can be; what is given takes that back. Nothing for a group that there is not. */
export function subscribeUpstream(context: Context, name: string, original: string): (() => void) | undefined {
  const group = findGroup(context, name);
  if (group === undefined || !group.settings.features.resources || !isServed(group.settings, original))
    return undefined;
  group.wanted.add(original);
  return () => findGroup(context, name)?.wanted.remove(original);
}

/** `resources/list` with a group: its list, as it gave it. */
export async function listOfGroup(context: Context, params: Params): Promise<Answer> {
  const { group: name, cursor } = params;
  if (typeof name !== 'string') throw missing('group');
  const group = findGroup(context, name);
  if (group === undefined) throw unknownGroup(name, 'list resources');
  const isKnown = mayKnow(context, name);
  const asked = ask(group, 'list resources', 'resources/list', cursor === undefined ? {} : { cursor });
  const result = await asked.catch((error) => {
    throw isKnown ? error : unknownGroup(name, 'list resources');
  });
  const { resources } = result;
  const isWhole = context.access.everything && group.settings.resources.every((glob) => glob === '**');
  const shown =
    isWhole || !Array.isArray(resources) ? resources : resources.filter((entry) => isShown(context, group, entry));
  if (!isKnown && Object(shown).length === 0) throw unknownGroup(name, 'list resources');
  return passedOn({ ...result, resources: shown }, eraOf(params));
}

/** `resources/read` with a group and a URI of its own. */
export async function readOfGroup(context: Context, params: Params): Promise<Answer> {
  const { group: name, uri } = params;
  if (typeof name !== 'string' || typeof uri !== 'string') throw missing('group, uri');
  const group = findGroup(context, name);
  if (!context.access.everything && !mayRead(context, name, uri)) throw accessDenied(uri);
  if (group === undefined) throw unknownGroup(name, 'read resource', uri);
  const result = await read(group, uri, uri);
  return passedOn(
    { ...result, contents: readable(context, { name, original: uri, asked: uri }, result) },
    eraOf(params),
  );
}

/** A URI of ours: the same, under the URI that was asked for. */
export async function readUpstream(context: Context, address: UpstreamAddress, asked: string): Promise<Answer> {
  const { group: name, original } = address;
  const mayAsk = original === undefined ? mayKnow(context, name) : mayRead(context, name, original);
  if (!mayAsk) throw accessDenied(asked);
  const group = findGroup(context, name);
  if (group === undefined) {
    throw new Failure('not_found', 'Resource not found', {
      uri: asked,
      word: 'unknown_group',
      reason: 'project.yaml has no upstream of this name, or it is not enabled.',
      ...advise('upstreamGroup'),
    });
  }
  if (original === undefined) {
    return { ...textContents(asked, 'text/markdown', [escaped(await healthPage(group))]), isLive: true };
  }
  const result = await read(group, original, asked);
  const own = readable(context, { name, original, asked }, result).map((item) => ({
    ...item,
    uri: item.uri === original || isSame(String(item.uri), original) ? asked : upstreamUri(name, String(item.uri)),
    _meta: originOf(name, { uri: item.uri }, item._meta),
  }));
  return { value: { contents: own }, isLive: true };
}

/** What a folder holds may be read in parts; throws Failure when there is nothing of it that may be. */
function readable(
  context: Context,
  { name, original, asked }: { name: string; original: string; asked: string },
  { contents }: Params,
): Params[] {
  const all = contents as { uri: string }[];
  const seen = all.filter(({ uri }) => isSame(uri, original) || mayRead(context, name, uri));
  if (seen.length === 0 && all.length > 0) throw accessDenied(asked);
  return seen;
}

async function read(group: Group, original: string, asked: string): Promise<Params> {
  const about = { group: group.name, doing: 'read resource', uri: asked } as const;
  if (!isServed(group.settings, original)) throw leftOut(asked);
  const result = await ask(group, 'read resource', 'resources/read', { uri: original }, asked);
  const { contents } = result;
  if (!Array.isArray(contents) || !contents.every(isContent)) {
    throw failureOf(wrongAnswer('Its answer is not what the protocol says.'), about);
  }
  const other = contents.find(
    ({ uri }) => !isSame(uri, original) && !(isBelow(uri, original) && isServed(group.settings, uri)),
  );
  if (other !== undefined) throw failureOf(wrongAnswer('It answered for another URI than was asked for.'), about);
  return result;
}

async function ask(group: Group, doing: Doing, method: string, params: Params, uri?: string): Promise<Params> {
  const about = { group: group.name, doing, ...(uri === undefined ? {} : { uri }) };
  if (!group.settings.features.resources) throw notServed(about, 'features: of this group leaves resources out.');
  try {
    const { capabilities } = await group.connect('resources');
    if (capabilities.resources === undefined) throw unsupported(group.name, 'resources');
    return resultOf(await group.ask('resources', method, params), about);
  } catch (error) {
    throw failureOf(error, about);
  }
}

/** As it came, without what one era stamps and the other must not see; the stamps of a modern answer are ours. */
function passedOn(result: Params, era: Era): Answer {
  const { resultType: _, ttlMs: __, cacheScope: ___, _meta, ...value } = result;
  if (!isObject(_meta)) return { value, isLive: true };
  if (era === 'legacy') return { value: { ...value, _meta }, isLive: true };
  const meta = Object.fromEntries(Object.entries(_meta).filter(([key]) => !key.startsWith('io.modelcontextprotocol/')));
  return { value, meta, isLive: true };
}

function isShown(context: Context, { name, settings }: Group, entry: unknown): boolean {
  if (!isObject(entry) || typeof entry.uri !== 'string') return false;
  return isServed(settings, entry.uri) && (context.access.everything || mayRead(context, name, entry.uri));
}

/** An item as clients take it: they refuse the whole answer for a wrong one. */
function isContent(item: unknown): item is { uri: string } {
  if (!isObject(item) || typeof item.uri !== 'string') return false;
  const { text, blob, mimeType } = item;
  if (mimeType !== undefined && typeof mimeType !== 'string') return false;
  return text === undefined ? typeof blob === 'string' : typeof text === 'string' && blob === undefined;
}

/** Many servers give a URI back as a URL parser writes it. */
function isSame(given: string, asked: string): boolean {
  if (given === asked) return true;
  return URL.canParse(given) && URL.canParse(asked) && new URL(given).href === new URL(asked).href;
}

/** What a folder holds. */
function isBelow(given: string, folder: string): boolean {
  return given.startsWith(folder.endsWith('/') ? folder : `${folder}/`) && !given.split(/[/?#]/).includes('..');
}

function missing(names: string): Failure {
  const many = names.includes(',') ? 's' : '';
  return new Failure('invalid_params', `Missing required parameter${many}: ${names}`, {
    reason: `params must hold ${names.replace(', ', ' and ')}, each a string.`,
    ...advise('missingUri'),
  });
}

function leftOut(uri: string): Failure {
  const reason = 'resources: of this group leaves it out.';
  return new Failure('access_denied', 'Access denied', { uri, reason, ...advise('upstreamFeature') });
}
