// The first sentence that a source file says of itself, in the languages that have a place for it: the docstring of
// a Python package, `//!` of Rust, `// Package …` of Go. Elsewhere the first comment is usually a licence.

import { foreignSentence } from './foreign-text.ts';

const MOST_CHARACTERS = 4000;

export function openingSentence(path: string, text: string): string | undefined {
  const start = text.slice(0, MOST_CHARACTERS);
  if (path.endsWith('.py')) return firstSentence(docstring(start));
  if (path.endsWith('.rs')) return firstSentence(leading(start, /^\/\/!\s?(.*)$/));
  return path.endsWith('.go') ? firstSentence(packageComment(start)) : undefined;
}

function docstring(text: string): string {
  const code = text.replace(/^(?:#.*\n|[ \t]*\r?\n)+/, '');
  const [, , inside = ''] = /^[rRuU]?("""|''')([\s\S]*?)\1/.exec(code) ?? [];
  return inside.trim().split(/\n\s*\n/)[0] ?? '';
}

/** Lines of the first block that match, without their mark. */
function leading(text: string, mark: RegExp): string {
  const said: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, content] = mark.exec(line) ?? [];
    if (content === undefined ? said.length > 0 || line.trim() !== '' : content === '' && said.length > 0) break;
    if (content !== undefined && content !== '') said.push(content);
  }
  return said.join(' ');
}

function packageComment(text: string): string {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^package\s/.test(line));
  const start = lines.findIndex((line, n) => n < at && /^\/\/ Package\s/.test(line));
  return start < 0 ? '' : leading(lines.slice(start, at).join('\n'), /^\/\/\s?(.*)$/);
}

function firstSentence(text: string): string | undefined {
  const line = text
    .replace(/^#+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return foreignSentence(/^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line);
}
