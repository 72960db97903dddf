// The space file://: whitelisted files, packed when the bundle was made. A request is looked up in the
// table and nowhere else; no path is ever computed from it, and no file is opened.

import { advise } from '../advice.ts';
import { type Answer, blobContents, escaped, textContents } from '../answer.ts';
import type { Bundle, StoredText } from '../bundle.ts';
import { Failure } from '../failure.ts';
import { AS_LISTED, FLAG, MEDIA_TYPES, unescapeText } from '../format.ts';
import { nearest } from '../nearest.ts';
import { pageNotice } from '../pages.ts';
import { belowRoot, type Roots } from '../roots.ts';
import { type FileAddress, fileUri, notAUri } from '../uri.ts';

type May = (uri: string) => boolean;

/** Without a scheme it is taken for a file if it looks like one. */
const FILE_NAME = /\.[A-Za-z0-9]+$/;

export function readFile(address: FileAddress, asked: string, bundle: Bundle, may: May, roots: Roots): Answer {
  const uri = findFileUri(address, bundle, may, roots);
  const text = uri === undefined ? undefined : bundle.findText(uri, address.page);
  if (uri === undefined)
    throw address.bare && !FILE_NAME.test(asked) ? notAUri(asked) : denied(address, asked, bundle, may);
  if (text === undefined) throw noPage(address.page, bundle.pages(uri), asked);
  if ((text.flags & FLAG.tooLarge) !== 0) throw tooLarge(text.rawLength, asked);
  const mediaType = mediaTypeOf(text, uri, bundle);
  if ((text.flags & FLAG.blob) !== 0) return blobContents(asked, mediaType, text.stored);
  const notice = text.page < text.pages ? pageNotice(uri, text.page, text.pages) : '';
  return textContents(asked, mediaType, [text.stored, escaped(notice)]);
}

/** Every whitelisted path, in the order of project.yaml. */
export function listedPaths(bundle: Bundle): string[] {
  const text = bundle.findText('files');
  return text === undefined ? [] : JSON.parse(unescapeText(text.stored));
}

/** The canonical URI of a listed file that may be read; URL parsers write the first segment in lower case. */
export function findFileUri(address: FileAddress, bundle: Bundle, may: May, roots: Roots): string | undefined {
  const path = address.absolute ? belowRoot(address.path, roots) : address.path;
  if (path === undefined) return undefined;
  const exact = fileUri(path);
  if (may(exact) && bundle.find(exact) !== undefined) return exact;
  const spelt = listedPaths(bundle).find((listed) => lowerFirst(listed) === path && may(fileUri(listed)));
  return spelt === undefined ? undefined : fileUri(spelt);
}

function lowerFirst(path: string): string {
  const [first = '', ...rest] = path.split('/');
  return [first.toLowerCase(), ...rest].join('/');
}

function mediaTypeOf({ mediaType }: StoredText, uri: string, bundle: Bundle): string {
  if (mediaType !== AS_LISTED) return MEDIA_TYPES[mediaType] ?? 'application/octet-stream';
  const place = bundle.find(uri)?.row.place ?? -1;
  return place < 0 || place >= bundle.listLength
    ? 'application/octet-stream'
    : String(JSON.parse(bundle.entry(place).json.toString('utf8')).mimeType);
}

/** The same for what is not there, what is not listed, and what this agent may not read. */
function denied({ path }: FileAddress, uri: string, bundle: Bundle, may: May): Failure {
  const near = nearest(
    path,
    listedPaths(bundle).filter((listed) => may(fileUri(listed))),
  );
  return new Failure('access_denied', 'Access denied', {
    uri,
    reason: 'Only files that project.yaml lists under files: are served.',
    ...advise('file', near === undefined ? undefined : fileUri(near)),
  });
}

function tooLarge(bytes: number, uri: string): Failure {
  return new Failure('too_large', 'Resource is too large', {
    uri,
    reason: `It is no text and has ${bytes} bytes, which is more than one answer may hold.`,
    ...advise('large'),
  });
}

function noPage(page: number, pages: number, uri: string): Failure {
  const reason = pages === 1 ? 'It has one page.' : `It has ${pages} pages.`;
  return new Failure('not_found', `Page not found: ${page}`, { uri, reason, ...advise('page') });
}
