// The protocol as one table: each method by name, the eras that have it, how long its answer may be
// kept, and its handler over the router. Transports mount this table; none adds a method of its own.

import { textsOf } from '../access.ts';
import { advise } from '../advice.ts';
import type { Answer, Part } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import type { Subscriptions } from '../notices/subscriptions.ts';
import { listResources, listTemplates, listUpstreams, moreOfUpstreams, readResource } from '../router.ts';
import { UPSTREAM_PREFIX } from '../upstream-uri.ts';
import { SERVER_INFO } from '../version.ts';
import { type Caching, type Era, LEGACY_VERSIONS, MODERN_VERSIONS, NOT_KEPT } from './eras.ts';
import type { Call } from './peer.ts';

export type Params = Record<string, unknown>;

/** Of a request that has none. */
export const NO_PARAMS: Params = Object.freeze({});

export type Method = {
  eras: readonly Era[];
  caching?: Caching;
  /** Without a call there is nobody at the other end: the terminal asks. */
  run(context: Context, params: Params, call: Call | undefined): Answer | Promise<Answer>;
};

const BOTH: readonly Era[] = ['legacy', 'modern'];
const BUNDLE_READ = { ttlMs: 60_000 };

const CAPABILITIES = JSON.stringify({
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  tools: { listChanged: true },
  completions: {},
});
const SERVER = JSON.stringify(SERVER_INFO);

export const METHODS = new Map<string, Method>([
  ['initialize', { eras: ['legacy'], run: initialize }],
  ['ping', { eras: ['legacy'], run: () => ({ parts: [] }) }],
  ['server/discover', { eras: ['modern'], caching: NOT_KEPT, run: discover }],
  [
    'resources/list',
    {
      eras: BOTH,
      caching: NOT_KEPT,
      run: (context, params) =>
        'group' in params ? ofGroup('list', context, params) : listResources(context, cursorOf(params)),
    },
  ],
  [
    'resources/templates/list',
    { eras: BOTH, caching: NOT_KEPT, run: (context, params) => listTemplates(context, cursorOf(params)) },
  ],
  [
    'resources/read',
    {
      eras: BOTH,
      caching: BUNDLE_READ,
      run: (context, params) =>
        'group' in params ? ofGroup('read', context, params) : readResource(context, uriOf(params)),
    },
  ],
  [
    'resources/subscribe',
    {
      eras: ['legacy'],
      run: async (context, params, call) => (await subscriptionsOf(context, call)).subscribe(uriOf(params)),
    },
  ],
  [
    'resources/unsubscribe',
    {
      eras: ['legacy'],
      run: async (context, params, call) => (await subscriptionsOf(context, call)).unsubscribe(uriOf(params)),
    },
  ],
  ['subscriptions/listen', { eras: ['modern'], run: listen }],
  ['tools/list', { eras: BOTH, caching: NOT_KEPT, run: listTools }],
  [
    'tools/call',
    {
      eras: BOTH,
      run: async (context, params, call) => (await import('../tools/call.ts')).callTool(context, params, call),
    },
  ],
  [
    'approval/respond',
    {
      eras: BOTH,
      run: async (context, params) => (await import('./respond.ts')).respondToRequest(context, params),
    },
  ],
  [
    'prompts/list',
    {
      eras: BOTH,
      caching: NOT_KEPT,
      run: async (context, params) => (await import('../prompts.ts')).listPrompts(context, cursorOf(params)),
    },
  ],
  [
    'prompts/get',
    { eras: BOTH, run: async (context, params) => (await import('../prompts.ts')).getPrompt(context, params) },
  ],
  ['completion/complete', { eras: BOTH, run: complete }],
]);

function initialize(context: Context, params: Params, call: Call | undefined): Answer {
  if (call !== undefined) call.peer.capabilities = objectOf(params.capabilities);
  const asked = params.protocolVersion;
  const version = typeof asked === 'string' && LEGACY_VERSIONS.includes(asked) ? asked : LEGACY_VERSIONS[0];
  return {
    parts: [
      `"protocolVersion":"${version}","capabilities":${CAPABILITIES},"serverInfo":${SERVER}`,
      ...instructions(context),
    ],
  };
}

function objectOf(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}

function discover(context: Context): Answer {
  return {
    parts: [
      `"supportedVersions":${JSON.stringify(MODERN_VERSIONS)},"capabilities":${CAPABILITIES}`,
      ...instructions(context),
    ],
  };
}

/** The handshake is answered without instructions rather than not at all when there is no bundle. */
function instructions(context: Context): Part[] {
  try {
    const bundle = context.bundle.find();
    const text = bundle === undefined ? undefined : textsOf(context.access, bundle).findText('instructions');
    return text === undefined ? [] : [',"instructions":"', text.stored, '"'];
  } catch {
    return [];
  }
}

async function listen(context: Context, params: Params, call: Call | undefined): Promise<Answer> {
  const subscriptions = await subscriptionsOf(context, call);
  return await subscriptions.listen(params, call as Call);
}

async function subscriptionsOf(context: Context, call: Call | undefined): Promise<Subscriptions> {
  if (call === undefined) throw new Error('nobody is there to be told of changes.');
  return (await import('../notices/subscriptions.ts')).Subscriptions.of(context, call.peer);
}

/** The seed's form: a group of other servers' is named, and its own URIs are used. */
async function ofGroup(what: 'list' | 'read', context: Context, params: Params): Promise<Answer> {
  cursorOf(params);
  const { listOfGroup, readOfGroup } = await import('../spaces/upstream.ts');
  return await (what === 'list' ? listOfGroup(context, params) : readOfGroup(context, params));
}

async function listTools(context: Context, params: Params): Promise<Answer> {
  const cursor = cursorOf(params);
  if (cursor !== undefined) return await listUpstreams(context, 'tools', cursor);
  const { listedTools } = await import('../tools/definitions.ts');
  return { value: { tools: listedTools(context.access), ...moreOfUpstreams(context, 'tools') } };
}

async function complete(context: Context, params: Params): Promise<Answer> {
  const { uri, name } = objectOf(params.ref);
  const isUpstreams =
    (typeof uri === 'string' && uri.startsWith(UPSTREAM_PREFIX)) ||
    (typeof name === 'string' && name.includes('__') && moreOfUpstreams(context, 'prompts').nextCursor !== undefined);
  if (!isUpstreams) return (await import('../complete.ts')).complete(context, params);
  return await (await import('../spaces/upstream.ts')).askOffer(context, params, 'complete');
}

function uriOf(params: Params): string {
  if (typeof params.uri === 'string') return params.uri;
  if (params === NO_PARAMS) {
    const reason = 'The request has no params; resources/read takes { uri }.';
    throw new Failure('invalid_params', 'Missing params object', { reason, ...advise('missingUri') });
  }
  throw new Failure('invalid_params', 'Missing required parameter: uri', {
    reason: 'params.uri must be a string.',
    ...advise('missingUri'),
  });
}

function cursorOf(params: Params): string | undefined {
  const { cursor } = params;
  if (cursor === undefined || typeof cursor === 'string') return cursor;
  throw new Failure('invalid_params', 'Invalid cursor', { reason: 'A cursor is a string.', ...advise('cursor') });
}
