// Small bundles to search in, made of literal documents by the compiler's own stages.

import { indexWords, type Searchable } from '../../build/index-words.ts';
import { pack } from '../../build/pack.ts';
import type { Project } from '../../build/project.ts';
import type { Entry } from '../../build/render.ts';
import { searchable } from '../../build/searchable.ts';
import { sectionAnchors } from '../../build/slug.ts';
import { tabulate } from '../../build/tabulate.ts';
import { CUT } from '../../runtime/format.ts';

export const EVERYTHING = { limit: 10, may: () => true, everything: true };

export const PROJECT: Project = {
  name: 'searched',
  path: '.',
  stack: [],
  modules: [],
  limits: { overview: 1 << 20, module: 1 << 20, response: 1 << 20, session: 10_240, sessions: 51_200 },
  sessions: { store: 'journal', idleMinutes: 30 },
  approval: { allow: [] },
  guide: { root: 'content', categories: [], collections: [] },
  files: [],
  prompts: { folder: undefined, place: undefined, content: 'block' },
  ignore: [],
};

/** A document by its name: `title` and text; headings are the lines that start with `#`. */
export type Written = Readonly<Record<string, readonly [title: string, text: string]>>;

export function entriesOf(written: Written): Entry[] {
  return Object.entries(written).map(([name, [title, text]]) => {
    const headings = [...text.matchAll(/^(#+) (.*)$/gm)].map((match) => ({
      from: match.index,
      to: match.index + match[0].length,
      line: 1,
      column: 1,
      level: (match[1] as string).length,
      text: match[2] as string,
    }));
    const anchors = sectionAnchors(headings);
    return {
      uri: uriOf(name),
      name,
      title,
      description: title,
      mediaType: 'text/markdown',
      text,
      cuts: headings.map(({ from, level }, n) => ({
        at: from,
        kind: CUT.heading,
        level,
        label: anchors[n] as string,
      })),
      isListed: true,
    };
  });
}

export function searchablesOf(written: Written): Searchable[] {
  return entriesOf(written).map(searchable);
}

export function searchedBytes(written: Written): Buffer {
  const entries = entriesOf(written);
  return pack({ ...tabulate(PROJECT, entries), find: indexWords(entries.map(searchable)) });
}

export function uriOf(name: string): string {
  return `guide://document/docs/${name}.md`;
}
