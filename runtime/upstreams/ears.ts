// What one client hears of other servers: a moment's notices are told as one each, however often a server says them.
// Subscribing waits for nobody: the server is told when it can be.

import type { Context } from '../context.ts';
import { type UpstreamAddress, upstreamUri } from '../upstream-uri.ts';
import { parseUri } from '../uri.ts';
import type { UpstreamNotice } from './door.ts';

export type ListOfServers = 'resources' | 'prompts' | 'tools';

type Told = { updated(uri: string): void; listChanged(list: ListOfServers): void };

export type Ears = {
  /** URIs of other servers that are subscribed to. */
  readonly size: number;
  add(uri: string): Promise<void>;
  remove(uri: string): void;
  end(): void;
};

const TOGETHER_MS = 100;

/** Undefined where nobody connects to other servers. */
export function earsOf(context: Context, told: Told): Ears | undefined {
  const door = context.upstreams;
  if (door === undefined) return undefined;
  const asked = new Map<string, { address: UpstreamAddress; forget: (() => void) | undefined }>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const all = [...waiting];
    waiting.clear();
    for (const one of all) {
      if (one.includes(':')) told.updated(one);
      else told.listChanged(one as ListOfServers);
    }
  };
  const hear = (notice: UpstreamNotice): void => {
    if (notice.kind === 'listChanged') waiting.add(notice.list);
    else {
      const changed = upstreamUri(notice.group, notice.original);
      // Told as it was asked for: a scheme may stand in capitals.
      for (const [uri, { address }] of asked) if (address.uri === changed) waiting.add(uri);
      if (waiting.size === 0) return;
    }
    timer ??= setTimeout(flush, TOGETHER_MS).unref();
  };
  door.listeners.add(hear);
  return {
    get size() {
      return asked.size;
    },
    async add(uri) {
      const address = parseUri(uri) as UpstreamAddress;
      if (asked.has(uri)) return;
      const entry = { address, forget: undefined as (() => void) | undefined };
      asked.set(uri, entry);
      if (address.original === undefined) return;
      const { subscribeUpstream } = await import('../spaces/upstream.ts');
      if (asked.get(uri) === entry) entry.forget = subscribeUpstream(context, address.group, address.original);
    },
    remove(uri) {
      asked.get(uri)?.forget?.();
      asked.delete(uri);
    },
    end() {
      door.listeners.delete(hear);
      clearTimeout(timer);
      for (const { forget } of asked.values()) forget?.();
      asked.clear();
    },
  };
}
