// What a README says first: its heading, and the first paragraph that is prose. Badges, pictures, HTML, quotes,
// lists and tables say nothing about what a project is.

import { foreignName, foreignSentence } from './foreign-text.ts';

export type Readme = { title?: string; description?: string };

const MOST_LINES = 300;
const NO_PROSE = /^(?:[#>|<=]|[-+*](?:\s|$)|\d+[.)]\s|\[!|\[[^\]]*\]:|:::|~~~|```|\s{4})/;

export function readReadme(text: string): Readme {
  const lines = body(text.slice(0, 64 * 1024))
    .split(/\r?\n/, MOST_LINES)
    .map((line) => line.slice(0, 1000));
  const title = foreignName(plain(headingIn(lines)));
  const description = foreignSentence(plain(paragraphIn(lines)));
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function body(text: string): string {
  const end = /^---[ \t]*\r?\n/.test(text) ? text.indexOf('\n---', 3) : -1;
  return end < 0 ? text : text.slice(end + 4);
}

function headingIn(lines: readonly string[]): string {
  const at = lines.findIndex(
    (line, n) => /^#\s+\S/.test(line) || (line.trim() !== '' && /^=+\s*$/.test(lines[n + 1] ?? '')),
  );
  return (lines[at] ?? '').replace(/^#\s+|\s+#*\s*$/g, '');
}

function paragraphIn(lines: readonly string[]): string {
  let isFenced = false;
  const kept: string[] = [];
  for (const [n, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const isUnderlined = /^(?:=+|-+)\s*$/.test(lines[n + 1] ?? '');
    const isProse = !isFenced && !NO_PROSE.test(line) && !isUnderlined && /\p{L}/u.test(plain(line));
    if (isProse) kept.push(line);
    else if (kept.length > 0) break;
  }
  return kept.join(' ');
}

/** Without the marks of markdown. */
function plain(text: string): string {
  return text
    .replace(/!\[[^\]]{0,300}\]\([^)]{0,500}\)/g, '')
    .replace(/\[([^\][]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,100}\])/g, '$1')
    .replace(/<[^<>]{0,500}>/g, '')
    .replace(/[*`]|(?<!\w)_+|_+(?!\w)/g, '')
    .trim();
}
