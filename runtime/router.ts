// From a request to the space that answers it. Reads, lists and templates; nothing here knows of
// protocol eras or transports.

import { textsOf } from './access.ts';
import { addressOf } from './addressed.ts';
import { accessDenied } from './advice.ts';
import type { Answer, Part } from './answer.ts';
import type { Bundle } from './bundle.ts';
import type { Context } from './context.ts';
import { bundleFailure } from './current.ts';
import { withDiscoveries } from './discovered.ts';
import { Failure } from './failure.ts';
import { BundleError } from './format.ts';
import { Listed } from './listed.ts';
import { CONTEXT_TEMPLATES, readContext } from './spaces/context.ts';
import { readFile } from './spaces/file.ts';
import { GUIDE_TEMPLATES } from './spaces/guide-templates.ts';
import type { Address, ForAddress, GuideAddress, LiveAddress } from './uri.ts';

const TEMPLATES = [...CONTEXT_TEMPLATES, ...GUIDE_TEMPLATES];
const LEAST_PAGE_SIZE = 200;
/** The SDK's client gives up a list after 64 pages. */
const MOST_PAGES = 64;

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
  return fromBundle(context, uri, (bundle) => readFile(address, uri, bundle, may, context.roots));
}

/** Paths of this machine are written in many ways: their spaces ask, once they know which file is meant. */
function isSpelt(address: Address): boolean {
  return address.space === 'file' || (address.space === 'context' && address.kind === 'for');
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

export function listResources(context: Context, cursor: string | undefined): Answer {
  return fromBundle(context, undefined, (bundle) => {
    const listed = new Listed(bundle, context.access);
    const first = cursor === undefined ? 0 : listed.placeAfter(cursor);
    const end = Math.min(listed.length, first + Math.max(LEAST_PAGE_SIZE, Math.ceil(listed.length / MOST_PAGES)));
    const parts: Part[] = ['"resources":[', ...listed.slices(first, end), ']'];
    if (first === 0) parts.push(`,"resourceTemplates":${JSON.stringify(TEMPLATES)}`);
    if (end < listed.length) parts.push(`,"nextCursor":"${listed.cursorAt(end - 1)}"`);
    return { parts };
  });
}

export function listTemplates(): Answer {
  return { value: { resourceTemplates: TEMPLATES } };
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
