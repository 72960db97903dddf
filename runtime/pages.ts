// Long texts are served in pages. A page ends with a visible line that names the next; without those
// lines, the pages joined are the text, byte for byte.

/** What follows page `page` of `pages`, its line break included. */
export function pageNotice(uri: string, page: number, pages: number): string {
  return `\n[Page ${page} of ${pages}. The next is ${uri}${uri.includes('?') ? '&' : '?'}page=${page + 1}]`;
}
