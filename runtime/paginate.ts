// Where a long text is cut into pages: at a heading if one is near, else at a line, else, in a line
// that is longer than a page, between two characters.

import { pageNotice } from './pages.ts';

const LEAST_PAGE_BYTES = 256;
const MOST_PAGES = 999_999;

/** Where each page starts, in characters; empty when the text fits into `limit` bytes. */
export function pageStarts(uri: string, text: string, limit: number): number[] {
  if (Buffer.byteLength(text) <= limit) return [];
  const room = Math.max(LEAST_PAGE_BYTES, limit - Buffer.byteLength(pageNotice(uri, MOST_PAGES, MOST_PAGES)));
  const starts = [0];
  for (let at = 0; ; ) {
    const end = endWithin(text, at, room);
    if (end >= text.length) return starts;
    at = niceCut(text, at, end);
    starts.push(at);
  }
}

/** The end of the longest run of whole characters from `at` that fits into `room` bytes. */
function endWithin(text: string, at: number, room: number): number {
  let bytes = 0;
  let end = at;
  while (end < text.length) {
    const code = text.codePointAt(end) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > room) break;
    end += code < 0x10000 ? 1 : 2;
  }
  return end;
}

function niceCut(text: string, at: number, end: number): number {
  const window = text.slice(at, end);
  const headings = [...window.matchAll(/\n(?=#{1,6} )/g)];
  const lastHeading = headings.at(-1)?.index ?? -1;
  if (lastHeading > window.length / 3) return at + lastHeading + 1;
  const lastLine = window.lastIndexOf('\n');
  return lastLine > 0 ? at + lastLine + 1 : end;
}
