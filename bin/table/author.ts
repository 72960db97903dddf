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
      { name: 'upstreams', about: 'copy the servers of .mcp.json over, as upstreams' },
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
      { name: 'check', about: 'write nothing; fail when the bundle on disk is not what the sources make' },
      {
        name: 'reporter',
        value: 'name[=path]',
        about: 'default, concise, json, github, gitlab, sarif or markdown; to a file with =path; may be repeated',
        repeats: true,
      },
      { name: 'watch', about: 'build again at every change' },
      { name: 'json', about: 'the same as --reporter json' },
    ],
    examples: [
      { line: 'fieldguide build', does: 'compile the project in this folder' },
      { line: 'fieldguide build --check', does: 'is the bundle on disk what the sources make?' },
      { line: 'fieldguide build --strict --reporter github', does: 'in a workflow: annotations and a job summary' },
      { line: 'fieldguide build --reporter sarif=guide.sarif', does: 'a report in a file, beside the usual output' },
      { line: 'fieldguide build --watch', does: 'keep the bundle fresh while you write' },
      { line: 'fieldguide build --root ../shop --json', does: 'another project, the outcome as data' },
    ],
    run: async (args) => (await import('../commands/build.ts')).build(args),
  },
  {
    name: 'connect',
    summary: 'write the server and the hooks into the configuration of coding agents',
    takes: { written: '<client…>', least: 0, most: Number.POSITIVE_INFINITY },
    options: [
      ROOT,
      { name: 'dry-run', about: 'show what would change, and write nothing' },
      { name: 'remove', about: 'take both out again' },
      { name: 'no-hooks', about: 'the server alone: sessions do not record themselves' },
      JSON_OUT,
    ],
    examples: [
      { line: 'fieldguide connect claude vscode', does: 'Claude Code and VS Code, in this project' },
      { line: 'fieldguide connect codex --dry-run', does: 'the change as a diff' },
      { line: 'fieldguide connect claude --remove', does: 'the files as they were before' },
      { line: 'fieldguide connect', does: 'which clients there are, and whose files are here' },
    ],
    run: async (args) => (await import('../commands/connect.ts')).connect(args),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of project.yaml, for editors',
    options: [],
    examples: [{ line: 'fieldguide schema > project.schema.json', does: 'keep it beside project.yaml' }],
    run: async () => (await import('../commands/schema.ts')).schema(),
  },
  {
    name: 'export',
    summary: 'write AGENTS.md or llms.txt from the same sources as the bundle',
    takes: { written: 'agents|llms', least: 1, most: 1 },
    options: [
      ROOT,
      { name: 'out', value: 'folder', about: 'where the files go; the root unless said' },
      { name: 'base-url', value: 'url', about: 'put before every path that is linked' },
      { name: 'check', about: 'write nothing; exit 1 when a file is not what the sources make' },
      JSON_OUT,
    ],
    examples: [
      { line: 'fieldguide export agents', does: 'AGENTS.md; one that was written by hand is never touched' },
      { line: 'fieldguide export llms --base-url https://example.org/', does: 'llms.txt and llms-full.txt' },
      { line: 'fieldguide export agents --check', does: 'in CI: is it what the sources make?' },
    ],
    run: async (args) => (await import('../commands/export.ts')).exportCommand(args),
  },
];
