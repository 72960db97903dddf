// What one client wants to hear of, in both eras: with a handshake, lists of which it may hear at any time and
// URIs that it subscribed to one by one; without, a request that stays open for as long as it listens, its
// notices marked with that request's id.

import { addressOf } from '../addressed.ts';
import { accessDenied } from '../advice.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import { findFileUri } from '../spaces/file.ts';
import { UPSTREAM_PREFIX } from '../upstream-uri.ts';
import { type Ears, earsOf } from '../upstreams/ears.ts';
import type { Call, Peer } from '../wire/peer.ts';
import { fingerprintOf, fingerprintOfList, type ListName } from './fingerprint.ts';
import { type Listener, Watch } from './watch.ts';

type Params = Record<string, unknown>;

/** Each is read again after every change. */
const MOST_URIS = 1000;
const MOST_LISTENS = 32;
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

export const LISTS: readonly ListName[] = ['resources', 'prompts', 'tools'];
const LIST_FLAGS: Record<ListName, string> = {
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
  tools: 'toolsListChanged',
};

export class Subscriptions {
  readonly #context: Context;
  readonly #peer: Peer;
  readonly #watch: Watch;
  #handshake: Wanted | undefined;
  #listens = 0;

  private constructor(context: Context, peer: Peer) {
    this.#context = context;
    this.#peer = peer;
    context.notices.watch ??= new Watch(context);
    this.#watch = context.notices.watch;
  }

  static of(context: Context, peer: Peer): Subscriptions {
    peer.subscriptions ??= new Subscriptions(context, peer);
    return peer.subscriptions;
  }

  /** A client with a handshake hears of changed lists without asking for it. */
  async hearOfLists(): Promise<void> {
    await this.#ofHandshake();
  }

