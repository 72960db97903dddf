// Pages of a text that was made when it was asked for, cut as the compiler would have cut it.

import type { StoredText } from './bundle.ts';
import { escapeText, FLAG, MEDIA_TYPES } from './format.ts';
import { pageStarts } from './paginate.ts';

const MARKDOWN = MEDIA_TYPES.indexOf('text/markdown');

export function pagesOf(uri: string, text: string, limit: number): StoredText[] {
  const starts = pageStarts(uri, text, limit);
  const pages = Math.max(1, starts.length);
  return Array.from({ length: pages }, (_, n): StoredText => {
    const part = text.slice(starts[n] ?? 0, starts[n + 1]);
    return {
      stored: escapeText(part),
      rawLength: Buffer.byteLength(part),
      mediaType: MARKDOWN,
      flags: FLAG.text,
      page: n + 1,
      pages,
    };
  });
}
