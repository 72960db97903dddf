// From a request to the space that answers it. Reads, lists and templates; nothing here knows of
// protocol eras or transports.

import { textsOf } from './access.ts';
import { addressOf } from './addressed.ts';
import { accessDenied, advise } from './advice.ts';
import type { Answer, Part } from './answer.ts';
import type { Bundle } from './bundle.ts';
import type { Context } from './context.ts';
import { bundleFailure } from './current.ts';
import { withDiscoveries } from './discovered.ts';
import { Failure } from './failure.ts';
import { BundleError } from './format.ts';
import { Listed } from './listed.ts';
import { type Feature, readSettings } from './settings.ts';
import { CONTEXT_TEMPLATES, readContext } from './spaces/context.ts';
import { readFile } from './spaces/file.ts';
import { GUIDE_TEMPLATES } from './spaces/guide-templates.ts';
import { UPSTREAM_CURSOR } from './upstreams/cursor.ts';
import type { MergedList } from './upstreams/lists.ts';
import type { Address, ForAddress, GuideAddress, LiveAddress } from './uri.ts';

const TEMPLATES = [...CONTEXT_TEMPLATES, ...GUIDE_TEMPLATES];
const LEAST_PAGE_SIZE = 200;
/** The SDK's client gives up a list after 64 pages. */
const MOST_PAGES = 64;
/** Of the bundle's own entries, where other servers' come after them. */
const MOST_OWN_PAGES = 32;

export function readResource(context: Context, uri: string): Answer | Promise<Answer> {
  const address = addressOf(context, uri);
  const { may } = context.access;
  if (!isSpelt(address) && !may(address.uri)) throw fromBundle(context, uri, () => accessDenied(uri));
  if (address.space === 'live') return readLivePage(context, address, uri);
  if (address.space === 'context') {
    if (address.kind === 'for') return readPageForFile(context, address, uri);
    return withDiscoveries(context, (layer) =>
      fromBundle(context, uri, (bundle) =>
        readContext(address, uri, bundle, may, layer?.(bundle) ?? textsOf(context.access, bundle)),
      ),
    );
  }
  if (address.space === 'guide') return readFromGuide(context, address, uri);
  if (address.space === 'upstream') {
    return import('./spaces/upstream.ts').then(({ readUpstream }) => readUpstream(context, address, uri));
  }
  return fromBundle(context, uri, (bundle) => readFile(address, uri, bundle, may, context.roots));
}

/** Paths of this machine, and other servers' URIs, are written in many ways: their spaces ask, knowing what is meant. */
function isSpelt(address: Address): boolean {
  return (
    address.space === 'file' || address.space === 'upstream' || (address.space === 'context' && address.kind === 'for')
  );
}

let guide: typeof import('./spaces/guide.ts') | undefined;

/** What answers it is loaded at the first request; from then on answers are made at once. */
function readFromGuide(context: Context, address: GuideAddress, uri: string): Answer | Promise<Answer> {
  if (guide === undefined) {
    return import('./spaces/guide.ts').then((loaded) => {
      guide = loaded;
      return readFromGuide(context, address, uri);
    });
  }
  const { readGuide } = guide;
  return fromBundle(context, uri, (bundle) =>
    readGuide(address, uri, bundle, context.access.may, textsOf(context.access, bundle)),
  );
}

async function readPageForFile(context: Context, address: ForAddress, uri: string): Promise<Answer> {
  const { readFor } = await import('./spaces/for.ts');
  const { access, roots } = context;
  return await withDiscoveries(context, (layer) =>
    fromBundle(context, uri, (bundle) =>
      readFor(address, uri, bundle, access.may, roots, layer?.(bundle) ?? textsOf(access, bundle)),
    ),
  );
}

async function readLivePage(context: Context, address: LiveAddress, uri: string): Promise<Answer> {
  return (await import('./spaces/live.ts')).readLive(address, uri, context);
}

export function listResources(context: Context, cursor: string | undefined): Answer | Promise<Answer> {
  if (cursor?.startsWith(UPSTREAM_CURSOR)) return listUpstreams(context, 'resources', cursor);
  return listOwnResources(context, cursor, UPSTREAM_CURSOR);
}

/** The bundle's own, at once; `after` is the cursor of what comes after them, where there are other servers. */
export function listOwnResources(context: Context, cursor: string | undefined, after?: string): Answer {
  return fromBundle(context, undefined, (bundle) => {
    const listed = new Listed(bundle, context.access);
    const isLast = after === undefined || !hasUpstreams(context, bundle);
    const first = cursor === undefined ? 0 : listed.placeAfter(cursor);
    const size = Math.max(LEAST_PAGE_SIZE, Math.ceil(listed.length / (isLast ? MOST_PAGES : MOST_OWN_PAGES)));
    const end = Math.min(listed.length, first + size);
    const parts: Part[] = ['"resources":[', ...listed.slices(first, end), ']'];
    if (first === 0) parts.push(`,"resourceTemplates":${JSON.stringify(TEMPLATES)}`);
    if (end < listed.length) parts.push(`,"nextCursor":"${listed.cursorAt(end - 1)}"`);
    else if (!isLast) parts.push(`,"nextCursor":"${after}"`);
    return { parts };
  });
}

/** Ours are one page; those of other servers come after it. */
export function listTemplates(context: Context, cursor: string | undefined): Answer | Promise<Answer> {
  if (cursor !== undefined) return listUpstreams(context, 'resourceTemplates', cursor);
  return { value: { resourceTemplates: TEMPLATES, ...moreOfUpstreams(context) } };
}

/** Where a list of ours goes on with those of other servers. */
export function moreOfUpstreams(context: Context, feature: Feature = 'resources'): { nextCursor?: string } {
  const bundle = context.bundle.find();
  return bundle !== undefined && hasUpstreams(context, bundle, feature) ? { nextCursor: UPSTREAM_CURSOR } : {};
}

/** Lists of other servers, from a cursor on that led there; throws Failure for any other cursor. */
export async function listUpstreams(context: Context, list: MergedList, cursor: string): Promise<Answer> {
  if (!cursor.startsWith(UPSTREAM_CURSOR)) {
    const reason = 'The cursor did not come from this server.';
    throw new Failure('invalid_params', 'Invalid cursor', { reason, ...advise('cursor') });
  }
  return (await import('./spaces/upstream.ts')).pageOfAll(context, list, cursor);
}

function hasUpstreams({ upstreams }: Context, bundle: Bundle, feature: Feature = 'resources'): boolean {
  return upstreams !== undefined && readSettings(bundle).upstreams.some(({ features }) => features[feature]);
}

/** Runs one synchronous step over the bundle being served; damage becomes a failure. */
export function fromBundle<T>(context: Context, uri: string | undefined, step: (bundle: Bundle) => T): T {
  try {
    return step(context.bundle.get());
  } catch (error) {
    const failure = error instanceof BundleError ? bundleFailure(error) : error;
    if (!(failure instanceof Failure)) throw error;
    throw new Failure(failure.kind, failure.message, { ...(uri === undefined ? {} : { uri }), ...failure.detail });
  }
}
