// A project with agents, in which every denied thing has a word that stands nowhere else: whoever hears one of
// these words has heard of what the agent `outsider` may not read.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from './command.ts';
import { temporaryFolder } from './folder.ts';

/** A part of each word is asked for, too: nothing may complete or correct it. */
export const SECRET_WORDS = [
  'zephyrine',
  'quokkaline',
  'zanzibari',
  'vermilion',
  'obsidian',
  'wolframite',
  'tourmaline',
  'xenotime',
  'kyanite',
  'jarosite',
  'howlite',
  'ulexite',
  'lazurite',
  'nepheline',
];

export const AGENTS_PROJECT = `version: "1.0"
project: { name: Open shop, description: "Sold under wolframite" }
modules:
  open: { description: For everybody, keyFiles: [{ path: src/open/a.ts }], dependencies: [zephyrine, other] }
  zephyrine: { description: About quokkaline, keyFiles: [{ path: src/zanzibari/a.ts }], businessRules: [Only vermilion] }
  other: { description: Another one, dependencies: [zephyrine] }
guide:
  categories:
    docs: { dir: docs, description: Plain pages }
    obsidian: { dir: hidden, description: Pages of tourmaline }
  collections:
    all: { categories: [docs, obsidian] }
    xenotime: { categories: [obsidian] }
files: [AGENTS.md, README.md, kyanite.md]
agents:
  outsider:
    resources:
      - "**"
      - "!context://project/overview"
      - "!context://module/zephyrine"
      - "!guide://*/obsidian/**"
      - "!guide://category/obsidian"
      - "!guide://document/docs/jarosite*"
      - "!guide://collection/xenotime"
      - "!file://{AGENTS,kyanite}.md"
    tools: ["*", "!record_discovery"]
    prompts: ["*", "!nepheline"]
  beside:
    resources:
      ["**", "!context://module/zephyrine", "!guide://*/obsidian/**", "!guide://category/obsidian",
       "!guide://document/docs/jarosite*", "!guide://collection/xenotime", "!file://kyanite.md"]
    prompts: ["*", "!nepheline"]
  insider: { resources: "*" }
  guided: { resources: ["guide://**"] }
  stranger: {}
  picked: { resources: ["context://**"], tools: [search], prompts: [getting-started, told] }
`;

const FILES = {
  'project.yaml': AGENTS_PROJECT,
  'AGENTS.md': '# Agents\n\nwolframite\n',
  'README.md': '# Read me\n',
  'kyanite.md': '# Kyanite\n',
  'content/docs/intro.md': '---\nappliesTo: ["src/open/**"]\n---\n# Intro\n\nWords for everybody.\n',
  'content/docs/next.md': '# Next\n\nMore words for everybody.\n',
  'content/docs/jarosite.md': '---\ndescription: Of howlite\nappliesTo: ["src/**"]\n---\n# Jarosite\n\nIts ulexite.\n',
  'content/hidden/lazurite.md': '# Lazurite\n\nSee [it](../../src/open/a.ts). Words for nobody.\n',
  'prompts/nepheline.md': 'Do something.\n',
  'prompts/lazurite.md': '---\ndescription: Of xenotime\n---\nRead guide://category/obsidian/**, then go on.\n',
  'prompts/told.md': 'Read `context://module/open` and a module of your own, `context://module/{name}`.\n',
  'src/open/a.ts': '',
  'src/zanzibari/a.ts': '',
};

/** The same without a trace of what `outsider` and `beside` may not read, the rules aside. */
export function builtWithoutSecrets(t: TestContext): string {
  const kept = Object.entries(FILES).filter(([name]) => !/zanzibari|jarosite|lazurite|nepheline|kyanite/.test(name));
  const yaml = AGENTS_PROJECT.replace(/^ {2}zephyrine:.*\n/m, '')
    .replace('[zephyrine, other]', '[other]')
    .replace(', dependencies: [zephyrine]', '')
    .replace(/^ {4}(?:obsidian|xenotime):.*\n/gm, '')
    .replace('[docs, obsidian]', '[docs]')
    .replace(', kyanite.md]', ']');
  const root = temporaryFolder(t, { ...Object.fromEntries(kept), 'project.yaml': yaml });
  rebuild(root);
  return root;
}

/** A folder with the project and its bundle. */
export function builtWithAgents(t: TestContext): string {
  const root = temporaryFolder(t, FILES);
  rebuild(root);
  return root;
}

export function rebuild(root: string, files: Record<string, string> = {}): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { code, stderr } = run(['build', '--root', root]);
  if (code !== 0) throw new Error(stderr);
}
