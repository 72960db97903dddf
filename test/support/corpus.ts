// Real documents to test with, where FIELDGUIDE_CORPUS says they are; skipped aloud elsewhere.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export type CorpusDocument = { path: string; text: string };

/** Every markdown document of the named corpora; undefined, and the test skipped, without them. */
export function corpusDocuments(t: TestContext, names: readonly string[]): CorpusDocument[] | undefined {
  const corpus = process.env.FIELDGUIDE_CORPUS;
  if (corpus === undefined || !names.every((name) => existsSync(join(corpus, `${name}.tar.gz`)))) {
    t.skip('no corpora here: set FIELDGUIDE_CORPUS');
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'fieldguide-corpus-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) execFileSync('tar', ['-xzf', join(corpus, `${name}.tar.gz`), '-C', folder]);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}
