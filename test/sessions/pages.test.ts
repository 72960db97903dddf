// Live pages word for word, from literals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentPage, discoveriesPage, recentPage } from '../../runtime/sessions/pages.ts';
import type { Session } from '../../runtime/sessions/session.ts';
import { counted, durationInWords, shortId, timeInWords } from '../../runtime/sessions/words.ts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2025, 0, 15, 10);

const SESSION: Session = {
  id: '3f2a9c01-5555-4444-8888-123456789abc',
  startedAt: BEGIN,
  endedAt: undefined,
  lastAt: BEGIN + 10 * MINUTE,
  durationMs: 135 * MINUTE,
  status: 'active',
  client: 'zed',
  files: [
    { path: 'src/b.ts', count: 1, firstAt: BEGIN, lastAt: BEGIN + MINUTE },
    { path: 'src/a.ts', count: 3, firstAt: BEGIN, lastAt: BEGIN + 2 * MINUTE },
  ],
  fileCount: 2,
  topics: ['tokens', 'two\nlines'],
  toolCalls: 7,
  discoveryCount: 1,
  damaged: 0,
};

const EMPTY: Session = { ...SESSION, files: [], fileCount: 0, topics: [], toolCalls: 0, discoveryCount: 0 };

test('durations are words, the two largest units, singular and plural', () => {
  const cases: [number, string][] = [
    [0, 'less than a minute'],
    [59_999, 'less than a minute'],
    [MINUTE, '1 minute'],
    [2 * MINUTE, '2 minutes'],
    [60 * MINUTE, '1 hour'],
    [61 * MINUTE, '1 hour 1 minute'],
    [135 * MINUTE, '2 hours 15 minutes'],
    [24 * 60 * MINUTE, '1 day'],
    [(24 * 60 + 1) * MINUTE, '1 day 1 minute'],
    [(49 * 60 + 5) * MINUTE, '2 days 1 hour'],
  ];
  for (const [ms, words] of cases) assert.equal(durationInWords(ms), words);
});

test('times are UTC with seconds; counts agree with their noun; ids show eight characters', () => {
  assert.equal(timeInWords(BEGIN + 999), '2025-01-15T10:00:00Z');
  assert.equal(timeInWords(Number.NaN), 'unknown');
  assert.equal(timeInWords(1e300), 'unknown');
  assert.deepEqual([counted(0, 'file'), counted(1, 'file'), counted(2, 'file')], ['0 files', '1 file', '2 files']);
  assert.deepEqual([shortId(SESSION.id), shortId('ab')], ['3f2a9c01', 'ab']);
});

test('the current session, label by label', () => {
  assert.equal(
    currentPage(SESSION),
    `# Active Session

**Started:** 2025-01-15T10:00:00Z··
**Duration:** 2 hours 15 minutes··
**Status:** active

## Files Accessed (2)

### src/a.ts

**Access Count:** 3··
**Last Accessed:** 2025-01-15T10:02:00Z

### src/b.ts

**Access Count:** 1··
**Last Accessed:** 2025-01-15T10:01:00Z

## Topics (2)

- tokens
- two lines

## Activity Summary

- **Tool Calls:** 7
- **Discoveries:** 1
`.replaceAll('·', ' '),
  );
});

test('a session in which nothing happened has every label', () => {
  assert.equal(
    currentPage(EMPTY),
    `# Active Session

**Started:** 2025-01-15T10:00:00Z··
**Duration:** 2 hours 15 minutes··
**Status:** active

## Files Accessed (0)

## Topics (0)

## Activity Summary

- **Tool Calls:** 0
- **Discoveries:** 0
`.replaceAll('·', ' '),
  );
});

test('files are counted whole and ten are shown: the most used, then the latest, then by name', () => {
  const files = Array.from({ length: 14 }, (_, n) => ({
    path: `f${String(n).padStart(2, '0')}`,
    count: n < 2 ? 9 : 1,
    firstAt: BEGIN,
    lastAt: n === 13 ? BEGIN + MINUTE : BEGIN,
  }));
  const page = currentPage({ ...SESSION, files: files.reverse(), fileCount: 10_500 });
  assert.match(page, /^## Files Accessed \(10500\)$/m);
  const shown = [...page.matchAll(/^### (.*)$/gm)].map((match) => match[1]);
  assert.deepEqual(shown, ['f00', 'f01', 'f13', 'f02', 'f03', 'f04', 'f05', 'f06', 'f07', 'f08']);
});

test('recent sessions, label by label', () => {
  const ended: Session = { ...EMPTY, id: 'x', endedAt: BEGIN, durationMs: 0, status: 'completed' };
  assert.equal(
    recentPage([SESSION, ended]),
    `# Recent Sessions (2)

## Session 3f2a9c01

**Started:** 2025-01-15T10:00:00Z··
**Duration:** 2 hours 15 minutes··
**Status:** active··
**Files:** 2··
**Topics:** tokens, two lines··
**Discoveries:** 1

## Session x

**Started:** 2025-01-15T10:00:00Z··
**Duration:** less than a minute··
**Status:** completed··
**Files:** 0··
**Topics:** None··
**Discoveries:** 0
`.replaceAll('·', ' '),
  );
  assert.equal(recentPage([]), '# Recent Sessions (0)\n');
});

test('discoveries, as they are given', () => {
  const discovery = { id: 'd', sessionId: SESSION.id, at: BEGIN } as const;
  assert.equal(
    discoveriesPage([
      { ...discovery, type: 'issue', content: 'It\nraces', module: 'auth', solution: 'Take\tthe mutex' },
      { ...discovery, type: 'rule', content: 'Always' },
    ]),
    `# Discoveries (2)

## Issue (Session: 3f2a9c01)

It races

**Module:** auth··
**Solution:** Take the mutex··
**Discovered:** 2025-01-15T10:00:00Z

## Rule (Session: 3f2a9c01)

Always

**Module:** None··
**Discovered:** 2025-01-15T10:00:00Z
`.replaceAll('·', ' '),
  );
  assert.equal(discoveriesPage([]), '# Discoveries (0)\n');
});
