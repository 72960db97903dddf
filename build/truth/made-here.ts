// Whether a document itself accounts for what it runs: a tutorial writes a file, adds a script, shows a Makefile, or
// has people clone another repository. Then that this one does not have it says nothing.

import { posix } from 'node:path';
import type { Command } from './commands.ts';

const MAKING =
  /\b(?:creat|add|writ|sav|generat|download|copy|copies|paste|(?:named?|naming|called|new|put|touch|tee|cp|mv|curl|wget|vim?|nano)\b)/i;
/** Lines that show a file: a fence, a comment, a heading, a redirection. */
const SHOWS = /^\s*(?:```|~~~|\/\/|#|<!--|\*\*)|>/;
const FENCE = /^[\s>]*(?:```|~~~)/;
/** A fenced block that is not a shell's. */
const SHOWN = /^[\s>]*(?:```|~~~)(?!(?:sh|bash|zsh|shell|console)\b)/;

const CLONED = /\bclon(?:e|ing)\b.{0,200}?\b(?:github|gitlab|bitbucket|codeberg)\.[a-z]+\/[\w.-]+\/([\w.-]+)/i;
const MOST_LINE = 1000;

export function isMadeHere({ kind, name }: Command, text: string): boolean {
  switch (kind) {
    case 'script':
    case 'word':
      return new RegExp(`(?:["']|scripts\\.)${escaped(name)}["']?\\s*[:=]`).test(text);
    case 'make':
    case 'just':
      return new RegExp(`^[ \\t>@]*${escaped(name)}\\b[^\\n=]*:(?!=)`, 'm').test(text);
    case 'path':
      return fileIsMade(posix.basename(name), text);
  }
}

function fileIsMade(name: string, text: string): boolean {
  const lines = text.split('\n');
  let inFence = false;
  return lines.some((line, n) => {
    if (FENCE.test(line)) inFence = !inFence;
    if (!line.includes(name)) return false;
    if (SHOWS.test(line) || MAKING.test(line) || MAKING.test(lines[n - 1] ?? '')) return true;
    const next = lines.slice(n + 1, n + 3).find((one) => one.trim() !== '');
    return !inFence && SHOWN.test(next ?? '');
  });
}

/** Whether people are told, before that line, to clone a repository of another name. */
export function clonesAnother(text: string, line: number, isOwn: (name: string) => boolean): boolean {
  return text.split('\n', line).some((one) => {
    const name = CLONED.exec(one.slice(0, MOST_LINE))?.[1];
    return name !== undefined && !isOwn(name.replace(/\.git$/, ''));
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
