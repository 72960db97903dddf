// Discoveries and requests for eyes and as data. All of it is text of others: each on one line, and nothing that
// steers a terminal.

import type { ApprovalRequest } from '../runtime/sessions/approvals.ts';
import { shown } from '../runtime/sessions/shown.ts';
import type { Discovery } from '../runtime/sessions/store.ts';
import { shortId, timeInWords } from '../runtime/sessions/words.ts';
import { type Paint, printable } from './terminal.ts';

const MOST_SHOWN = 2000;

/** A text of somebody on one line of bounded length. */
export function asLine(text: unknown): string {
  const given = typeof text === 'string' ? text : (JSON.stringify(text) ?? '');
  const line = printable(given.slice(0, MOST_SHOWN).replace(/\s+/g, ' ').trim());
  return given.length > MOST_SHOWN ? `${line}…` : line;
}

/** What and when, then the text; `client` is the coding agent of its session. */
export function discoveryLines(discovery: Discovery, paint: Paint, client?: string): string[] {
  const { type, content, solution, module, session, discovered } = shown(discovery);
  const facts = [
    type,
    module ?? 'no module',
    discovered,
    `session ${session}${client === undefined ? '' : ` (${client})`}`,
    ...(discovery.promotedAt === undefined ? [] : [`promoted ${timeInWords(discovery.promotedAt)}`]),
  ];
  return [
    `${paint('bold', asLine(shortId(discovery.id)))}  ${facts.map(asLine).join('  ')}`,
    `    ${asLine(content)}`,
    ...(solution === undefined ? [] : [`    ${paint('dim', 'solution:')} ${asLine(solution)}`]),
  ];
}

export function discoveryData({ at, promotedAt, ...discovery }: Discovery): Record<string, unknown> {
  return {
    ...discovery,
    discoveredAt: timeInWords(at),
    ...(promotedAt === undefined ? {} : { promotedAt: timeInWords(promotedAt) }),
  };
}

/** A request as the person who is asked sees it: whose, since when, for how long, and all that it says. */
export function requestLines({ id, tool, agent, t, given }: ApprovalRequest, leftMs: number, paint: Paint): string[] {
  const facts = [tool, `agent ${asLine(agent)}`, timeInWords(t), `${secondsIn(leftMs)} seconds left`];
  const rows = Object.entries(given ?? {});
  return [
    `${paint('bold', asLine(id))}  ${facts.map(asLine).join('  ')}`,
    ...rows.map(([name, value]) => `    ${paint('dim', `${asLine(name)}:`)} ${asLine(value)}`),
  ];
}

export function secondsIn(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
