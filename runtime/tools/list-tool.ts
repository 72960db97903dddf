// list_resources: a line for each resource, which says what it is and what reading it costs.

import type { Bundle } from '../bundle.ts';
import type { Context } from '../context.ts';
import { encodeCursor } from '../cursor.ts';
import { fromBundle, placeAfter } from '../router.ts';
import { sizeInWords } from '../tokens.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

const MOST_LISTED = 100;
const MOST_BYTES = 64 * 1024;

type Listed = { uri: string; title?: string; name: string; description?: string; size?: number };

export function listTool(context: Context, { space, cursor }: ToolArguments): Content[] {
  return fromBundle(context, undefined, (bundle) => {
    const first = cursor === undefined ? 0 : placeAfter(context, bundle, String(cursor));
    const lines: string[] = [];
    let n = first;
    let room = MOST_BYTES;
    for (; n < bundle.listLength && lines.length < MOST_LISTED && room > 0; n++) {
      const { json, uri } = bundle.entry(n);
      if (space !== undefined && !uri.startsWith(`${space}://`)) continue;
      if (!context.access.may(uri)) continue;
      const line = lineOf(JSON.parse(json.toString('utf8')));
      room -= Buffer.byteLength(line);
      lines.push(line);
    }
    if (lines.length === 0) lines.push('Nothing is listed here.');
    if (hasMore(bundle, n, space)) {
      const next = JSON.stringify({ ...(space === undefined ? {} : { space }), cursor: cursorAt(bundle, n - 1) });
      lines.push(`There is more: list_resources ${next}`);
    }
    return text(lines.join('\n'));
  });
}

function lineOf({ uri, title, name, description, size }: Listed): string {
  const label = title ?? name;
  const about = description === undefined || description === label ? '' : `: ${description}`;
  return `- ${uri} — ${label}${about}${size === undefined ? '' : ` (${sizeInWords(size)})`}`;
}

/** Spaces stand together in the list, so the next entry tells, unless others come before the space begins. */
function hasMore(bundle: Bundle, n: number, space: ToolArguments[string]): boolean {
  if (n >= bundle.listLength) return false;
  return space === undefined || bundle.entry(n).uri.startsWith(`${space}://`);
}

function cursorAt(bundle: Bundle, n: number): string {
  return encodeCursor(bundle.entry(n).uri, n);
}
