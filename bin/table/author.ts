// Rows of the commands for who writes a guide.

import type { Command } from '../command.ts';
import { JSON_OUT, ROOT } from '../options.ts';

export const AUTHOR: readonly Command[] = [
  {
    name: 'init',
    summary: 'write a first project.yaml and guide page from what is in a repository',
    options: [
      ROOT,
      { name: 'yes', about: 'ask nothing and take what was found, as without a terminal' },
      { name: 'dry-run', about: 'write nothing; print the project.yaml that would be written' },
      JSON_OUT,
    ],
    examples: [
      { line: 'fieldguide init', does: 'look around in this folder, ask a few questions, write the files' },
      { line: 'fieldguide init --yes', does: 'the same without questions' },
      { line: 'fieldguide init --dry-run', does: 'see what it would write' },
    ],
    run: async (args) => (await import('../commands/init.ts')).init(args),
  },
  {
    name: 'build',
    summary: 'compile project.yaml into a bundle',
    options: [
      ROOT,
      { name: 'out', value: 'folder', about: 'where the bundle goes; dist-index under the root unless said' },
      { name: 'strict', about: 'fail on warnings too' },
      { name: 'watch', about: 'build again at every change' },
      JSON_OUT,
    ],
    examples: [
      { line: 'fieldguide build', does: 'compile the project in this folder' },
      { line: 'fieldguide build --watch', does: 'keep the bundle fresh while you write' },
      { line: 'fieldguide build --root ../shop --json', does: 'another project, the outcome as data' },
    ],
    run: async (args) => (await import('../commands/build.ts')).build(args),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of project.yaml, for editors',
    options: [],
    examples: [{ line: 'fieldguide schema > project.schema.json', does: 'keep it beside project.yaml' }],
    run: async () => (await import('../commands/schema.ts')).schema(),
  },
];
