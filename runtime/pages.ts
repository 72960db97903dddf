// Long texts are served in pages. A page ends with a visible line that names the next; without those
// lines, the pages joined are the text, byte for byte. What is too long for a part of a page is counted there.

/** What follows page `page` of `pages`, its line break included. */
export function pageNotice(uri: string, page: number, pages: number): string {
  return `\n[Page ${page} of ${pages}. The next is ${uri}${uri.includes('?') ? '&' : '?'}page=${page + 1}]`;
}

export type Counts = { readonly rules: number; readonly patterns: number; readonly issues: number };

/** What the page about a file says of a module that has more to say than fits. */
export function tooManyNotice(uri: string, { rules, patterns, issues }: Counts): string {
  const counts = `${rules} business rules, ${patterns} patterns, ${issues} common issues`;
  return `It has ${counts}: too many for this page. Read ${uri}.`;
}
