// Searchable texts for the search benchmark: a real corpus through the compiler's own stages, and the
// same cut into ten thousand documents.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Diagnostics } from '../../build/diagnostics.ts';
import { NO_DISK } from '../../build/disk.ts';
import { examine } from '../../build/examine.ts';
import { nearMisses } from '../../build/near-misses.ts';
import type { Project } from '../../build/project.ts';
import type { Entry } from '../../build/render.ts';
import { renderGuide } from '../../build/render-guide.ts';
import { resolve } from '../../build/resolve.ts';
import { headingText } from '../../build/slug.ts';
import { CUT } from '../../runtime/format.ts';

export const PROJECT: Project = {
  name: 'bench',
  path: '.',
  stack: [],
  modules: [],
  limits: { overview: 1 << 20, module: 1 << 20, response: 1 << 20, session: 10_240, sessions: 51_200 },
  sessions: { store: 'journal', idleMinutes: 30 },
  approval: { allow: [] },
  guide: { root: 'content', categories: undefined, collections: [] },
  files: [],
  prompts: { folder: undefined, place: undefined, content: 'block' },
  ignore: [],
};

/** A document as queries are made from it, and as the rivals get it. */
export type Plain = { key: string; title: string; text: string; sections: readonly { at: number; text: string }[] };

export type Corpus = { entries: Entry[]; documents: Plain[]; sourceBytes: number };

export function readCorpus(archive: string): Corpus {
  const folder = mkdtempSync(join(tmpdir(), 'fieldguide-search-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
    const parsed = paths.sort().map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const input = { path, sha256: '', bytes: Buffer.byteLength(text) };
      return { source: { path: `content/${path}`, text, input }, ...examine(text, true) };
    });
    const around = { files: new Set<string>(), disk: NO_DISK, near: nearMisses(NO_DISK) };
    const guide = resolve(PROJECT.guide, parsed, around, new Diagnostics().report);
    const entries = renderGuide(guide, PROJECT).filter(({ uri }) => uri.startsWith('guide://document/'));
    const sourceBytes = parsed.reduce((sum, { source }) => sum + source.input.bytes, 0);
    return { entries, documents: entries.map(plain), sourceBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function plain({ uri, title, text, cuts }: Entry): Plain {
  const sections = cuts
    .filter(({ kind }) => kind === CUT.heading)
    .map(({ at }) => ({ at, text: headingText(/^.*/.exec(text.slice(at))?.[0] ?? '') }));
  return { key: uri, title, text, sections };
}

/** Documents cut at the first heading after so many characters; the first `most` pieces, titled by their heading. */
export function cutInto(most: number, entries: readonly Entry[], characters = 1000): Entry[] {
  const pieces = entries.flatMap((entry) => {
    const headings = entry.cuts.filter(({ kind }) => kind === CUT.heading);
    const starts = [0];
    for (const { at } of headings) if (at - (starts.at(-1) as number) >= characters) starts.push(at);
    const { counted: _, ...rest } = entry;
    return starts.map((from, n): Entry => {
      const to = starts[n + 1] ?? entry.text.length;
      const cuts = headings.filter(({ at }) => at >= from && at < to).map((cut) => ({ ...cut, at: cut.at - from }));
      const heading = entry.text.slice(from, entry.text.indexOf('\n', from)).replace(/^#+ */, '');
      const title = n === 0 ? entry.title : heading;
      return { ...rest, uri: `${entry.uri}.${n}`, title, text: entry.text.slice(from, to), cuts };
    });
  });
  return pieces.slice(0, most);
}
