// `fieldguide session discoveries`: what waits for an answer, what was accepted, and what was promoted.

import { isExpired } from '../../runtime/approval.ts';
import { APPROVAL_MS, type ApprovalRequest } from '../../runtime/sessions/approvals.ts';
import type { Discovery, SessionStore } from '../../runtime/sessions/store.ts';
import { timeInWords } from '../../runtime/sessions/words.ts';
import type { Args } from '../args.ts';
import { discoveryData, discoveryLines, requestLines, secondsIn } from '../discovery-shown.ts';
import { withSessions } from '../session-store.ts';
import { painter } from '../terminal.ts';

/** Sessions that are asked for their client; of any others only the id is shown. */
const MOST_ASKED = 500;

type Clients = ReadonlyMap<string, string | undefined>;

export async function discoveries(args: Args): Promise<number> {
  const type = args.values.get('type');
  const module = args.values.get('module');
  const isMeant = (one: { type?: unknown; module?: unknown }): boolean =>
    (type === undefined || one.type === type) && (module === undefined || one.module === module);
  return await withSessions(args, async ({ approvals, store }) => {
    const now = Date.now();
    const requests = (await approvals.list())
      .filter((one) => one.answer === undefined && !isExpired(one, now))
      .map(({ request }) => request)
      .filter(({ given }) => isMeant(given ?? {}));
    const known = (await store.discoveries()).filter(isMeant).toReversed();
    const accepted = known.filter(({ promotedAt }) => promotedAt === undefined);
    const promoted = known.filter(({ promotedAt }) => promotedAt !== undefined);
    const clients = await clientsOf(known, store);
    if (args.flags.has('json')) {
      const data = {
        waiting: requests.map((request) => requestData(request, now)),
        accepted: accepted.map((one) => withClient(one, clients)),
        promoted: promoted.map((one) => withClient(one, clients)),
      };
      process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
      return 0;
    }
    const paint = painter(process.stdout);
    const lines = (one: Discovery): string[] => discoveryLines(one, paint, clients.get(one.sessionId));
    const sections: [string, string[][]][] = [
      ['Waiting', requests.map((request) => requestLines(request, leftMs(request, now), paint))],
      ['Accepted', accepted.map(lines)],
      ['Promoted', promoted.map(lines)],
    ];
    for (const [title, entries] of sections) {
      process.stdout.write(`${paint('bold', `${title} (${entries.length})`)}\n`);
      for (const line of entries.flat()) process.stdout.write(`  ${line}\n`);
    }
    if (requests.length > 0) {
      process.stderr.write('Answer with `fieldguide session approve <id>` or `fieldguide session deny <id>`.\n');
    }
    if (accepted.length > 0) process.stderr.write('`fieldguide session promote` takes them over into project.yaml.\n');
    return 0;
  });
}

function leftMs({ t }: ApprovalRequest, now: number): number {
  return t + APPROVAL_MS - now;
}

function requestData(request: ApprovalRequest, now: number): Record<string, unknown> {
  const { id, tool, agent, t, given } = request;
  return { id, tool, agent, requestedAt: timeInWords(t), secondsLeft: secondsIn(leftMs(request, now)), given };
}

function withClient(discovery: Discovery, clients: Clients): Record<string, unknown> {
  const client = clients.get(discovery.sessionId);
  return { ...discoveryData(discovery), ...(client === undefined ? {} : { client }) };
}

async function clientsOf(all: readonly Discovery[], store: SessionStore): Promise<Clients> {
  const ids = [...new Set(all.map(({ sessionId }) => sessionId))].slice(0, MOST_ASKED);
  return new Map(await Promise.all(ids.map(async (id) => [id, (await store.find(id))?.client] as const)));
}
