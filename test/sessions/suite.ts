// What every store of live data does, by its interface alone: run once for each implementation.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Session, SessionEvent } from '../../runtime/sessions/session.ts';
import type { Discovery, SessionStore } from '../../runtime/sessions/store.ts';

export type Clock = { now: number };

/** A store of its own for a test, empty, idle after 30 minutes, which asks the clock what time it is. */
export type MakeStore = (t: TestContext, clock: Clock) => SessionStore | Promise<SessionStore>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEGIN = Date.UTC(2025, 0, 15, 10);

export function storeSuite(name: string, make: MakeStore): void {
  const prepared = async (t: TestContext) => {
    const clock = { now: BEGIN };
    const store = await make(t, clock);
    /** Something happens now. */
    const add = async (id: string, event: WithoutTime): Promise<void> => {
      await store.append(id, { ...event, t: clock.now } as SessionEvent);
    };
    const get = async (id: string): Promise<Session> => {
      const session = await store.find(id);
      assert.ok(session, `${id} is not there`);
      return session;
    };
    const later = (ms: number): void => {
      clock.now += ms;
    };
    return { clock, store, add, get, later };
  };
  const it = (what: string, body: (t: TestContext) => Promise<void>): void => {
    test(`${name}: ${what}`, body);
  };

  it('an empty store has nothing', async (t) => {
    const { store } = await prepared(t);
    assert.equal(await store.find('a'), undefined);
    assert.equal(await store.current(undefined), undefined);
    assert.equal(await store.current('a'), undefined);
    assert.deepEqual(await store.recent(10), []);
    assert.deepEqual(await store.discoveries(), []);
    assert.deepEqual(await store.prune(BEGIN, BEGIN), { archived: 0, removed: 0 });
  });

  it('a session is started, worked in and ended', async (t) => {
    const { store, add, get, later } = await prepared(t);
    await add('a', { k: 'start', client: 'zed' });
    later(MINUTE);
    await add('a', { k: 'touch', use: 'u1', paths: ['src/a.ts', 'src/b.ts'] });
    later(MINUTE);
    await add('a', { k: 'touch', use: 'u2', paths: ['src/a.ts'] });
    await add('a', { k: 'topic', text: 'tokens' });
    await add('a', { k: 'discovery', id: 'd1' });
    assert.deepEqual((await store.current(undefined))?.id, 'a');
    later(MINUTE);
    await add('a', { k: 'end' });
    later(10 * MINUTE);
    assert.deepEqual(await get('a'), {
      id: 'a',
      startedAt: BEGIN,
      endedAt: BEGIN + 3 * MINUTE,
      lastAt: BEGIN + 2 * MINUTE,
      durationMs: 3 * MINUTE,
      status: 'completed',
      client: 'zed',
      files: [
        { path: 'src/a.ts', count: 2, firstAt: BEGIN + MINUTE, lastAt: BEGIN + 2 * MINUTE },
        { path: 'src/b.ts', count: 1, firstAt: BEGIN + MINUTE, lastAt: BEGIN + MINUTE },
      ],
      fileCount: 2,
      topics: ['tokens'],
      toolCalls: 2,
      discoveryCount: 1,
      damaged: 0,
    });
    assert.equal(await store.current(undefined), undefined);
  });

  it('any event begins a session; files that a person names are no tool call', async (t) => {
    const { add, get } = await prepared(t);
    await add('a', { k: 'touch', paths: ['x', 'x'] });
    const { status, toolCalls, files } = await get('a');
    assert.deepEqual([status, toolCalls, files.map(({ path, count }) => [path, count])], ['active', 0, [['x', 2]]]);
    await add('b', { k: 'topic', text: 'first' });
    assert.equal((await get('b')).status, 'active');
  });

  it('the same tool use, topic or discovery counts once, however often it is delivered', async (t) => {
    const { add, get } = await prepared(t);
    for (let n = 0; n < 3; n++) {
      await add('a', { k: 'touch', use: 'u1', paths: ['x'] });
      await add('a', { k: 'topic', text: 'tokens' });
      await add('a', { k: 'discovery', id: 'd1' });
    }
    await add('a', { k: 'touch', use: 'u2' });
    const { toolCalls, files, topics, discoveryCount } = await get('a');
    assert.deepEqual([toolCalls, files[0]?.count, topics, discoveryCount], [2, 1, ['tokens'], 1]);
  });

  it('after thirty idle minutes a session has ended at its last activity', async (t) => {
    const { store, add, get, later } = await prepared(t);
    await add('a', { k: 'start' });
    later(5 * MINUTE);
    await add('a', { k: 'touch', use: 'u' });
    later(30 * MINUTE);
    assert.equal((await get('a')).status, 'active');
    assert.equal((await get('a')).durationMs, 35 * MINUTE);
    later(1);
    const { status, endedAt, durationMs } = await get('a');
    assert.deepEqual([status, endedAt, durationMs], ['completed', BEGIN + 5 * MINUTE, 5 * MINUTE]);
    assert.equal(await store.current(undefined), undefined);
    assert.equal(await store.current('a'), undefined);
    assert.equal((await store.recent(1))[0]?.status, 'completed', 'one that crashed is closed at the next look');
  });

  it('an end that is said again, or after the idle time, does not make it longer', async (t) => {
    const { add, get, later } = await prepared(t);
    await add('a', { k: 'start' });
    later(MINUTE);
    await add('a', { k: 'end' });
    later(20 * MINUTE);
    await add('a', { k: 'end' });
    assert.deepEqual([(await get('a')).endedAt, (await get('a')).durationMs], [BEGIN + MINUTE, MINUTE]);
    await add('b', { k: 'start' });
    const begin = BEGIN + 21 * MINUTE;
    later(5 * 60 * MINUTE);
    await add('b', { k: 'end' });
    assert.deepEqual([(await get('b')).endedAt, (await get('b')).durationMs], [begin, 0]);
  });

  it('work that goes on is another run; the time between is not part of its duration', async (t) => {
    const { store, add, get, later } = await prepared(t);
    await add('a', { k: 'start', client: 'zed' });
    later(10 * MINUTE);
    await add('a', { k: 'end' });
    later(60 * MINUTE);
    await add('a', { k: 'start', client: 'other' });
    assert.equal((await store.current(undefined))?.id, 'a');
    later(5 * MINUTE);
    const resumed = await get('a');
    assert.deepEqual([resumed.startedAt, resumed.endedAt, resumed.status], [BEGIN, undefined, 'active']);
    assert.deepEqual([resumed.durationMs, resumed.client], [15 * MINUTE, 'zed']);
    await add('a', { k: 'touch', use: 'u' });
    later(2 * 60 * MINUTE);
    await add('a', { k: 'touch', use: 'v' });
    later(MINUTE);
    assert.equal((await get('a')).durationMs, 16 * MINUTE, 'idle time is not counted either');
  });

  it('what arrives within a minute of the end belongs before it; later work goes on', async (t) => {
    const { add, get, later } = await prepared(t);
    await add('a', { k: 'start' });
    later(MINUTE);
    await add('a', { k: 'end' });
    later(MINUTE);
    await add('a', { k: 'touch', use: 'late', paths: ['x'] });
    const late = await get('a');
    assert.deepEqual([late.status, late.toolCalls, late.endedAt], ['completed', 1, BEGIN + MINUTE]);
    later(1);
    await add('a', { k: 'touch', use: 'on' });
    assert.equal((await get('a')).status, 'active');
  });

  it('the current session is the asking client’s own, or else the one with the latest activity', async (t) => {
    const { store, add, later } = await prepared(t);
    for (const id of ['a', 'b', 'c']) {
      await add(id, { k: 'start' });
      later(1000);
    }
    assert.equal((await store.current(undefined))?.id, 'c');
    await add('a', { k: 'touch', use: 'u' });
    assert.equal((await store.current(undefined))?.id, 'a');
    assert.equal((await store.current('b'))?.id, 'b');
    assert.equal((await store.current('unknown'))?.id, 'a');
    later(1000);
    await add('b', { k: 'end' });
    assert.equal(await store.current('b'), undefined, 'known, and over');
    await add('a', { k: 'end' });
    assert.equal((await store.current(undefined))?.id, 'c');
  });

  it('the latest come first, at most as many as asked for', async (t) => {
    const { store, add, later } = await prepared(t);
    for (let n = 1; n <= 12; n++) {
      await add(`s${n}`, { k: 'start' });
      later(MINUTE);
    }
    await add('s3', { k: 'touch', use: 'u' });
    const ids = async (limit: number): Promise<string[]> => (await store.recent(limit)).map(({ id }) => id);
    assert.deepEqual(await ids(3), ['s12', 's11', 's10']);
    assert.equal((await ids(100)).length, 12);
    assert.deepEqual((await ids(100)).slice(-2), ['s2', 's1']);
  });

  it('ids of others are one session each, and are never shown as they were crafted', async (t) => {
    const { store, add, get, later } = await prepared(t);
    const ids = ['../../x', '..', '.', '', '/etc/passwd', 'a\0b', 'x'.repeat(10_240), 'größe ✓', 'a/b', 'a\\b', 'a\nb'];
    const plain = ['Abc', 'abc', 'aBC', 'con', 'NUL', 'com1', 'a.journal', '0', 'a:b', 'constructor', '__proto__'];
    for (const id of [...ids, ...plain]) {
      await add(id, { k: 'start' });
      await add(id, { k: 'topic', text: `of ${id.slice(0, 20)}` });
      later(1);
    }
    for (const id of [...ids, ...plain]) {
      const session = await get(id);
      assert.deepEqual(session.topics, [`of ${id.slice(0, 20)}`]);
      assert.match(session.id, /^[A-Za-z0-9][\w.:-]{0,127}$/);
      assert.equal((await get(session.id)).startedAt, session.startedAt, 'the id that is shown finds it');
    }
    assert.equal((await get('Abc')).id, 'Abc');
    assert.equal((await store.recent(100)).length, ids.length + plain.length);
  });

  it('discoveries are kept in their order, each once, whole', async (t) => {
    const { clock, store, add, get } = await prepared(t);
    await add('a', { k: 'start' });
    const rule: Discovery = { id: 'd1', sessionId: 'a', at: clock.now, type: 'rule', content: 'Über "alles"\u2028x' };
    const issue: Discovery = {
      id: 'd2',
      sessionId: 'new',
      at: clock.now + 1,
      type: 'issue',
      content: 'It races',
      module: 'auth',
      solution: 'Take the mutex',
    };
    await store.discover(rule);
    await store.discover(issue);
    await store.discover({ ...rule, content: 'the same id again' });
    assert.deepEqual(await store.discoveries(), [rule, issue]);
    assert.deepEqual([(await get('a')).discoveryCount, (await get('new')).discoveryCount], [1, 1]);
  });

  it('a discovery that was taken over is marked once, and keeps its place', async (t) => {
    const { clock, store } = await prepared(t);
    const [first, second, third] = ['d1', 'd2', 'd3'].map(
      (id): Discovery => ({ id, sessionId: 'a', at: clock.now, type: 'rule', content: `the rule ${id}` }),
    ) as [Discovery, Discovery, Discovery];
    for (const one of [first, second, third]) await store.discover(one);
    assert.deepEqual(await store.discoveries(), [first, second, third]);
    await store.promoted(['d2', 'unknown', 'constructor'], clock.now + 5);
    assert.deepEqual(await store.discoveries(), [first, { ...second, promotedAt: clock.now + 5 }, third]);
    await store.promoted(['d1', 'd2'], clock.now + 9);
    await store.promoted([], clock.now + 10);
    const marks = (await store.discoveries()).map(({ promotedAt }) => promotedAt);
    assert.deepEqual(marks, [clock.now + 9, clock.now + 5, undefined], 'the first time counts');
    const many = Array.from({ length: 1200 }, (_, n) => `other-${n}`);
    await store.promoted([...many, 'd3'], clock.now + 11);
    assert.equal((await store.discoveries())[2]?.promotedAt, clock.now + 11);
  });

  it('pruning archives, then removes; status only goes forward; discoveries stay', async (t) => {
    const { clock, store, add, get, later } = await prepared(t);
    await add('old', { k: 'start' });
    await store.discover({ id: 'd', sessionId: 'old', at: clock.now, type: 'rule', content: 'it stays here' });
    later(10 * DAY);
    await add('middle', { k: 'start' });
    later(10 * DAY);
    await add('active', { k: 'start' });
    const status = async (): Promise<(string | undefined)[]> =>
      await Promise.all(['old', 'middle', 'active'].map(async (id) => (await store.find(id))?.status));
    const prune = async (dryRun?: boolean) => await store.prune(clock.now - 7 * DAY, clock.now - 15 * DAY, dryRun);
    assert.deepEqual(await prune(true), { archived: 1, removed: 1 });
    assert.deepEqual(await status(), ['completed', 'completed', 'active'], 'a trial changes nothing');
    assert.deepEqual(await prune(), { archived: 1, removed: 1 });
    assert.deepEqual(await status(), [undefined, 'archived', 'active']);
    const { endedAt, durationMs } = await get('middle');
    assert.deepEqual([endedAt, durationMs], [BEGIN + 10 * DAY, 0], 'archiving is no activity');
    assert.deepEqual(await prune(), { archived: 0, removed: 0 });
    await add('middle', { k: 'end' });
    assert.equal((await get('middle')).status, 'archived');
    assert.deepEqual(
      (await store.recent(10)).map(({ id }) => id),
      ['active', 'middle'],
    );
    assert.equal((await store.discoveries()).length, 1);
    await add('old', { k: 'start' });
    assert.equal((await store.current(undefined))?.status, 'active', 'a removed one may begin again');
  });

  it('the version differs whenever something else can be read, and only then', async (t) => {
    const { clock, store, add, later } = await prepared(t);
    let before = await store.version(undefined);
    const assertChanges = async (what: string, change: () => Promise<unknown>): Promise<void> => {
      assert.equal(await store.version(undefined), before, `nothing before: ${what}`);
      await change();
      const after = await store.version(undefined);
      assert.notEqual(after, before, what);
      before = after;
    };
    await assertChanges('start', () => add('a', { k: 'start' }));
    await assertChanges('touch', () => add('a', { k: 'touch', use: 'u' }));
    await assertChanges('topic', () => add('a', { k: 'topic', text: 'x' }));
    const discovery: Discovery = { id: 'd', sessionId: 'a', at: clock.now, type: 'rule', content: 'ten letters' };
    await assertChanges('discovery', () => store.discover(discovery));
    await assertChanges('promotion', () => store.promoted(['d'], clock.now));
    await assertChanges('idle end', async () => later(31 * MINUTE));
    await assertChanges('removal', () => store.prune(clock.now, clock.now));
  });

  it('much in one session is bounded, and counted', async (t) => {
    const { add, get } = await prepared(t);
    for (let n = 0; n < 101; n++) {
      const paths = Array.from({ length: 100 }, (_, file) => `src/${n}/${file}.ts`);
      await add('a', { k: 'touch', use: `u${n}`, paths });
    }
    const { files, fileCount, toolCalls } = await get('a');
    assert.deepEqual([files.length, fileCount, toolCalls], [10_000, 10_100, 101]);
  });

  it('many at once lose nothing', async (t) => {
    const { store, get } = await prepared(t);
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        store.append(`s${n % 4}`, { k: 'touch', t: BEGIN + n, use: `u${n}`, paths: [`f${n % 10}`] }),
      ),
    );
    const sessions = await Promise.all(['s0', 's1', 's2', 's3'].map(get));
    assert.deepEqual(
      sessions.map(({ toolCalls }) => toolCalls),
      [50, 50, 50, 50],
    );
    assert.equal((await store.recent(10)).length, 4);
  });
}

type Without<T> = T extends { t: number } ? Omit<T, 't'> : never;
type WithoutTime = Without<SessionEvent>;
