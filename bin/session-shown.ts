// Sessions for eyes and as data.

import type { Session } from '../runtime/sessions/session.ts';
import { counted, durationInWords, shortId, timeInWords } from '../runtime/sessions/words.ts';
import { type Paint, printable } from './terminal.ts';

const MOST_FILES_SHOWN = 10;

/** One line for each, in columns. */
export function sessionLines(sessions: readonly Session[], paint: Paint): string[] {
  const rows = sessions.map((session) => [
    shortId(session.id),
    timeInWords(session.startedAt),
    durationInWords(session.durationMs),
    session.status,
    counted(session.fileCount, 'file'),
    counted(session.topics.length, 'topic'),
    session.discoveryCount === 1 ? '1 discovery' : `${session.discoveryCount} discoveries`,
    printable(session.client ?? ''),
  ]);
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => (row[n] as string).length)));
  return rows.map((row) => {
    const [id = '', ...others] = row.map((cell, n) => cell.padEnd(widths[n] as number));
    return `${paint('bold', id)}  ${others.join('  ')}`.trimEnd();
  });
}

/** One session whole; of its files, those that were used most. */
export function sessionText(session: Session, paint: Paint): string {
  const { files, topics, damaged } = session;
  const most = [...files].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt).slice(0, MOST_FILES_SHOWN);
  const facts: [string, string | undefined][] = [
    ['client', session.client],
    ['started', timeInWords(session.startedAt)],
    ['ended', session.endedAt === undefined ? undefined : timeInWords(session.endedAt)],
    ['duration', durationInWords(session.durationMs)],
    ['status', session.status],
    ['tool calls', String(session.toolCalls)],
    ['discoveries', String(session.discoveryCount)],
    ['damaged', damaged === 0 ? undefined : counted(damaged, 'record')],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    paint('bold', `Session ${session.id}`),
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(width)}  ${printable(value)}`])),
    paint('bold', `Files (${session.fileCount})`),
    ...most.map(({ path, count }) => `  ${String(count).padStart(4)}  ${printable(path)}`),
    paint('bold', `Topics (${topics.length})`),
    ...topics.map((topic) => `  ${printable(topic)}`),
    '',
  ].join('\n');
}

/** The session as other programs take it. */
export function sessionData(session: Session): Record<string, unknown> {
  return {
    id: session.id,
    startedAt: timeInWords(session.startedAt),
    ...(session.endedAt === undefined ? {} : { endedAt: timeInWords(session.endedAt) }),
    status: session.status,
    ...(session.client === undefined ? {} : { client: session.client }),
    filesAccessed: session.files.map(({ path, count, firstAt, lastAt }) => ({
      path,
      accessCount: count,
      firstAccessedAt: timeInWords(firstAt),
      lastAccessedAt: timeInWords(lastAt),
    })),
    topics: session.topics,
    metadata: {
      duration: session.durationMs,
      toolCallsCount: session.toolCalls,
      discoveryCount: session.discoveryCount,
    },
  };
}
