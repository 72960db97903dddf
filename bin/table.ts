// The command as a table: each sub-command with its options and examples. Help and the documents are
// made from it; bodies are loaded when they are called.

import type { Args, Option, Positionals } from './args.ts';

export type Command = {
  name: string;
  summary: string;
  takes?: Positionals;
  options: readonly Option[];
  examples: readonly { line: string; does: string }[];
  run(args: Args): number | Promise<number>;
};

const ROOT = { name: 'root', value: 'folder', about: 'the project; the current folder unless said' };
const BUNDLE = {
  name: 'bundle',
  value: 'path',
  about: 'bundle file or its folder; dist-index under the root unless said',
};
const MAP = {
  name: 'map',
  value: 'how',
  about: 'how the bundle is read: auto, mmap or pread',
  choices: ['auto', 'mmap', 'pread'],
};
const JSON_OUT = { name: 'json', about: 'print data, not text' };

/** Options that every command has. */
export const SHARED: readonly Option[] = [
  { name: 'help', about: 'show this help' },
  { name: 'debug', about: 'show the stack when something fails' },
];

type Bodies = Record<'build' | 'serve' | 'read' | 'list' | 'search' | 'verify' | 'schema', Command['run']>;

export function commands(bodies: Bodies): Command[] {
  return [
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
      run: bodies.build,
    },
    {
      name: 'serve',
      summary: 'serve a bundle over MCP on stdio',
      options: [ROOT, BUNDLE, MAP, { name: 'verbose', about: 'say on stderr what is served and how' }],
      examples: [
        { line: 'fieldguide serve', does: 'what a client runs; it speaks MCP on stdin and stdout' },
        { line: 'fieldguide serve --bundle /srv/guides/shop.fgb', does: 'serve one bundle file' },
      ],
      run: bodies.serve,
    },
    {
      name: 'read',
      summary: 'print what an agent gets for a URI',
      takes: { written: '<uri>', least: 1, most: 1 },
      options: [ROOT, BUNDLE, MAP, JSON_OUT],
      examples: [
        { line: 'fieldguide read context://project/overview', does: 'the first page an agent reads' },
        { line: 'fieldguide read context://module/auth --json', does: 'the answer as the protocol has it' },
      ],
      run: bodies.read,
    },
    {
      name: 'list',
      summary: 'print the resources there are',
      options: [ROOT, BUNDLE, MAP, JSON_OUT],
      examples: [{ line: 'fieldguide list', does: 'every resource with its size' }],
      run: bodies.list,
    },
    {
      name: 'search',
      summary: 'search everything, as an agent would',
      takes: { written: '<words…>', least: 1, most: Number.POSITIVE_INFINITY },
      options: [
        ROOT,
        BUNDLE,
        MAP,
        { name: 'space', value: 'name', about: 'only there', choices: ['context', 'guide', 'file', 'prompt'] },
        { name: 'limit', value: 'n', about: 'how many are shown; 10 unless said' },
        JSON_OUT,
      ],
      examples: [
        { line: 'fieldguide search refresh token', does: 'the best sections, and why they match' },
        { line: 'fieldguide search release --space guide --limit 3', does: 'three, from the guide only' },
      ],
      run: bodies.search,
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
      run: bodies.verify,
    },
    {
      name: 'schema',
      summary: 'print the JSON Schema of project.yaml, for editors',
      options: [],
      examples: [{ line: 'fieldguide schema > project.schema.json', does: 'keep it beside project.yaml' }],
      run: bodies.schema,
    },
  ];
}
