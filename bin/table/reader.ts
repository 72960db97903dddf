// Rows of the commands that show what is in a bundle.

import type { Command } from '../command.ts';
import { AGENT, BUNDLE, JSON_OUT, MAP, ROOT, STORE, TRUST_UPSTREAMS } from '../options.ts';

export const READER: readonly Command[] = [
  {
    name: 'read',
    summary: 'print what an agent gets for a URI',
    takes: { written: '<uri>', least: 1, most: 1 },
    options: [ROOT, BUNDLE, STORE, MAP, AGENT, TRUST_UPSTREAMS, JSON_OUT],
    examples: [
      { line: 'fieldguide read context://project/overview', does: 'the first page an agent reads' },
      { line: 'fieldguide read context://module/auth --json', does: 'the answer as the protocol has it' },
    ],
    run: async (args) => (await import('../commands/read.ts')).read(args),
  },
  {
    name: 'list',
    summary: 'print the resources there are',
    options: [ROOT, BUNDLE, STORE, MAP, AGENT, TRUST_UPSTREAMS, JSON_OUT],
    examples: [{ line: 'fieldguide list', does: 'every resource with its size' }],
    run: async (args) => (await import('../commands/list.ts')).list(args),
  },
  {
    name: 'search',
    summary: 'search everything, as an agent would',
    takes: { written: '<words…>', least: 1, most: Number.POSITIVE_INFINITY },
    options: [
      ROOT,
      BUNDLE,
      STORE,
      MAP,
      AGENT,
      { name: 'space', value: 'name', about: 'only there', choices: ['context', 'guide', 'file', 'prompt'] },
      { name: 'limit', value: 'n', about: 'how many are shown; 10 unless said' },
      JSON_OUT,
    ],
    examples: [
      { line: 'fieldguide search refresh token', does: 'the best sections, and why they match' },
      { line: 'fieldguide search release --space guide --limit 3', does: 'three, from the guide only' },
    ],
    run: async (args) => (await import('../commands/find.ts')).find(args),
  },
  {
    name: 'verify',
    summary: 'check every byte of a bundle',
    takes: { written: '[bundle]', least: 0, most: 1 },
    options: [ROOT, MAP, JSON_OUT],
    examples: [
      { line: 'fieldguide verify', does: 'the bundle in dist-index' },
      { line: 'fieldguide verify context.fgb', does: 'a bundle file; prints its digest' },
    ],
    run: async (args) => (await import('../commands/verify.ts')).verify(args),
  },
  {
    name: 'diff',
    summary: 'show what an agent would notice between two bundles',
    takes: { written: '<old> <new>', least: 2, most: 2 },
    options: [
      {
        name: 'reporter',
        value: 'name',
        about: 'default, or markdown for a pull request',
        choices: ['default', 'markdown'],
      },
      { name: 'exit-code', about: 'exit 1 when an agent would notice a difference' },
      { name: 'allow-missing', about: 'an old bundle that is not there counts as empty, as at a first build' },
      MAP,
      JSON_OUT,
    ],
    examples: [
      { line: 'fieldguide diff main/dist-index dist-index', does: 'folders or files; what came, went and changed' },
      { line: 'fieldguide diff old.fgb new.fgb --reporter markdown', does: 'the same as a comment for a pull request' },
    ],
    run: async (args) => (await import('../commands/diff.ts')).diff(args),
  },
];
