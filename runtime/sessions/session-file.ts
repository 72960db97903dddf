// One session's journal: events appended, and its state read back. A long journal has a summary now and then,
// so that reading costs the same however long it has become: the last summary, and what came after the place
// up to which it speaks. Whoever writes across a boundary writes it; two at once do no harm.

import { type Appended, appendTo } from './append-file.ts';
import { OpenJournal } from './read-file.ts';
import { encodeRecord, MOST_RECORD_BYTES, type Record } from './record.ts';
import { Fold, firstState, type ReadState, type SessionEvent, type SessionState } from './session.ts';

type Summary = { k: 'sum'; t: number; upTo: number; state: SessionState };

/** About a thousand records. */
const SUMMARY_EVERY_BYTES = 128 * 1024;
/** A summary is written where it saves at least three times its own length. */
const SUMMARY_SAVES = 3;
const MOST_SEARCHED_BYTES = 32 * 1024 * 1024;

export function appendEvent(file: string, event: SessionEvent, idleMs: number): Appended {
  const appended = appendTo(file, encodeRecord(event));
  const { before, after } = appended;
  if (Math.floor(before / SUMMARY_EVERY_BYTES) < Math.floor(after / SUMMARY_EVERY_BYTES)) {
    summarise(file, event.t, idleMs);
  }
  return appended;
}

/** Undefined when there is no such session, or nothing whole in its journal. */
export function readState(file: string, idleMs: number): ReadState | undefined {
  const { state, damaged } = withJournal(file, (journal) => fold(journal, idleMs)) ?? {};
  return state === undefined ? undefined : { state, damaged: damaged ?? 0 };
}

/** A summary that cannot be written costs the next reader time, nothing else. */
function summarise(file: string, t: number, idleMs: number): void {
  try {
    const folded = withJournal(file, (journal) => fold(journal, idleMs));
    if (folded?.state === undefined) return;
    const { state, from, consumed } = folded;
    const summary: Summary = { k: 'sum', t, upTo: consumed, state };
    const bytes = encodeRecord(summary);
    if (bytes.length < MOST_RECORD_BYTES && consumed - from >= bytes.length * SUMMARY_SAVES) appendTo(file, bytes);
  } catch {
    // The events are safe.
  }
}

type Folded = { state: SessionState | undefined; from: number; consumed: number; damaged: number };

function fold(journal: OpenJournal, idleMs: number): Folded {
  const summary = journal.size < SUMMARY_EVERY_BYTES ? undefined : lastSummary(journal);
  const from = summary?.upTo ?? 0;
  let current = summary === undefined ? undefined : new Fold(summary.state, idleMs);
  const read = journal.forward(from, (record) => {
    if (!isEvent(record)) return;
    current ??= new Fold(firstState(record.t), idleMs);
    current.apply(record);
  });
  return { state: current?.state, from, ...read };
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
  const { upTo, state } = record as Partial<Summary>;
  return record.k === 'sum' && typeof upTo === 'number' && typeof state === 'object' && Array.isArray(state?.files);
}

function isEvent(record: Record): record is SessionEvent {
  const { k } = record;
  if (k === 'topic') return typeof (record as { text?: unknown }).text === 'string';
  if (k === 'discovery') return typeof (record as { id?: unknown }).id === 'string';
  return k === 'start' || k === 'end' || k === 'archive' || k === 'touch';
}
