// Source to Page: where a document's title, sections and links stand, by offsets into its text. Nothing
// is rewritten here, and no tree is built: the tokenizer that remark-parse rests on gives the places of
// everything, at three quarters of its cost. Whatever stands between the places stays as it is.

import { parse as micromark, postprocess, preprocess } from 'micromark';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { decodeString } from 'micromark-util-decode-string';
import type { Event, Token } from 'micromark-util-types';

/** A stretch of the source, in characters, with the place where it starts for people. */
export type Span = { from: number; to: number; line: number; column: number };

export type Section = Span & { level: number; text: string };

/** The destination of a link, image or definition: `span` is exactly what would be replaced. */
export type Link = Span & { url: string };

export type Page = {
  /** The YAML between the front matter's fences, and where the text after it starts. */
  frontMatter: Span | undefined;
  bodyAt: number;
  sections: readonly Section[];
  links: readonly Link[];
  /** Places that HTML names: `<a name="x">`, `id="x"`. */
  htmlAnchors: readonly string[];
};

const EXTENSIONS = [frontmatter(['yaml']), gfmTable(), gfmFootnote(), gfmStrikethrough(), gfmTaskListItem()];

const DESTINATIONS = new Set(['resourceDestinationString', 'definitionDestinationString']);
const HEADINGS = new Set(['atxHeading', 'setextHeading']);
const HTML = new Set(['htmlFlow', 'htmlText']);

/** The places in a text; the tokenizer drops a byte order mark, so offsets move past it. */
export function parse(source: string): Page {
  if (!source.startsWith('\ufeff')) return parsePlain(source);
  const page = parsePlain(source.slice(1));
  const moved = <Place extends Span>(span: Place): Place => ({ ...span, from: span.from + 1, to: span.to + 1 });
  return {
    ...page,
    frontMatter: page.frontMatter && moved(page.frontMatter),
    bodyAt: page.bodyAt === 0 ? 0 : page.bodyAt + 1,
    sections: page.sections.map(moved),
    links: page.links.map(moved),
  };
}

function parsePlain(text: string): Page {
  const events = postprocess(
    micromark({ extensions: EXTENSIONS })
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const sections: Section[] = [];
  const links: Link[] = [];
  const htmlAnchors: string[] = [];
  let frontMatter: Span | undefined;
  let bodyAt = 0;
  let heading: { token: Token; level: number; words: string[] } | undefined;
  for (const [kind, token] of events as Event[]) {
    const type: string = token.type;
    if (kind === 'enter') {
      if (HEADINGS.has(type)) heading = { token, level: type === 'setextHeading' ? 2 : 0, words: [] };
      else if (heading !== undefined) readHeading(heading, type, token, text);
      if (DESTINATIONS.has(type)) links.push({ ...spanOf(token), url: decodeString(sliceOf(text, token)) });
      else if (type === 'yaml') {
        frontMatter = frontMatterSpan(token, text);
        bodyAt = afterLine(text, token.end.offset);
      } else if (HTML.has(type)) htmlAnchors.push(...anchorsIn(sliceOf(text, token)));
    } else if (heading !== undefined && token === heading.token) {
      sections.push({ ...spanOf(token), level: Math.max(1, heading.level), text: heading.words.join('').trim() });
      heading = undefined;
    }
  }
  return { frontMatter, bodyAt, sections, links, htmlAnchors };
}

/** Gathers the level of a heading and the words that people see in it. */
function readHeading(heading: { level: number; words: string[] }, type: string, token: Token, text: string): void {
  if (type === 'atxHeadingSequence' && heading.level === 0) heading.level = token.end.offset - token.start.offset;
  else if (type === 'setextHeadingLineSequence') heading.level = text[token.start.offset] === '=' ? 1 : 2;
  else if (type === 'data' || type === 'codeTextData' || type === 'characterEscapeValue')
    heading.words.push(sliceOf(text, token));
  else if (type === 'characterReference') heading.words.push(decodeString(sliceOf(text, token)));
  else if (type === 'lineEnding') heading.words.push(' ');
}

function spanOf(token: Token): Span {
  return { from: token.start.offset, to: token.end.offset, line: token.start.line, column: token.start.column };
}

function sliceOf(text: string, token: Token): string {
  return text.slice(token.start.offset, token.end.offset);
}

function frontMatterSpan(token: Token, text: string): Span {
  const from = afterLine(text, token.start.offset);
  const to = Math.max(from, text.lastIndexOf('\n', token.end.offset - 1) + 1);
  return { from, to, line: token.start.line + 1, column: 1 };
}

/** The start of the line after the one that `at` is in. */
function afterLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}

function anchorsIn(html: string): string[] {
  return [...html.matchAll(/\b(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
