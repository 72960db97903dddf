// Anchors of headings by GitHub's rules: lower case, punctuation dropped, spaces to hyphens, a number
// after a name that has been there before. A heading that names its own anchor, `{#id}`, has that too.

import type { Page } from './parse.ts';

const CUSTOM_ID = /\s*\{#([^}\s]+)[^}]*\}\s*$/;

/** The words of a heading without the anchor that it names. */
export function headingText(text: string): string {
  return text.replace(CUSTOM_ID, '');
}

/** The anchor of each section, in order, numbers after repeats included. */
export function sectionAnchors(sections: Page['sections']): string[] {
  const seen = new Map<string, number>();
  return sections.map(({ text }) => {
    const own = CUSTOM_ID.exec(text)?.[1];
    if (own !== undefined) return own;
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = seen.get(slug) ?? 0; seen.has(anchor); anchor = `${slug}-${count}`) seen.set(slug, ++count);
    seen.set(anchor, 0);
    return anchor;
  });
}

/** Every anchor a link may name: of headings, and of HTML. */
export function anchorsOf(page: Page): Set<string> {
  const { sections, htmlAnchors } = page;
  const hasOwn = sections.some(({ text }) => CUSTOM_ID.test(text));
  const plain = hasOwn ? sections.map((section) => ({ ...section, text: headingText(section.text) })) : [];
  return new Set([...sectionAnchors(sections), ...sectionAnchors(plain), ...htmlAnchors]);
}
