// Markdown that the compiler itself writes, as mdast nodes rendered by remark-stringify. What authors
// wrote goes in as raw nodes and comes out as they wrote it.

import type { Heading, List, ListItem, Paragraph, PhrasingContent, RootContent } from 'mdast';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';

/** A text that is written out as it is; mdast's own `html` would lose a line break before it. */
type Raw = { type: 'raw'; value: string };

declare module 'mdast' {
  interface PhrasingContentMap {
    raw: Raw;
  }
  interface RootContentMap {
    raw: Raw;
  }
}

const processor = unified()
  .use(remarkStringify, { bullet: '-', handlers: { break: () => '  \n', raw: (node: Raw) => node.value } })
  .freeze();

/** Nodes as markdown, without a line break at the end. */
export function markdown(children: RootContent[]): string {
  return processor.stringify({ type: 'root', children }).trimEnd();
}

/** An author's text, as written but for the white space around it. */
export function raw(value: string): PhrasingContent {
  return { type: 'raw', value: value.trim() };
}

/** The same on one line, for headings and labels. */
export function rawLine(value: string): PhrasingContent {
  return { type: 'raw', value: value.trim().replace(/\s*\n\s*/g, ' ') };
}

export function plain(value: string): PhrasingContent {
  return { type: 'text', value };
}

export function heading(depth: Heading['depth'], ...children: PhrasingContent[]): Heading {
  return { type: 'heading', depth, children };
}

export function paragraph(...children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children };
}

/** `**Label:** value` */
export function labelled(label: string, value: PhrasingContent): PhrasingContent[] {
  return [{ type: 'strong', children: [plain(`${label}:`)] }, plain(' '), value];
}

/** Lines of one paragraph, each ending in a hard break but the last. */
export function lines(...rows: PhrasingContent[][]): Paragraph {
  return paragraph(...rows.flatMap((row, n) => (n === 0 ? row : [{ type: 'break' as const }, ...row])));
}

/** A list of one line or more each; nothing for no items. */
export function bullets(items: PhrasingContent[][]): List[] {
  if (items.length === 0) return [];
  const children: ListItem[] = items.map((item) => ({
    type: 'listItem',
    spread: false,
    children: [paragraph(...item)],
  }));
  return [{ type: 'list', ordered: false, spread: false, children }];
}