  async subscribe(uri: string): Promise<Answer> {
    const wanted = await this.#ofHandshake();
    await wanted.addUri(checkedUri(this.#context, uri));
    return { parts: [] };
  }

  async unsubscribe(uri: string): Promise<Answer> {
    (await this.#ofHandshake()).removeUri(checkedUri(this.#context, uri));
    return { parts: [] };
  }

  /** Answered when the client takes the request back, or is gone. */
  async listen(params: Params, call: Call): Promise<Answer> {
    const { uris, lists } = readFilter(params.notifications, this.#context);
    if (this.#listens >= MOST_LISTENS) throw tooMany(`${MOST_LISTENS} requests to listen may be open at once.`);
    const meta = { [SUBSCRIPTION_ID]: call.id };
    const early: (() => void)[] = [];
    let isAcknowledged = false;
    const wanted = new Wanted(this.#context, this.#watch, (method, about) => {
      const tell = (): void => this.#peer.notify(method, { ...about, _meta: meta });
      if (isAcknowledged) tell();
      else early.push(tell);
    });
    this.#listens++;
    let stopped = (): void => {};
    const end = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    call.onCancel(stopped, true);
    try {
      wanted.start();
      for (const list of lists) await wanted.addList(list);
      for (const uri of uris) await wanted.addUri(uri);
      const honoured = {
        ...Object.fromEntries(lists.map((list) => [LIST_FLAGS[list], true])),
        ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
      };
      this.#peer.notify('notifications/subscriptions/acknowledged', { notifications: honoured, _meta: meta });
      isAcknowledged = true;
      for (const tell of early) tell();
      await end;
    } finally {
      this.#listens--;
      wanted.end();
    }
    return { parts: [], meta };
  }

  end(): void {
    this.#handshake?.end();
  }

  async #ofHandshake(): Promise<Wanted> {
    if (this.#handshake !== undefined) return this.#handshake;
    const wanted = new Wanted(this.#context, this.#watch, (method, about) => this.#peer.notify(method, about));
    this.#handshake = wanted;
    wanted.start();
    for (const list of LISTS) await wanted.addList(list);
    return wanted;
  }
}

/** URIs and lists that are wanted, and how their changes are told. */
class Wanted implements Listener {
  readonly #context: Context;
  readonly #watch: Watch;
  readonly #tell: (method: string, about?: Params) => void;
  readonly #uris = new Set<string>();
  readonly #lists = new Set<ListName>();
  #ears: Ears | undefined;

  constructor(context: Context, watch: Watch, tell: (method: string, about?: Params) => void) {
    this.#context = context;
    this.#watch = watch;
    this.#tell = tell;
  }

  start(): void {
    this.#watch.add(this);
    this.#ears = earsOf(this.#context, {
      updated: (uri) => this.updated(uri),
      listChanged: (list) => {
        if (this.#lists.has(list)) this.listChanged(list);
      },
    });
  }

  end(): void {
    this.#watch.remove(this);
    this.#ears?.end();
    for (const what of [...this.#uris, ...this.#lists]) this.#watch.leave(what);
    this.#uris.clear();
    this.#lists.clear();
  }

  async addUri(uri: string): Promise<void> {
    if (this.#uris.has(uri)) return;
    if (this.#uris.size + (this.#ears?.size ?? 0) >= MOST_URIS)
      throw tooMany(`${MOST_URIS} resources may be subscribed to at once.`);
    if (uri.toLowerCase().startsWith(UPSTREAM_PREFIX)) return await this.#ears?.add(uri);
    this.#uris.add(uri);
    await this.#watch.want(uri, () => fingerprintOf(this.#context, uri));
  }

  removeUri(uri: string): void {
    if (this.#uris.delete(uri)) this.#watch.leave(uri);
    else this.#ears?.remove(uri);
  }

  async addList(list: ListName): Promise<void> {
    this.#lists.add(list);
    await this.#watch.want(list, () => fingerprintOfList(this.#context, list));
  }

  uris(): Iterable<string> {
    return this.#uris;
  }

  lists(): Iterable<ListName> {
    return this.#lists;
  }

  updated(uri: string): void {
    if (this.#mayHear(uri)) this.#tell('notifications/resources/updated', { uri });
  }

  /** What it may no longer read is not told of; that it may not is an answer, not news. */
  #mayHear(uri: string): boolean {
    try {
      return checkedUri(this.#context, uri) === uri;
    } catch {
      return false;
    }
  }

  listChanged(list: ListName): void {
    this.#tell(`notifications/${list}/list_changed`);
  }
}

/** As it was asked for. What may not be read may not be subscribed to, whether it is there or not. */
function checkedUri(context: Context, uri: string): string {
  const address = addressOf(context, uri);
  const { may } = context.access;
  if (may(address.uri) && (address.space !== 'upstream' || may(address.spelt))) return uri;
  const bundle = context.bundle.find();
  const isFile = address.space === 'file' && bundle !== undefined;
  if (isFile && findFileUri(address, bundle, may, context.roots) !== undefined) return uri;
  throw accessDenied(uri);
}

function readFilter(filter: unknown, context: Context): { uris: string[]; lists: ListName[] } {
  const said = (typeof filter === 'object' && filter !== null ? filter : {}) as Params;
  const asked = said.resourceSubscriptions ?? [];
  if (filter === undefined || !Array.isArray(asked) || asked.some((uri) => typeof uri !== 'string')) {
    throw new Failure('invalid_params', 'Invalid parameter: notifications', {
      reason: 'params.notifications says what to listen to; resourceSubscriptions in it is a list of URIs.',
      ...advise('listen'),
    });
  }
  const uris = [...new Set(asked as string[])];
  if (uris.length > MOST_URIS) throw tooMany(`${MOST_URIS} resources may be subscribed to at once.`);
  return {
    uris: uris.map((uri) => checkedUri(context, uri)),
    lists: LISTS.filter((list) => said[LIST_FLAGS[list]] === true),
  };
}

function tooMany(reason: string): Failure {
  return new Failure('invalid_params', 'Too many subscriptions', { reason, ...advise('subscriptions') });
}
