// The space guide://: help, categories, collections, documents. One match is a plain text; several are
// one multipart text, in pages when they are more than an answer may hold.

import { type Answer, escaped, textContents } from '../answer.ts';
import type { Bundle, StoredText, Texts } from '../bundle.ts';
import { Failure } from '../failure.ts';
import { DOC, type Group, MEDIA_TYPES } from '../format.ts';
import { GlobError } from '../glob.ts';
import { type Found, GuideIndex, hasExtension } from '../guide-index.ts';
import { type ADVICE, advise } from '../later-advice.ts';
import { type BodyPart, chooseBoundary, multipartBody, multipartType } from '../multipart.ts';
import { nearest } from '../nearest.ts';
import { pageNotice } from '../pages.ts';
import { categoryUri, collectionUri, documentUri, encodePath, type GuideAddress } from '../uri.ts';
import { HELP_URI } from '../ways-in.ts';

/** What stands around the text of a part, its path aside. */
const PART_HEAD_BYTES = 160;

type May = (uri: string) => boolean;

/** Whether the URI itself may be read has been asked before; here the parts of its answer are. */
export function readGuide(
  address: GuideAddress,
  asked: string,
  bundle: Bundle,
  may: May,
  texts: Texts = bundle,
): Answer {
  if (address.kind === 'help') return textAnswer(getPage(texts, HELP_URI, address, asked), HELP_URI, asked);
  const index = new GuideIndex(bundle);
  const { group, found } = search(index, address, asked, may);
  const names = index.names().categories;
  const visible = found
    .map((one) => ({ ...one, row: index.row(one.n) }))
    .map((one) => ({
      ...one,
      category: names[one.row.category] ?? '',
      uri: documentUri(names[one.row.category] ?? '', one.path),
    }))
    .filter(({ uri }) => may(uri));
  const [only, another] = visible;
  if (only === undefined) {
    const reason = 'No document matches.';
    throw new Failure('not_found', 'No documents matched', {
      uri: asked,
      reason,
      word: 'no_matches',
      ...advise('document', nearPath(index, group, address, may)),
    });
  }
  if (another === undefined) return textAnswer(getPage(bundle, only.uri, address, asked), only.uri, asked);
  return multipart(visible, group, address, asked, bundle);
}

type Visible = Found & { uri: string; category: string; row: { rawLength: number; flags: number; mediaType: number } };

function search(index: GuideIndex, address: GuideAddress, asked: string, may: May): { group: Group; found: Found[] } {
  if (address.kind === 'collection') {
    const group = index.collection(address.name);
    if (group === undefined) throw unknownName('Collection', address.name, collectionsSeen(index, may), asked);
    return { group, found: index.chosen(group) };
  }
  const category = index.category(address.name);
  if (address.kind === 'category') {
    if (category === undefined) throw unknownName('Category', address.name, categoriesSeen(index, may), asked);
    return {
      group: category,
      found: address.docId === undefined ? index.chosen(category) : matching(index, category, address.docId, asked),
    };
  }
  const group = category ?? index.collection(address.name);
  if (group === undefined) {
    const names = [...categoriesSeen(index, may), ...collectionsSeen(index, may)];
    throw unknownName('Context', address.name, names, asked, 'Context not found');
  }
  const docId = address.docId ?? '';
  const { categories } = index.names();
  const mayRead = ({ n, path }: Found): boolean => may(documentUri(categories[index.row(n).category] ?? '', path));
  const exact = category === undefined ? index.exactChosen(group, docId, mayRead) : index.exact(group, docId, mayRead);
  if (exact === undefined) {
    const reason = `There is no such document in ${JSON.stringify(address.name)}.`;
    throw notFound(`Document not found: ${docId}`, asked, reason, 'document', nearPath(index, group, address, may));
  }
  return { group, found: [exact] };
}

function categoriesSeen(index: GuideIndex, may: May): string[] {
  return index.names().categories.filter((name) => may(categoryUri(name)));
}

function collectionsSeen(index: GuideIndex, may: May): string[] {
  return index.names().collections.filter((id) => may(collectionUri(id)));
}

