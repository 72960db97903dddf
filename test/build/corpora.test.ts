// Real documents: what is served is the source but for front matter and links, byte for byte, and what is
// reported is little enough to be read.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { test } from 'node:test';
import { Diagnostics } from '../../build/diagnostics.ts';
import { examineAll } from '../../build/examine-all.ts';
import { nearMisses } from '../../build/near-misses.ts';
import { type Document, resolve } from '../../build/resolve.ts';
import { type CorpusDocument, corpusDocuments } from '../support/corpus.ts';
import { diskOf } from '../support/disk.ts';

const PLACE = { file: 'project.yaml', line: 1, column: 1 };
/** More of any one kind would not be read by anybody. */
const MOST_OF_A_KIND = 50;

test('over all corpora, the rewriting undone gives back every document byte for byte', {
  timeout: 600_000,
}, async (t) => {
  for (const name of ['rust-book', 'vue-docs', 'kubernetes-en', 'github-docs']) {
    const documents = corpusDocuments(t, [name]);
    if (documents === undefined) return;
    const diagnostics = new Diagnostics();
    const served = await serve(name, documents, diagnostics);
    assert.equal(served.length, documents.length, `${name}: every document is served`);
    const sources = new Map(documents.map(({ path, text }) => [path, text]));
    let rewritten = 0;
    for (const document of served) rewritten += assertUndone(document, sources);
    assert.ok(rewritten > 0 || name === 'github-docs', `${name}: some links were rewritten`);
    const found = diagnostics.sorted();
    assert.ok(!found.some(({ code }) => code === 'more-problems'), `${name}: at most ${MOST_OF_A_KIND} of a kind`);
    t.diagnostic(`${name}: ${served.length} documents, ${rewritten} links rewritten, ${found.length} problems`);
  }
});

async function serve(
  name: string,
  documents: readonly CorpusDocument[],
  diagnostics: Diagnostics,
): Promise<readonly Document[]> {
  const sources = documents.map(({ path, text }) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { path, text, input: { path, sha256, bytes: text.length } };
  });
  const parsed = await examineAll(sources, new Map(), diagnostics.report);
  const disk = diskOf(Object.fromEntries(documents.map(({ path, text }) => [path, text])));
  const categories = [{ name: 'all', dir: name, patterns: ['**'], place: PLACE }];
  const guide = resolve(
    { root: '', categories, collections: [] },
    parsed,
    { files: new Set(), disk, near: nearMisses(disk) },
    diagnostics.report,
  );
  return guide.categories[0]?.documents ?? [];
}

/** Puts the written destinations back where a URI of ours stands; gives the number of those. */
function assertUndone({ source, page, served }: Document, sources: ReadonlyMap<string, string>): number {
  const original = sources.get(source) as string;
  let undone = '';
  let at = 0;
  let from = page?.bodyAt ?? 0;
  let count = 0;
  for (const link of [...(page?.links ?? [])].sort((a, b) => a.from - b.from)) {
    const piece = original.slice(from, link.from);
    undone += served.text.slice(at, at + piece.length);
    at += piece.length;
    const written = original.slice(link.from, link.to);
    const uri = /^guide:\/\/document\/all\/([^\s<>()#]*)(?:#[^\s<>)]*)?/.exec(served.text.slice(at, at + 2048));
    if (uri !== null && !written.startsWith('guide:')) {
      assertLeadsTo(
        source,
        link.url,
        posix.join(source.split('/')[0] as string, decodeURIComponent(uri[1] as string)),
        sources,
      );
      at += uri[0].length;
      count++;
    } else at += written.length;
    undone += written;
    from = link.to;
  }
  undone += served.text.slice(at);
  assert.ok(Buffer.from(undone).equals(Buffer.from(original.slice(page?.bodyAt ?? 0))), source);
  return count;
}

/** The link as written, completed as site generators do, names the file that the URI names. */
function assertLeadsTo(source: string, url: string, target: string, sources: ReadonlyMap<string, string>): void {
  assert.ok(sources.has(target), `${source}: ${url} was turned into a URI of ${target}, which is not there`);
  const path = posix.join(posix.dirname(source), decodeURIComponent(url.replace(/[?#].*$/s, '')));
  const stem = path.replace(/\/$/, '').replace(/\.(md|html)$/, '');
  assert.ok(
    target === path || target.startsWith(`${stem}.`) || target.startsWith(`${stem}/`),
    `${source}: ${url} is not ${target}`,
  );
}
