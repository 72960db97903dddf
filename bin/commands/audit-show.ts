// `fieldguide audit show <file>`: who read what, how often, from which bundle; or, of one session, everything in its
// order.

import { resolve } from 'node:path';
import { grouped } from '../../runtime/tokens.ts';
import type { Args } from '../args.ts';
import { type Access, NONE, type Rest, readAccesses } from '../audit/accesses.ts';
import { fileLines } from '../audit/file-lines.ts';
import { type Key, type Row, Tally } from '../audit/tally.ts';
import { type Paint, painter, printable, size } from '../terminal.ts';

const USUAL_KEYS: readonly Key[] = ['agent', 'what', 'outcome'];
const MOST_DIGESTS = 2;

/** As they are written after `--by`. */
const BY: Readonly<Record<string, Key>> = {
  uri: 'what',
  agent: 'agent',
  session: 'session',
  method: 'method',
  outcome: 'outcome',
  digest: 'digest',
};

export function auditShow(args: Args): number {
  const file = resolve(args.positionals[0] as string);
  const by = BY[args.values.get('by') ?? ''];
  if (args.values.has('session') && by === undefined) return receipt(args, file);
  const tally = new Tally(by === undefined ? USUAL_KEYS : [by]);
  const known = new Set<string>();
  const rest = readAccesses(fileLines(file), (access) => {
    if (!isMeant(args, access)) return;
    known.add(access.session);
    tally.take(access);
  });
  oneSession(args, known);
  const keys = by === undefined ? USUAL_KEYS : [by];
  const rows = tally.rows();
  if (args.flags.has('json'))
    write(
      rows.map((row) => rowData(keys, row)),
      rest,
    );
  else table(keys, rows);
  return tellRest(rest, file);
}

/** Everything one session asked for, in time. */
function receipt(args: Args, file: string): number {
  const known = new Set<string>();
  const all: Access[] = [];
  const rest = readAccesses(fileLines(file), (access) => {
    if (!isMeant(args, access)) return;
    known.add(access.session);
    all.push(access);
  });
  const session = oneSession(args, known);
  all.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  if (args.flags.has('json')) {
    write(
      all.map((one) => definedOnly(one)),
      rest,
    );
    return tellRest(rest, file);
  }
  const paint = painter(process.stdout);
  const ok = all.filter(({ outcome }) => outcome === 'ok').length;
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  process.stdout.write(
    `${paint('bold', cell(`Session ${session}`))}: ${grouped(all.length)} accesses, ${grouped(ok)} answered, ${size(bytes)}\n`,
  );
  const lines = all.map(({ time, agent, what, outcome, bytes: own, ms, digest }) => [
    time,
    agent,
    what,
    outcome,
    size(own),
    `${ms} ms`,
    digest,
  ]);
  columns(['time', 'agent', 'what', 'outcome', 'size', 'took', 'bundle'], lines, paint, ['size', 'took']);
  return tellRest(rest, file);
}

function isMeant({ values }: Args, { agent, session }: Access): boolean {
  const [wantedAgent, wantedSession] = [values.get('agent'), values.get('session')];
  return (wantedAgent ?? agent) === agent && (wantedSession === undefined || session.startsWith(wantedSession));
}

/** The beginning of an id is enough when it is of one session only. */
function oneSession({ values }: Args, known: ReadonlySet<string>): string {
  const wanted = values.get('session');
  if (wanted === undefined || known.has(wanted) || known.size === 1) return [...known][0] ?? '';
  if (known.size === 0) {
    throw new Error(`nothing was read in a session ${JSON.stringify(wanted)}; --by session shows those there are.`);
  }
  throw new Error(`${known.size} sessions begin with ${JSON.stringify(wanted)}; give more of the id.`);
}

function table(keys: readonly Key[], rows: readonly Row[]): void {
  const names = keys.map((key) => (key === 'digest' ? 'bundle' : key));
  const hasOutcome = keys.includes('outcome');
  const head = [
    'times',
    ...(hasOutcome ? [] : ['refused']),
    ...names,
    'size',
    'last',
    ...(keys.includes('digest') ? [] : ['bundle']),
  ];
  const lines = rows.map(({ values, times, refused, bytes, last, digests }) => [
    grouped(times),
    ...(hasOutcome ? [] : [grouped(refused)]),
    ...values,
    size(bytes),
    last.replace(/\.\d+Z$/, 'Z'),
    ...(keys.includes('digest') ? [] : [digestsInWords(digests)]),
  ]);
  columns(head, lines, painter(process.stdout), ['times', 'refused', 'size']);
}

/** The latest are the ones that matter. */
function digestsInWords(digests: readonly string[]): string {
  const more = digests.length - MOST_DIGESTS;
  return `${digests.slice(-MOST_DIGESTS).join(' ') || NONE}${more > 0 ? ` and ${more} more` : ''}`;
}

function columns(head: readonly string[], lines: readonly string[][], paint: Paint, right: readonly string[]): void {
  const rows = lines.map((line) => line.map(cell));
  const widths = head.map((name, n) =>
    rows.reduce((most, row) => Math.max(most, (row[n] as string).length), name.length),
  );
  const laid = (row: readonly string[]): string =>
    row
      .map((text, n) =>
        right.includes(head[n] as string) ? text.padStart(widths[n] as number) : text.padEnd(widths[n] as number),
      )
      .join('  ')
      .trimEnd();
  process.stdout.write(`${paint('bold', laid(head))}\n`);
  for (const row of rows) process.stdout.write(`${laid(row)}\n`);
}

/** Names in the file are anybody's. */
function cell(text: string): string {
  return printable(text).replace(/\s/g, ' ');
}

function rowData(keys: readonly Key[], { values, ...row }: Row): object {
  return { ...Object.fromEntries(keys.map((key, n) => [key, values[n]])), ...row };
}

function definedOnly(access: Access): object {
  return Object.fromEntries(Object.entries(access).filter(([, value]) => value !== NONE));
}

function write(accesses: readonly object[], rest: Rest): void {
  process.stdout.write(`${JSON.stringify({ ...rest, accesses }, null, 2)}\n`);
}

function tellRest({ lost, unreadable }: Rest, file: string): number {
  if (lost > 0)
    process.stderr.write(`${grouped(lost)} accesses were not recorded, because the audit could not be written.\n`);
  if (unreadable > 0) {
    process.stderr.write(
      `${grouped(unreadable)} lines cannot be read; \`fieldguide audit verify\` says more about ${file}.\n`,
    );
  }
  return 0;
}
