// Who is measured: bare Node, the floor, ours in several sizes, and others, each as a command.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from '../../build/pack.ts';
import type { Project } from '../../build/project.ts';
import { render } from '../../build/render.ts';
import { tabulate } from '../../build/tabulate.ts';
import { moduleUri } from '../../runtime/uri.ts';
import { texts } from './texts.cjs';

export type Rival = {
  name: string;
  args: string[];
  /** What it is asked for; undefined: it answers nothing, and only its start is measured. */
  reads?: { small: string; large?: string };
};

const HERE = import.meta.dirname;
const START_FILE = join(HERE, '../../dist/fieldguide.cjs');
const OURS = { small: moduleUri('small'), large: moduleUri('large') };

export function rivals(folder: string): Rival[] {
  const ours = (documents: number, map: string): Rival => ({
    name: `fieldguide, ${documents.toLocaleString('en')} documents, ${map}`,
    args: [START_FILE, 'serve', '--bundle', bundleOf(folder, documents), '--map', map],
    reads: OURS,
  });
  return [
    { name: 'bare Node', args: ['-e', '0'] },
    { name: 'floor (JSON.stringify, by hand)', args: [join(HERE, 'servers/floor.cjs')], reads: OURS },
    ours(10, 'mmap'),
    ours(1000, 'mmap'),
    ours(100_000, 'mmap'),
    ours(10, 'pread'),
    ours(100_000, 'pread'),
    { name: 'minimal server, SDK v1', args: [join(HERE, 'servers/sdk-v1.mjs')], reads: OURS },
    { name: 'minimal server, SDK v2', args: [join(HERE, 'servers/sdk-v2.mjs')], reads: OURS },
    {
      name: 'server-everything',
      args: [join(HERE, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
      reads: { small: 'demo://resource/dynamic/text/1' },
    },
  ];
}

/** A bundle of so many documents: the two texts that are read, and short ones around them. */
function bundleOf(folder: string, documents: number): string {
  const file = join(folder, `${documents}.fgb`);
  const project: Project = {
    name: 'bench',
    path: '.',
    stack: [],
    modules: Array.from({ length: documents - 3 }, (_, n) => ({
      name: `module-${n}`,
      description: `Module number ${n}.`,
      keyFiles: [],
      patterns: [],
      businessRules: [],
      commonIssues: [],
      dependencies: [],
    })),
    limits: { overview: 50 * 1024, module: 20 * 1024, response: 100 * 1024, session: 10_240, sessions: 51_200 },
    sessions: { store: 'journal', idleMinutes: 30 },
    approval: { allow: [] },
    guide: { root: 'content', categories: [], collections: [] },
    files: [],
    prompts: { folder: undefined, place: undefined, content: 'block' },
    ignore: [],
  };
  const pages = (['small', 'large'] as const).map((name) => ({
    uri: moduleUri(name),
    name,
    title: name,
    description: name,
    mediaType: 'text/markdown' as const,
    text: texts[name],
    cuts: [],
    isListed: true,
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, pack(tabulate(project, [...render(project), ...pages])));
  return file;
}
