// The served text of a document: its source without front matter, relative links turned into the URIs
// under which their targets are served, by source offsets. Every other byte stays.

import { posix } from 'node:path';
import { safeInLink } from '../runtime/uri.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import { didYouMean, type NearMisses } from './near-misses.ts';
import type { Link, Page } from './parse.ts';

/** What a link can lead to; paths are from the root of the repository. */
export type Targets = {
  /** The URI under which a file is served, seen from the linking document's category. */
  uriOf(path: string): string | undefined;
  anchorsOf(path: string): ReadonlySet<string> | undefined;
  exists(path: string): boolean;
  near: NearMisses;
};

export type ServedText = {
  text: string;
  /** The place in the served text of a place in the source. */
  placeOf(at: number): number;
};

const MARKDOWN = /\.(md|markdown)$/i;
/** A file that no site generator makes from another. Pictures are not looked for: agents do not see them. */
const FILE = /\.(?!html?$|png$|jpe?g$|gif$|svg$|webp$|avif$|ico$|mp4$|webm$|pdf$)[a-z][a-z0-9]{0,9}$/i;
/** Schemes, site-absolute paths, and what a template engine will fill in. */
const NOT_RELATIVE = /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|\/|$)|\{\{|\{%|<%|\$\{/;

export function serveText(file: string, source: string, page: Page, targets: Targets, report: Report): ServedText {
  const edits: { from: number; to: number; text: string }[] = [{ from: 0, to: page.bodyAt, text: '' }];
  for (const link of [...page.links].sort((a, b) => a.from - b.from)) {
    const uri = targetUri(file, link, source.slice(link.from, link.to), targets, report);
    if (uri !== undefined) edits.push({ from: link.from, to: link.to, text: uri });
  }
  let text = '';
  let at = 0;
  for (const edit of edits) {
    text += source.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  text += source.slice(at);
  return { text, placeOf: (place) => movedPlace(edits, place) };
}

function movedPlace(edits: readonly { from: number; to: number; text: string }[], place: number): number {
  let moved = place;
  for (const { from, to, text } of edits) {
    if (from > place) break;
    moved += text.length - (Math.min(to, place) - from);
  }
  return moved;
}

/** Where a relative link leads, from the root of the repository; undefined for any other, and for one that leaves it. */
export function linkedPath(file: string, url: string): string | undefined {
  if (NOT_RELATIVE.test(url)) return undefined;
  const target = url.replace(/[?#].*$/s, '');
  const path = target === '' ? file : posix.join(posix.dirname(file), decoded(target));
  return path.startsWith('../') ? undefined : path;
}

/** The URI that takes the link's place; undefined: it stays as it is. */
function targetUri(file: string, link: Link, written: string, targets: Targets, report: Report): string | undefined {
  const { url } = link;
  const place = { file, line: link.line, column: link.column };
  const [, target = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
  const path = linkedPath(file, url);
  if (path === undefined) return undefined;
  const found = candidates(path).find((candidate) => targets.uriOf(candidate) !== undefined);
  if (found === undefined) {
    if (!MARKDOWN.test(path)) {
      if (FILE.test(path) && !targets.exists(path)) report(broken(place, url, path, targets.near));
      return undefined;
    }
    if (targets.exists(path)) {
      report(
        problem(
          'link-not-served',
          place,
          `${url} is not part of the guide.`,
          'Give its folder a category, or link to what is served.',
        ),
      );
    } else report(broken(place, url, path, targets.near));
    return undefined;
  }
  const anchors = targets.anchorsOf(found);
  if (anchor !== undefined && anchor !== '' && anchor !== 'top' && anchors?.has(decoded(anchor)) === false) {
    const near = targets.near.name(decoded(anchor), anchors);
    const fix = didYouMean(near === undefined ? undefined : `#${near}`, 'Name a heading of that document.');
    report(problem('anchor-broken', place, `${url} names an anchor that is not there.`, fix));
  }
  if (target === '') return undefined;
  return `${safeInLink(targets.uriOf(found) as string)}${anchor === undefined ? '' : writtenAnchor(written, anchor)}`;
}

/** The anchor with its escapes, as the author wrote it; its plain form where that cannot be told. */
function writtenAnchor(written: string, anchor: string): string {
  const at = written.indexOf('#');
  return at >= 0 && !/[&\\]/.test(written.slice(0, at)) ? written.slice(at) : `#${encodeURIComponent(anchor)}`;
}

function broken(place: Place, url: string, path: string, near: NearMisses) {
  const found = near.path(path);
  const written = found === undefined ? undefined : posix.relative(posix.dirname(place.file), found);
  const fix = didYouMean(written, 'Mend the path, or remove the link.');
  return problem('link-broken', place, `${url} leads to no file.`, fix);
}

/** A path as written, and as site generators complete it. */
function candidates(path: string): string[] {
  if (MARKDOWN.test(path)) return [path];
  const folder = path.replace(/\/$/, '');
  return [
    path,
    `${folder}.md`,
    folder.replace(/\.html$/, '.md'),
    ...['index.md', '_index.md', 'README.md'].map((name) => `${folder}/${name}`),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
