// One session's state, read back from its journal. A long journal has a summary now and then, so that reading
// costs the same however long it has become: the last summary, and what came after the place up to which it
// speaks. Whoever writes across a boundary writes it; two at once do no harm.

import { appendTo } from './append-file.ts';
import { OpenJournal } from './read-file.ts';
import { encodeRecord, MOST_RECORD_BYTES, type Record } from './record.ts';
import { SUMMARY_EVERY_BYTES } from './record-event.ts';
import { Fold, firstState, type ReadState, type SessionEvent, type SessionState } from './session.ts';

type Summary = { k: 'sum'; t: number; upTo: number; damaged: number; state: SessionState };

/** A summary is written where it saves at least three times its own length. */
const SUMMARY_SAVES = 3;
const MOST_SEARCHED_BYTES = 32 * 1024 * 1024;

/** Undefined when there is no such session, or nothing whole in its journal. */
export function readState(file: string): ReadState | undefined {
  const folded = withJournal(file, (journal) => fold(journal, true));
  return folded?.state === undefined ? undefined : { state: folded.state, damaged: folded.damaged };
}

/** A summary that cannot be written costs the next reader time, nothing else. */
export function summarise(file: string, t: number): void {
  try {
    const folded = withJournal(file, (journal) => fold(journal, false));
    if (folded?.state === undefined) return;
    const { state, from, consumed, damaged } = folded;
    const summary: Summary = { k: 'sum', t, upTo: consumed, damaged, state };
    const bytes = encodeRecord(summary);
    if (bytes.length < MOST_RECORD_BYTES && consumed - from >= bytes.length * SUMMARY_SAVES) appendTo(file, bytes);
  } catch {
    // The events are safe.
  }
}

type Folded = { state: SessionState | undefined; from: number; consumed: number; damaged: number };

/** What comes after the last whole line is left to the next reader of a summary. */
function fold(journal: OpenJournal, withTail: boolean): Folded {
  const summary = journal.size < SUMMARY_EVERY_BYTES ? undefined : lastSummary(journal);
  const from = summary?.upTo ?? 0;
  let current = summary === undefined ? undefined : new Fold(summary.state);
  const take = (record: Record): void => {
    if (!isEvent(record)) return;
    current ??= new Fold(firstState(record.t));
    current.apply(record);
  };
  const { consumed, damaged, tail, isTorn } = journal.forward(from, take);
  if (withTail && tail !== undefined) take(tail);
  return {
    state: current?.state,
    from,
    consumed,
    damaged: (summary?.damaged ?? 0) + damaged + Number(withTail && isTorn),
  };
}

function lastSummary(journal: OpenJournal): Summary | undefined {
  const found = journal.findLast('{"k":"sum",', MOST_SEARCHED_BYTES);
  return found !== undefined && isSummary(found) && found.upTo <= journal.size ? found : undefined;
}

function withJournal<T>(file: string, use: (journal: OpenJournal) => T): T | undefined {
  const journal = OpenJournal.open(file);
  if (journal === undefined) return undefined;
  try {
    return use(journal);
  } finally {
    journal.close();
  }
}

function isSummary(record: Record): record is Summary {
  const { upTo, damaged, state } = record as Partial<Summary>;
  const { files, silences, topics, discoveries, uses } = state ?? {};
  return (
    record.k === 'sum' &&
    [upTo, damaged, state?.startedAt, state?.lastAt, state?.awayMs].every((value) => typeof value === 'number') &&
    [files, silences, topics, discoveries, uses].every(Array.isArray)
  );
}

export function isEvent(record: Record): record is SessionEvent {
  const { k } = record;
  if (k === 'topic') return typeof (record as { text?: unknown }).text === 'string';
  if (k === 'discovery') return typeof (record as { id?: unknown }).id === 'string';
  if (k === 'touch') return areTexts((record as { paths?: unknown }).paths ?? []);
  return k === 'start' || k === 'end' || k === 'archive';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
