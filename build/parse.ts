// Source to Page: where a document's title, sections and links stand, by offsets into its text. Nothing
// is rewritten here, and no tree is built: the tokenizer that remark-parse rests on gives the places of
// everything. Emphasis moves no link and no heading, so it is left out of the tokenizer (half of the
// markup made to hang a parser goes with it) and read again only in headings that have some.

import { parse as micromark, postprocess, preprocess } from 'micromark';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { decodeString } from 'micromark-util-decode-string';
import { subtokenize } from 'micromark-util-subtokenize';
import type { Event, Extension, Token } from 'micromark-util-types';
import { type IgnoreComment, ignoreCommentsIn, reachOver } from './silence-comments.ts';

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

/** A fenced block in a language of shells; each line without the marks of the list or quote around it. */
export type ShellBlock = { language: string; lines: readonly Span[] };

/** What is used up when a document is examined, beside what is kept. */
export type Found = Page & { shell: readonly ShellBlock[]; ignores: readonly IgnoreComment[] };

const NO_EMPHASIS: Extension = { disable: { null: ['attention', 'hardBreakEscape'] } };
const ALWAYS: Extension[] = [frontmatter(['yaml']), NO_EMPHASIS];
const TABLE = gfmTable();
const FOOTNOTE = gfmFootnote();
const STRIKETHROUGH = gfmStrikethrough();
/** A row of hyphens with a colon makes a table even without a bar. */
const TABLE_SIGN = /\||^[\s>]*(?::-|-+:)/m;

/** Extensions are costly where they find nothing, so they are used where they could. */
function extensionsFor(text: string): Extension[] {
  return [...ALWAYS, ...(TABLE_SIGN.test(text) ? [TABLE] : []), ...(text.includes('[^') ? [FOOTNOTE] : [])];
}

const DESTINATIONS = new Set(['resourceDestinationString', 'definitionDestinationString']);
const HEADINGS = new Set(['atxHeading', 'setextHeading']);
const HTML = new Set(['htmlFlow', 'htmlText']);
const MOST_HEADING = 1000;
const SHELL = /^(?:sh|bash|zsh|shell|console|shell-?session)(?![\w-])/i;

/** The places in a text; the tokenizer drops a byte order mark, so offsets move past it. */
export function parse(source: string): Found {
  if (!source.startsWith('\ufeff')) return parsePlain(source);
  const page = parsePlain(source.slice(1));
  const moved = <Place extends Span>(span: Place): Place => ({ ...span, from: span.from + 1, to: span.to + 1 });
  return {
    ...page,
    frontMatter: page.frontMatter && moved(page.frontMatter),
    bodyAt: page.bodyAt === 0 ? 0 : page.bodyAt + 1,
    sections: page.sections.map(moved),
    links: page.links.map(moved),
    shell: page.shell.map(({ language, lines }) => ({ language, lines: lines.map(moved) })),
  };
}

function parsePlain(text: string): Found {
  const events = micromark({ extensions: extensionsFor(text) })
    .document()
    .write(preprocess()(text, undefined, true));
  do passOverPlainText(events, text);
  while (!subtokenize(events));
  const sections: Section[] = [];
  const links: Link[] = [];
  const htmlAnchors: string[] = [];
  const shell: ShellBlock[] = [];
  const ignores: IgnoreComment[] = [];
  let shellLines: Span[] | undefined;
  let frontMatter: Span | undefined;
  let bodyAt = 0;
  let heading: { token: Token; level: number; words: string[]; hidden?: Token | undefined } | undefined;
  for (const [kind, token] of events as Event[]) {
    const type: string = token.type;
    if (kind === 'enter') {
      if (HEADINGS.has(type)) heading = { token, level: type === 'setextHeading' ? 2 : 0, words: [] };
      else if (heading !== undefined && heading.hidden === undefined) readHeading(heading, type, token, text);
      if (DESTINATIONS.has(type)) links.push({ ...spanOf(token), url: decodeString(sliceOf(text, token)) });
      else if (type === 'yaml') {
        frontMatter = frontMatterSpan(token, text);
        bodyAt = afterLine(text, token.end.offset);
      } else if (HTML.has(type)) {
        htmlAnchors.push(...anchorsIn(sliceOf(text, token)));
        for (const comment of ignoreCommentsIn(sliceOf(text, token), token.start)) ignores.push(comment);
      } else if (type === 'codeFenced') {
        reachOver(ignores, token.start.line, token.end.line);
      } else if (type === 'codeFencedFenceInfo') {
        const [language] = SHELL.exec(sliceOf(text, token)) ?? [];
        shellLines = language === undefined ? undefined : [];
        if (language !== undefined && shellLines !== undefined) shell.push({ language, lines: shellLines });
      } else if (type === 'codeFlowValue') shellLines?.push(spanOf(token));
    } else if (type === 'codeFenced') {
      shellLines = undefined;
    } else if (heading !== undefined && token === heading.hidden) {
      heading.hidden = undefined;
    } else if (heading !== undefined && token === heading.token) {
      sections.push({
        ...spanOf(token),
        level: Math.max(1, heading.level),
        text: withoutEmphasis(heading.words.join('')).trim(),
      });
      heading = undefined;
    }
  }
  return { frontMatter, bodyAt, sections, links, htmlAnchors, shell, ignores };
}

/**
 * Inline markup is looked for only where it can matter: in headings, and in runs of lines that have a link
 * with a destination, or HTML. Most text has neither, and most of the time went into it.
 */
function passOverPlainText(events: Event[], text: string): void {
  let isHeading = false;
  for (const [kind, token] of events) {
    if (HEADINGS.has(token.type)) isHeading = kind === 'enter';
    if (kind === 'exit' || isHeading || token.contentType !== 'text' || token.previous !== undefined) continue;
    let last = token;
    while (last.next !== undefined) last = last.next;
    const run = text.slice(token.start.offset, last.end.offset);
    if (run.includes('](') || run.includes('<')) continue;
    for (let at: Token | undefined = token; at !== undefined; at = at.next) delete at.contentType;
  }
}

/** Gathers the level of a heading and the words that people see in it. */
function readHeading(
  heading: { level: number; words: string[]; hidden?: Token | undefined },
  type: string,
  token: Token,
  text: string,
): void {
  if (type === 'atxHeadingSequence' && heading.level === 0) heading.level = token.end.offset - token.start.offset;
  else if (type === 'setextHeadingLineSequence') heading.level = text[token.start.offset] === '=' ? 1 : 2;
  else if (type === 'resource' || type === 'reference') heading.hidden = token;
  else if (type === 'data') heading.words.push(sliceOf(text, token));
  else if (type === 'codeTextData' || type === 'characterEscapeValue')
    heading.words.push(escapePunctuation(sliceOf(text, token)));
  else if (type === 'characterReference') heading.words.push(escapePunctuation(decodeString(sliceOf(text, token))));
  else if (type === 'lineEnding') heading.words.push(' ');
}

/** So that it stands for itself when the heading's words are read once more. */
function escapePunctuation(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** The words of a heading as people see them; a heading too long to be one is taken as it stands. */
function withoutEmphasis(words: string): string {
  if (!/[*_~]/.test(words) || words.length > MOST_HEADING) return unescapePunctuation(words);
  const events = postprocess(
    micromark({ extensions: [STRIKETHROUGH] })
      .text()
      .write(preprocess()(words, undefined, true)),
  );
  return events
    .filter(([kind, { type }]) => kind === 'enter' && (type === 'data' || type === 'characterEscapeValue'))
    .map(([, token]) => sliceOf(words, token))
    .join('');
}

function unescapePunctuation(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
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
