// Rows of `fieldguide session` for people who look over what agents want to have recorded, and what was.

import { DISCOVERY_TYPES } from '../../runtime/sessions/store.ts';
import type { Command } from '../command.ts';
import { JSON_OUT, STORE } from '../options.ts';
import { ROOT } from './session-root.ts';

const SHARED = [ROOT, STORE, JSON_OUT];
const YES = { name: 'yes', about: 'do not ask' };

export const REVIEW: readonly Command[] = [
  {
    name: 'session discoveries',
    summary: 'show what waits for an answer, what was accepted and what was promoted',
    options: [
      { name: 'type', value: 'type', about: `only ${DISCOVERY_TYPES.join(', ')}`, choices: DISCOVERY_TYPES },
      { name: 'module', value: 'name', about: 'only what is about this module' },
      ...SHARED,
    ],
    examples: [
      { line: 'fieldguide session discoveries', does: 'everything, newest first' },
      { line: 'fieldguide session discoveries --type rule --json', does: 'rules, as data' },
    ],
    run: async (args) => (await import('../commands/discoveries.ts')).discoveries(args),
  },
  {
    name: 'session approve',
    summary: 'let an agent do once what it asked for',
    takes: { written: '<id>', least: 1, most: 1 },
    options: [YES, ...SHARED],
    examples: [{ line: 'fieldguide session approve 3f2a9c', does: 'shows the request and asks' }],
    run: async (args) => (await import('../commands/answer.ts')).approve(args),
  },
  {
    name: 'session deny',
    summary: 'refuse what an agent asked for',
    takes: { written: '<id>', least: 1, most: 1 },
    options: [{ name: 'message', value: 'text', about: 'what the agent is told' }, YES, ...SHARED],
    examples: [
      { line: 'fieldguide session deny 3f2a9c --message "Name the module"', does: 'with a word on what to change' },
    ],
    run: async (args) => (await import('../commands/answer.ts')).deny(args),
  },
  {
    name: 'session promote',
    summary: 'take accepted discoveries over into project.yaml',
    takes: { written: '[id…]', least: 0, most: Number.POSITIVE_INFINITY },
    options: [
      { name: 'all', about: 'all that were not promoted yet' },
      { name: 'module', value: 'name', about: 'the module of those that name none' },
      { name: 'dry-run', about: 'only show the difference' },
      YES,
      ...SHARED,
    ],
    examples: [
      { line: 'fieldguide session promote', does: 'shows them one by one and asks' },
      { line: 'fieldguide session promote --all --dry-run', does: 'what project.yaml would become' },
      { line: 'fieldguide session promote 3f2a9c01 --module auth --yes', does: 'this one, without asking' },
    ],
    run: async (args) => (await import('../commands/promote.ts')).promote(args),
  },
];