function matching(index: GuideIndex, category: Group, docId: string, asked: string): Found[] {
  try {
    return index.matching(category, docId);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new Failure('invalid_params', 'Invalid pattern', { uri: asked, reason: error.message, ...advise('pattern') });
  }
}

/** As many documents as an answer may hold, from the page asked for; at least one. */
function multipart(
  visible: readonly Visible[],
  group: Group,
  address: GuideAddress,
  asked: string,
  bundle: Bundle,
): Answer {
  const pages: Visible[][] = [];
  let room = 0;
  for (const one of visible) {
    const length = Math.min(one.row.rawLength + one.path.length + PART_HEAD_BYTES, group.limit);
    if (pages.length === 0 || length > room) {
      pages.push([]);
      room = group.limit;
    }
    room -= length;
    pages.at(-1)?.push(one);
  }
  const chosen = pages[address.page - 1];
  if (chosen === undefined) throw noPage(address.page, pages.length, asked);
  const texts = chosen.map((one) => ({ one, text: bundle.findText(one.uri) as StoredText }));
  const boundary = chooseBoundary(
    texts.filter(({ one }) => (one.row.flags & DOC.boundary) !== 0).map(({ text }) => text.stored),
  );
  const parts = texts.map(({ one, text }): BodyPart => {
    const notice = text.pages > 1 ? pageNotice(one.uri, 1, text.pages) : '';
    return {
      mediaType: MEDIA_TYPES[one.row.mediaType] ?? 'text/plain',
      location: `${categoryUri(one.category)}/${encodePath(one.path)}`,
      rawLength: text.rawLength + Buffer.byteLength(notice),
      content: [text.stored, escaped(notice)],
    };
  });
  if (address.page < pages.length) {
    const notice = pageNotice(address.uri, address.page, pages.length).trimStart();
    parts.push({
      mediaType: 'text/plain',
      location: `${address.uri}?page=${address.page + 1}`,
      rawLength: Buffer.byteLength(notice),
      content: [escaped(notice)],
    });
  }
  return textContents(asked, multipartType(boundary), multipartBody(parts, boundary));
}

function getPage(texts: Texts, uri: string, address: GuideAddress, asked: string): StoredText {
  const text = texts.findText(uri, address.page);
  if (text !== undefined) return text;
  const pages = texts.findText(uri)?.pages ?? 0;
  if (pages > 0) throw noPage(address.page, pages, asked);
  throw notFound('Resource not found', asked, 'This bundle has no guide.', 'noGuide');
}

/** A single document is text/markdown whatever its extension. */
function textAnswer(text: StoredText, uri: string, asked: string): Answer {
  const notice = text.page < text.pages ? pageNotice(uri, text.page, text.pages) : '';
  return textContents(asked, 'text/markdown', [text.stored, escaped(notice)]);
}

function unknownName(
  what: string,
  name: string,
  known: readonly string[],
  uri: string,
  message = `${what} not found: ${name}`,
): Failure {
  const near = nearest(name, known);
  const reason = `There is no ${what.toLowerCase()} ${JSON.stringify(name)}.`;
  const advice = known.length === 0 ? 'noGuide' : 'category';
  return notFound(message, uri, reason, advice, near === undefined ? undefined : JSON.stringify(near));
}

const MOST_COMPARED = 5000;

/** Among the documents around the place where this one would stand, its extension written or not. */
function nearPath(index: GuideIndex, group: Group, { docId }: GuideAddress, may: May): string | undefined {
  if (docId === undefined) return undefined;
  const names = index.names().categories;
  const paths = index
    .around(group, docId, MOST_COMPARED)
    .filter(({ n, path }) => may(documentUri(names[index.row(n).category] ?? '', path)))
    .map(({ path }) => path);
  const near = nearest(docId, hasExtension(docId) ? paths : paths.map((path) => path.replace(/\.[^./]+$/, '')));
  return near === undefined ? undefined : JSON.stringify(near);
}

function notFound(message: string, uri: string, reason: string, name: keyof typeof ADVICE, near?: string): Failure {
  return new Failure('not_found', message, { uri, reason, ...advise(name, near) });
}

function noPage(page: number, pages: number, uri: string): Failure {
  return notFound(`Page not found: ${page}`, uri, pages === 1 ? 'It has one page.' : `It has ${pages} pages.`, 'page');
}
