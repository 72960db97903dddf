// list_resources: a line for each resource, which says what it is and what reading it costs.

import { answerValue } from '../answer.ts';
import type { Context } from '../context.ts';
import { Listed } from '../listed.ts';
import { fromBundle, listUpstreams, moreOfUpstreams } from '../router.ts';
import { sizeInWords } from '../tokens.ts';
import { type Content, type ToolArguments, text } from './tool.ts';

const MOST_LISTED = 100;
const MOST_BYTES = 64 * 1024;

type Entry = { uri: string; title?: string; name: string; description?: string; size?: number };

export function listTool(context: Context, { space, cursor }: ToolArguments): Content[] | Promise<Content[]> {
  if (space === 'upstream') return listUpstream(context, cursor);
  return fromBundle(context, undefined, (bundle) => {
    const listed = new Listed(bundle, context.access);
    const first = cursor === undefined ? 0 : listed.placeAfter(String(cursor));
    const lines: string[] = [];
    let n = first;
    let room = MOST_BYTES;
    for (; n < listed.length && lines.length < MOST_LISTED && room > 0; n++) {
      const { json, uri } = listed.entry(n);
      if (space !== undefined && !uri.startsWith(`${space}://`)) continue;
      const line = lineOf(JSON.parse(json.toString('utf8')));
      room -= Buffer.byteLength(line);
      lines.push(line);
    }
    if (lines.length === 0) lines.push('Nothing is listed here.');
    if (space === undefined && n >= listed.length && moreOfUpstreams(context).nextCursor !== undefined) {
      lines.push(`Other servers have more: list_resources ${JSON.stringify({ space: 'upstream' })}`);
    }
    if (hasMore(listed, n, space)) {
      const next = JSON.stringify({ ...(space === undefined ? {} : { space }), cursor: listed.cursorAt(n - 1) });
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
  const { resources, nextCursor } = answerValue(answer) as { resources: Entry[]; nextCursor?: string };
  const lines = resources.map(lineOf);
  if (nextCursor !== undefined) {
    lines.push(`There is more: list_resources ${JSON.stringify({ space: 'upstream', cursor: nextCursor })}`);
  }
  return text(lines.join('\n'));
}

function lineOf({ uri, title, name, description, size }: Entry): string {
  const label = title ?? name;
  const about = description === undefined || description === label ? '' : `: ${description}`;
  return `- ${uri} — ${label}${about}${size === undefined ? '' : ` (${sizeInWords(size)})`}`;
}

/** Spaces stand together in the list, so the next entry tells, unless others come before the space begins. */
function hasMore(listed: Listed, n: number, space: ToolArguments[string]): boolean {
  if (n >= listed.length) return false;
  return space === undefined || listed.entry(n).uri.startsWith(`${space}://`);
}
