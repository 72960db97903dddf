// Lists of all groups as one: page after page, each group's pages one after the other, filled up across them. A group
// that fails says so in its one entry and takes nobody else's time: all are asked at once when a list begins.

import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import type { Feature } from '../settings.ts';
import { UPSTREAM_CURSOR } from './cursor.ts';
import { isObject, ownOffer, ownResource, ownTemplate } from './entries.ts';
import type { Group } from './group.ts';
import { groupsOf, isServed, mayKnow, mayRead, mayUse } from './groups-of.ts';
import { healthEntry } from './health.ts';
import { isOutage, wrongAnswer } from './outage.ts';

export type MergedList = 'resources' | 'resourceTemplates' | 'prompts' | 'tools';

type Values = Record<string, unknown>;

const METHODS: Record<MergedList, [method: string, feature: Feature]> = {
  resources: ['resources/list', 'resources'],
  resourceTemplates: ['resources/templates/list', 'resources'],
  prompts: ['prompts/list', 'prompts'],
  tools: ['tools/list', 'tools'],
};

/** The SDK's client gives up after 64 pages, so a long list gets longer pages. */
const FIRST_PAGES = 500;
const DOUBLED_AFTER = 8;
const FULL_BYTES = 1024 * 1024;
/** After that a page leaves with what it has. */
const LONG_MS = 2000;
/** Whoever failed so short a while ago is not asked again. */
const STILL_FAILING_MS = 5000;
/** Some servers give cursors for ever. */
const MOST_PAGES_OF_GROUP = 500;

/** Where a list goes on: the page that it will be, the group, its own cursor, and how many pages it has given. */
type Place = { page: number; group: string; at: string | null; given: number };

type Page = { entries: Values[]; next: string | undefined };

export async function mergedPage(context: Context, list: MergedList, cursor: string): Promise<Answer> {
  const [, feature] = METHODS[list];
  const groups = groupsOf(context).filter(({ settings }) => settings.features[feature]);
  const place = decodePlace(cursor);
  const page = place?.page ?? 0;
  const room = { entries: FIRST_PAGES * 2 ** Math.floor(page / DOUBLED_AFTER), until: performance.now() + LONG_MS };
  const firsts = new Map(place === undefined ? groups.map((group) => [group, ask(context, group, list, null)]) : []);
  for (const first of firsts.values()) first.catch(() => {});
  const entries: Values[] = [];
  let bytes = 0;
  let { at, given } = place ?? { at: null, given: 0 };
  let n = place === undefined ? 0 : groups.findIndex(({ name }) => name === place.group);
  for (; n >= 0 && n < groups.length; n++, at = null, given = 0) {
    const group = groups[n] as Group;
    do {
      if (
        entries.length >= room.entries ||
        bytes >= FULL_BYTES ||
        (entries.length > 0 && performance.now() > room.until)
      ) {
        const next = encodePlace({ page: page + 1, group: group.name, at, given });
        return { value: { [list]: entries, nextCursor: next } };
      }
      const got = await pageOf(context, group, list, at, firsts.get(group));
      entries.push(...got.entries);
      bytes += got.entries.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
      at = got.next === undefined || got.next === at || ++given >= MOST_PAGES_OF_GROUP ? null : got.next;
    } while (at !== null);
  }
  return { value: { [list]: entries } };
}

/** One page of a group; when there is none, its entry says why. */
async function pageOf(
  context: Context,
  group: Group,
  list: MergedList,
  at: string | null,
  first: Promise<Page | undefined> | undefined,
): Promise<Page> {
  const hasHealth = list === 'resources' && mayKnow(context, group.name);
  try {
    const recent = at === null && first === undefined ? group.failedWithin(STILL_FAILING_MS) : undefined;
    if (recent !== undefined) throw recent;
    const page = await (at === null && first !== undefined ? first : ask(context, group, list, at));
    if (page === undefined) return { entries: [], next: undefined };
    return hasHealth && at === null ? { ...page, entries: [healthEntry(group, undefined), ...page.entries] } : page;
  } catch (error) {
    if (!isOutage(error)) throw error;
    return { entries: hasHealth ? [healthEntry(group, error.detail.reason)] : [], next: undefined };
  }
}

/** Undefined for a server that has nothing of the kind. */
async function ask(context: Context, group: Group, list: MergedList, at: string | null): Promise<Page | undefined> {
  const [method, feature] = METHODS[list];
  const { capabilities } = await group.connect(feature);
  if (capabilities[feature] === undefined) return undefined;
  const answer = await group.ask(feature, method, at === null ? {} : { cursor: at });
  if ('error' in answer) throw wrongAnswer('It answered with an error.');
  const { [list]: listed, nextCursor } = answer.result;
  const entries = (Array.isArray(listed) ? (listed as unknown[]) : []).flatMap<Values>(
    (entry) => visible(context, group, list, entry) ?? [],
  );
  return { entries, next: typeof nextCursor === 'string' ? nextCursor : undefined };
}

function visible(context: Context, group: Group, list: MergedList, entry: unknown): Values | undefined {
  const { name, settings } = group;
  if (list === 'prompts' || list === 'tools') {
    const own = ownOffer(name, entry, list);
    return own !== undefined && mayUse(context, name, list, String(own.name)) ? own : undefined;
  }
  if (list === 'resourceTemplates') return mayKnow(context, name) ? ownTemplate(name, entry) : undefined;
  const own = ownResource(name, entry);
  const uri = isObject(entry) ? String(entry.uri) : '';
  return own !== undefined && isServed(settings, uri) && mayRead(context, name, uri) ? own : undefined;
}

function encodePlace({ page, group, at, given }: Place): string {
  return UPSTREAM_CURSOR + Buffer.from(JSON.stringify([page, group, at, given]), 'utf8').toString('base64url');
}

/** Undefined where a list begins. */
function decodePlace(cursor: string): Place | undefined {
  const rest = cursor.slice(UPSTREAM_CURSOR.length);
  if (rest === '') return undefined;
  try {
    const [page, group, at, given]: unknown[] = JSON.parse(Buffer.from(rest, 'base64url').toString('utf8'));
    const isRight = Number.isSafeInteger(page) && (page as number) > 0 && (page as number) < 10_000;
    if (
      isRight &&
      typeof group === 'string' &&
      (at === null || typeof at === 'string') &&
      Number.isSafeInteger(given) &&
      (given as number) >= 0
    ) {
      return { page: Math.min(page as number, 64), group, at, given: given as number };
    }
  } catch {
    // Not one of ours.
  }
  throw new Failure('invalid_params', 'Invalid cursor', {
    reason: 'The cursor did not come from this server.',
    ...advise('cursor'),
  });
}
