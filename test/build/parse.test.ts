import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Nodes, Parents } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parse } from '../../build/parse.ts';
import { type CorpusDocument, corpusDocuments } from '../support/corpus.ts';

test('headings of both kinds have their level, words and place', () => {
  const text =
    '# One `two` *three* \\* &amp; {#id}\n\nText\n===\n\nMore\ntext\n---\n\n> ### In a quote ###\n\n    # code\n\n```\n# code\n```\n';
  assert.deepEqual(
    parse(text).sections.map(({ level, text: words, line, column }) => [level, words, line, column]),
    [
      [1, 'One two three * & {#id}', 1, 1],
      [1, 'Text', 3, 1],
      [2, 'More text', 6, 1],
      [3, 'In a quote', 10, 3],
    ],
  );
});

test('links, images and definitions are found with exactly the text that would be replaced', () => {
  const text =
    '[a](b.md) ![c](<d e.png> "t") [f](g%20h.md#i) [j][k]\n\n[k]: l.md\n\n`[no](no.md)` <https://x.y> [m](n\\_o.md) [p](&auml;.md)\n';
  const { links } = parse(text);
  assert.deepEqual(
    links.map(({ from, to, url }) => [text.slice(from, to), url]),
    [
      ['b.md', 'b.md'],
      ['d e.png', 'd e.png'],
      ['g%20h.md#i', 'g%20h.md#i'],
      ['l.md', 'l.md'],
      ['n\\_o.md', 'n_o.md'],
      ['&auml;.md', 'ä.md'],
    ],
  );
});

test('front matter is found where it stands, and only there', () => {
  const page = parse('---\ntitle: a\n---\n# Text\n');
  assert.deepEqual([page.frontMatter?.from, page.frontMatter?.to, page.frontMatter?.line, page.bodyAt], [4, 13, 2, 17]);
  assert.deepEqual(parse('---\n---\nx').frontMatter, { from: 4, to: 4, line: 2, column: 1 });
  for (const other of [
    'a\n---\nb: c\n---\n',
    '---js\nx\n---\n',
    ' ---\na: b\n---\n',
    '+++\na = 1\n+++\n',
    '---\nnever closed\n',
  ]) {
    assert.equal(parse(other).frontMatter, undefined, other);
    assert.equal(parse(other).bodyAt, 0);
  }
  const windows = '---\r\ntitle: a\r\n---\r\ntext';
  assert.equal(windows.slice(parse(windows).bodyAt), 'text');
});

test('places that HTML names are anchors', () => {
  assert.deepEqual(parse('<a name="one"></a> text <b id=two>x</b>\n\n<div\n  id=\'three\'>\n').htmlAnchors, [
    'one',
    'two',
    'three',
  ]);
});

const remark = unified().use(remarkParse).freeze();

/** Destinations by remark-parse, autolinks aside. */
function remarkUrls(node: Nodes, text: string, urls: string[] = []): string[] {
  const autolink = text[(node as Parents).position?.start.offset ?? 0] === '<';
  if ((node.type === 'link' && !autolink) || node.type === 'image' || node.type === 'definition') urls.push(node.url);
  if ('children' in node) for (const child of node.children) remarkUrls(child, text, urls);
  return urls;
}

test('over the corpora it finds the links and headings that remark-parse finds', { timeout: 600_000 }, (t) => {
  const documents = corpusDocuments(t, ['rust-book', 'vue-docs', 'kubernetes-en', 'github-docs']);
  if (documents === undefined) return;
  const isCompared = ({ path, text }: CorpusDocument, n: number): boolean =>
    (/^(rust-book|vue-docs)/.test(path) || n % 10 === 0) && !/\[\^/.test(text);
  for (const { path, text } of documents.filter(isCompared)) {
    const plain = text.replace(/^\ufeff/, '');
    const body = plain.slice(parse(plain).bodyAt);
    const { links, sections } = parse(`\n${body}`);
    const tree = remark.parse(`\n${body}`);
    const theirs = remarkUrls(tree, `\n${body}`).filter((url) => url !== '');
    const ours = links.map(({ url }) => url).filter((url) => url !== '');
    assert.deepEqual(ours.sort(), theirs.sort(), path);
    if (TABLE.test(body)) continue;
    assert.deepEqual(
      sections.map((section) => [section.level, words(section.text)]),
      remarkHeadings(tree).map(([level, heading]) => [level, words(heading)]),
      path,
    );
  }
});

/** A table may hold what looks like a heading's underline; plain remark-parse knows no tables. */
const TABLE = /^\s*\|?\s*:?-+:?\s*\|/m;

function remarkHeadings(node: Nodes, found: [number, string][] = []): [number, string][] {
  if (node.type === 'heading') found.push([node.depth, plainText(node)]);
  else if ('children' in node) for (const child of node.children) remarkHeadings(child, found);
  return found;
}

function plainText(node: Nodes): string {
  if (node.type === 'html') return '';
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

/** Strikethrough is not known to plain remark-parse; spaces do not count. */
function words(text: string): string {
  return text.replace(/\s+|~~/g, '');
}

test('a byte order mark moves every place by one', () => {
  const text = '\ufeff---\na: b\n---\n[a](b.md)\n';
  const { links, bodyAt, frontMatter } = parse(text);
  assert.equal(text.slice(links[0]?.from, links[0]?.to), 'b.md');
  assert.equal(text.slice(frontMatter?.from, frontMatter?.to), 'a: b\n');
  assert.equal(text.slice(bodyAt), '[a](b.md)\n');
});
