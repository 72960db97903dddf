// Rows of `fieldguide session`: what happens while people and agents work, written and shown.

import { DISCOVERY_TYPES } from '../../runtime/sessions/store.ts';
import type { Args } from '../args.ts';
import type { Command, Group } from '../command.ts';
import { JSON_OUT, STORE } from '../options.ts';
import { REVIEW } from './session-review.ts';
import { ROOT } from './session-root.ts';

const SHARED = [ROOT, STORE, JSON_OUT];
const MANY = Number.POSITIVE_INFINITY;

type Row = Omit<Command, 'run'> & { body: keyof typeof import('../commands/session.ts') };

const ROWS: readonly Row[] = [
  {
    name: 'session start',
    summary: 'begin a session, or go on with one, and print its id',
    options: [
      { name: 'client', value: 'name', about: 'which coding agent it is of' },
      { name: 'id', value: 'id', about: "an id of your own; the client's or a random one unless said" },
      ...SHARED,
    ],
    examples: [
      { line: 'fieldguide session start', does: 'work begins' },
      { line: 'fieldguide session start --client zed --id ticket-42', does: 'with an id of your own' },
    ],
    body: 'start',
  },
  {
    name: 'session end',
    summary: 'end a session',
    takes: { written: '[id]', least: 0, most: 1 },
    options: SHARED,
    examples: [
      { line: 'fieldguide session end', does: 'the current one' },
      { line: 'fieldguide session end 3f2a9c01', does: 'another one, by the first characters of its id' },
    ],
    body: 'end',
  },
  {
    name: 'session touch',
    summary: 'note files that were worked on',
    takes: { written: '<path…>', least: 1, most: MANY },
    options: SHARED,
    examples: [{ line: 'fieldguide session touch src/auth/index.ts', does: 'count an access to this file' }],
    body: 'touch',
  },
  {
    name: 'session topic',
    summary: 'note what the session is about',
    takes: { written: '<text…>', least: 1, most: MANY },
    options: SHARED,
    examples: [{ line: 'fieldguide session topic "refresh tokens race"', does: 'a few words; secrets are refused' }],
    body: 'topic',
  },
  {
    name: 'session discover',
    summary: 'record something learned, for everybody who reads this project',
    takes: { written: '<text…>', least: 1, most: MANY },
    options: [
      { name: 'type', value: 'type', about: DISCOVERY_TYPES.join(', '), choices: DISCOVERY_TYPES },
      { name: 'module', value: 'name', about: 'the module it is about' },
      { name: 'solution', value: 'text', about: 'how an issue is solved' },
      { name: 'yes', about: 'do not ask' },
      ...SHARED,
    ],
    examples: [
      {
        line: 'fieldguide session discover --type rule --module auth "Sessions end after 30 minutes"',
        does: 'asks before it records',
      },
      {
        line: 'fieldguide session discover --type issue --solution "Take the mutex" --yes "Refresh tokens race"',
        does: 'does not ask',
      },
    ],
    body: 'discover',
  },
  {
    name: 'session list',
    summary: 'show the latest sessions',
    options: [{ name: 'limit', value: 'n', about: 'how many, 1 to 100; 10 unless said' }, ...SHARED],
    examples: [{ line: 'fieldguide session list --limit 3', does: 'the latest three' }],
    body: 'list',
  },
  {
    name: 'session show',
    summary: 'show one session: files, topics, counts',
    takes: { written: '[id]', least: 0, most: 1 },
    options: SHARED,
    examples: [
      { line: 'fieldguide session show', does: 'the current one' },
      { line: 'fieldguide session show 3f2a --json', does: 'the one whose id begins so, as data' },
    ],
    body: 'show',
  },
  {
    name: 'session prune',
    summary: 'archive sessions that ended 7 days ago, remove old ones',
    options: [
      { name: 'older-than', value: 'age', about: 'remove what ended longer ago, such as 30d or 12h; 90d unless said' },
      { name: 'dry-run', about: 'only say what would be done' },
      ...SHARED,
    ],
    examples: [
      { line: 'fieldguide session prune --dry-run', does: 'what would go' },
      { line: 'fieldguide session prune --older-than 30d', does: 'keep a month' },
    ],
    body: 'prune',
  },
];

const bodies = async (): Promise<typeof import('../commands/session.ts')> => await import('../commands/session.ts');

/** Started by the first file itself, so that a coding agent waits for as little as can be. */
const HOOK: Command = {
  name: 'session hook',
  summary: 'take the JSON that coding agents pipe to their hooks; prints nothing',
  options: [
    { name: 'event', value: 'name', about: 'what happened, for a payload that does not say so' },
    { name: 'agent', value: 'name', about: 'whose payload it is, where it does not show' },
  ],
  examples: [
    { line: 'fieldguide session hook', does: 'what `fieldguide connect` writes into the settings of a client' },
  ],
  run: async () => {
    await import('../hook.ts');
    return 0;
  },
};

export const SESSION: Group = {
  name: 'session',
  summary: 'record and show what happens while people and agents work',
  examples: [
    { line: 'fieldguide session start', does: 'work begins' },
    { line: 'fieldguide session topic "refresh tokens race"', does: 'what it is about' },
    { line: 'fieldguide session show', does: 'what was recorded' },
    { line: 'fieldguide session end', does: 'work ends; after 30 idle minutes it does by itself' },
  ],
  commands: [
    ...ROWS.map(({ body, ...row }) => ({ ...row, run: async (args: Args) => (await bodies())[body](args) })),
    ...REVIEW,
    HOOK,
  ],
};
