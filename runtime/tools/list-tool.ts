// list_resources: a line for each resource, which says what it is and what reading it costs.

import { answerValue } from '../answer.ts';
import type { Bundle } from '../bundle.ts';
import type { Context } from '../context.ts';
import { encodeCursor } from '../cursor.ts';
import { fromBundle, listUpstreams, moreOfUpstreams, placeAfter } from '../router.ts';
import { sizeInWords } from '../tokens.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

const MOST_LISTED = 100;
const MOST_BYTES = 64 * 1024;

type Listed = { uri: string; title?: string; name: string; description?: string; size?: number };

export function listTool(context: Context, { space, cursor }: ToolArguments): Content[] | Promise<Content[]> {
  if (space === 'upstream') return listUpstream(context, cursor);
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
    if (space === undefined && n >= bundle.listLength && moreOfUpstreams(context).nextCursor !== undefined) {
      lines.push(`Other servers have more: list_resources ${JSON.stringify({ space: 'upstream' })}`);
    }
    if (hasMore(bundle, n, space)) {
      const next = JSON.stringify({ ...(space === undefined ? {} : { space }), cursor: cursorAt(bundle, n - 1) });
      lines.push(`There is more: list_resources ${next}`);
    }
    return text(lines.join('\n'));
  });
}

/** What other servers have, a page of theirs at a time. */
async function listUpstream(context: Context, cursor: ToolArguments[string]): Promise<Content[]> {
  const first = moreOfUpstreams(context).nextCursor;
  if (first === undefined) return text('Nothing is listed here.');
  const answer = await listUpstreams(context, 'resources', String(cursor ?? first));
  const { resources, nextCursor } = answerValue(answer) as { resources: Listed[]; nextCursor?: string };
  const lines = resources.map(lineOf);
  if (nextCursor !== undefined) {
    lines.push(`There is more: list_resources ${JSON.stringify({ space: 'upstream', cursor: nextCursor })}`);
  }
  return text(lines.join('\n'));
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
