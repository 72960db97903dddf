// URIs of other servers' resources: upstream://{group}/{the URI as that server writes it}.

import { checkCharacters, checkLength, invalid } from './uri-checks.ts';

/** A resource of another server, or, without `original`, how that server is. */
export type UpstreamAddress = {
  space: 'upstream';
  group: string;
  /** As that server writes it. */
  original: string | undefined;
  uri: string;
  /** The same, decoded: who may not read the one may not read the other. */
  spelt: string;
  page: 1;
};

export const UPSTREAM_PREFIX = 'upstream://';

/**
 * Nothing of the original is escaped: what follows the group's slash is the original, up to the end, so a template
 * of another server stays one when it is filled in, and what a client does to that server's URIs it does to ours.
 */
export function upstreamUri(group: string, original?: string): string {
  return original === undefined ? UPSTREAM_PREFIX + group : `${UPSTREAM_PREFIX}${group}/${original}`;
}

export function upstreamAddress(raw: string): UpstreamAddress {
  checkLength(raw);
  checkCharacters(raw, raw);
  const [, group, original = ''] = /^upstream:\/\/([A-Za-z0-9][A-Za-z0-9._-]{0,29})(?:\/(.*))?$/is.exec(raw) ?? [];
  if (group === undefined) throw invalid(raw, 'It names no group: upstream://{group}/{uri}.');
  const decoded = original.replace(/%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/gi, decodeIfText);
  checkCharacters(decoded, raw);
  for (const text of [original, decoded]) {
    if (/(^|\/)(\.|%2e){1,2}($|[/?#])/i.test(text)) throw invalid(raw, 'It has a dot segment.');
  }
  if (original === '') {
    const uri = upstreamUri(group);
    return { space: 'upstream', group, original: undefined, uri, spelt: uri, page: 1 };
  }
  const spelt = upstreamUri(
    group,
    decoded.replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.toLowerCase()),
  );
  return { space: 'upstream', group, original, uri: upstreamUri(group, original), spelt, page: 1 };
}

/** Each escape of ASCII stands alone: bytes beside it that are no text hide nothing. */
function decodeIfText(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
