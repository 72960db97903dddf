// The space context://: the project's overview and its modules, stored ready for the wire.

import { advise } from '../advice.ts';
import { type Answer, escaped, textContents } from '../answer.ts';
import type { Bundle, Texts } from '../bundle.ts';
import { Failure } from '../failure.ts';
import { MEDIA_TYPES } from '../format.ts';
import { nearest } from '../nearest.ts';
import { pageNotice } from '../pages.ts';
import { type ContextAddress, type ForAddress, MODULE_PREFIX } from '../uri.ts';

/** Names compared for a near miss, at most; the rest would cost more than the hint is worth. */
const MOST_COMPARED = 5000;

export const CONTEXT_TEMPLATES = [
  {
    uriTemplate: 'context://module/{name}',
    name: 'Module Detail',
    title: 'Module Detail',
    description: 'Detailed module information including patterns, rules, and issues',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'context://sessions/recent{?limit}',
    name: 'Recent Sessions',
    title: 'Recent Sessions',
    description: 'List of recent coding sessions',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'context://discoveries{?type,module}',
    name: 'Discoveries',
    title: 'Discoveries',
    description: 'What was discovered in sessions and accepted, by type and module',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'context://for/{+path}',
    name: 'Context for a File',
    title: 'Context for a File',
    description: 'What concerns one file of the repository: its modules, their rules and issues, documents about it',
    mimeType: 'text/markdown',
  },
];

/** The answer to a read; `asked` is the URI as the client wrote it, `texts` what lies over the bundle's. */
export function readContext(
  address: Exclude<ContextAddress, ForAddress>,
  asked: string,
  bundle: Bundle,
  may: (uri: string) => boolean,
  texts: Texts = bundle,
): Answer {
  const text = texts.findText(address.uri, address.page);
  if (text === undefined) throw notFound(address, asked, bundle, may, texts);
  const notice = text.page < text.pages ? pageNotice(address.uri, text.page, text.pages) : '';
  const mediaType = MEDIA_TYPES[text.mediaType] ?? 'text/markdown';
  const answer = textContents(asked, mediaType, [text.stored, escaped(notice)]);
  return text.isLive ? { ...answer, isLive: true } : answer;
}

function notFound(
  address: Exclude<ContextAddress, ForAddress>,
  uri: string,
  bundle: Bundle,
  may: (uri: string) => boolean,
  texts: Texts,
): Failure {
  const pages = texts.findText(address.uri)?.pages ?? 0;
  if (pages > 0) {
    const reason = `${address.uri} has ${pages === 1 ? 'one page' : `${pages} pages`}.`;
    return new Failure('not_in_context', `Page not found: ${address.page}`, { uri, reason, ...advise('page') });
  }
  if (address.kind === 'overview') {
    return new Failure('not_in_context', 'Overview not found', { uri, reason: 'This bundle has no overview.' });
  }
  const near = nearest(address.name, moduleNames(bundle, may));
  return new Failure('not_in_context', `Module not found: ${address.name}`, {
    uri,
    reason: `Module ${JSON.stringify(address.name)} is not in project.yaml.`,
    ...advise('module', near === undefined ? undefined : JSON.stringify(near)),
  });
}

/** Names of modules that may be seen, at most as many as are worth comparing. */
export function* moduleNames(bundle: Bundle, may: (uri: string) => boolean): Generator<string> {
  for (let n = 0; n < Math.min(bundle.listLength, MOST_COMPARED); n++) {
    const { uri } = bundle.entry(n);
    if (!uri.startsWith(MODULE_PREFIX) || !may(uri)) continue;
    try {
      yield decodeURIComponent(uri.slice(MODULE_PREFIX.length));
    } catch {
      // A name that cannot be decoded is no suggestion.
    }
  }
}
