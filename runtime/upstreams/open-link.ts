// Opens a connection to a group: the program started or the address reached, the era found out. Loaded at the first
// request that needs it, with the SDK's client. A server is asked in the modern way first, on the connection that it
// will keep, and shaken hands with when it does not know that.

import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { UpstreamSettings } from '../settings.ts';
import { SERVER_INFO } from '../version.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { Link, type LinkEra, type LinkEvents } from './link.ts';
import { isOutage, lost, noAnswer, Outage } from './outage.ts';
import { outageOf } from './outage-of.ts';
import { Program } from './program.ts';
import { Through } from './through.ts';
import { fillIn } from './variables.ts';

/** Some servers say nothing to what they do not know. */
const PROBE_MS = 2000;

/** `era` is what this server turned out to speak before; who ends does not wait for a server. */
export type Where = { root: string; env: NodeJS.ProcessEnv; era: LinkEra | undefined; ending: AbortSignal };

/** Throws Outage. */
export async function openLink(
  settings: UpstreamSettings,
  where: Where,
  withinMs: number,
  events: LinkEvents,
): Promise<Link> {
  const until = performance.now() + withinMs;
  const attempt = async (mode: Mode): Promise<Link> =>
    await connect(settings, where, mode, Math.max(1, until - performance.now()), events);
  if (where.era === 'legacy') return await attempt('legacy');
  try {
    return await attempt('auto');
  } catch (error) {
    if (isOutage(error) && error.detail.word === 'not_negotiated') return await attempt('legacy');
    throw error;
  }
}

type Mode = 'auto' | 'legacy';

async function connect(
  settings: UpstreamSettings,
  { root, env, ending }: Where,
  mode: Mode,
  withinMs: number,
  events: LinkEvents,
): Promise<Link> {
  const inner = 'command' in settings ? programOf(settings, root, env) : httpOf(settings, env);
  const program = inner instanceof Program ? inner : undefined;
  const through = new Through(inner);
  const probe = { timeoutMs: Math.min(PROBE_MS, withinMs) };
  const client = new Client(SERVER_INFO, {
    versionNegotiation: mode === 'auto' ? { mode, probe } : { mode },
    inputRequired: { autoFulfill: false },
  });
  client.onerror = () => {};
  try {
    await inTime(client.connect(through, { timeout: withinMs }), withinMs, ending);
    return new Link(client, through, { program, events, maxBytes: settings.maxBytes });
  } catch (error) {
    await client.close().catch(() => {});
    await program?.close();
    const said = lastLine(program?.lastWords ?? '');
    if (said !== '') events.log(`upstream ${settings.group} said: ${said}`);
    if (mode === 'auto' && isUnclear(error)) {
      throw new Outage({
        brief: 'is not connected',
        reason: 'It does not say what it speaks.',
        word: 'not_negotiated',
      });
    }
    throw outageOf(error, withinMs, through, program);
  }
}

/** Nothing came back to the first question, or nothing that means anything: an old server may be so. */
function isUnclear(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return code === 'ERA_NEGOTIATION_FAILED' || code === 'REQUEST_TIMEOUT';
}

function programOf(
  settings: Extract<UpstreamSettings, { command: string }>,
  root: string,
  env: NodeJS.ProcessEnv,
): Program {
  const own = settings.env.map(([name, value]) => [name, fillIn(value, env)] as const);
  return new Program({
    command: settings.command,
    args: settings.args.map((arg) => fillIn(arg, env)),
    env: { ...getDefaultEnvironment(), ...Object.fromEntries(own) },
    cwd: root,
    maxBytes: settings.maxBytes,
  });
}

function httpOf(settings: Extract<UpstreamSettings, { url: string }>, env: NodeJS.ProcessEnv): Transport {
  const url = fillIn(settings.url, env);
  if (!/^https?:\/\/[^\s/?#]/.test(url) || !URL.canParse(url)) throw lost('Its url is not the address of a server.');
  const headers = Object.fromEntries(settings.headers.map(([name, value]) => [name, fillIn(value, env)]));
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch: boundedFetch(settings.maxBytes),
    requestInit: { headers },
    redirectPolicy: 'same-origin',
  }) as Transport;
}

/** The last line that says something, short and without what steers a terminal. */
function lastLine(words: string): string {
  const lines = words.split('\n').map((line) => line.replace(/\p{Cc}/gu, ' ').trim());
  return (lines.filter((line) => line !== '').at(-1) ?? '').slice(0, 300);
}

async function inTime<T>(work: Promise<T>, ms: number, ending: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let ended = (): void => {};
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(ms)), ms);
    ended = () => reject(lost('This server ends.'));
    ending.addEventListener('abort', ended);
    if (ending.aborted) ended();
  });
  return await Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
    ending.removeEventListener('abort', ended);
  });
}
