// A shell block to simple commands, as words with places. Not a shell: what it does not understand ends the block,
// because a command that was misread would be reported without cause.

import type { ShellBlock } from '../parse.ts';

export type Word = { text: string; line: number; column: number };

const PROMPT = /^\s*\$ +/;
/** Blocks of these show a session: commands and what they print. */
const SESSION = /console|session/i;
const HEREDOC = /^<<[-~]?\s*(['"]?)([\w.-]+)\1/;
const ENDS_COMMAND = new Set([';', '&', '|', '(', ')']);

export function simpleCommands({ language, lines }: ShellBlock, source: string): Word[][] {
  const texts = lines.map(({ from, to, line, column }) => ({ text: source.slice(from, to), line, column }));
  const isPrompted = texts.some(({ text }) => PROMPT.test(text));
  if (!isPrompted && SESSION.test(language)) return [];
  const reader = new Reader();
  let heredoc: string | undefined;
  for (const { text, line, column } of texts) {
    if (heredoc !== undefined) {
      if (text.trim() === heredoc) heredoc = undefined;
      continue;
    }
    const prompt = PROMPT.exec(text)?.[0].length;
    if (isPrompted && prompt === undefined && !reader.goesOn) continue;
    reader.read(text.slice(prompt ?? 0), line, column + (prompt ?? 0));
    if (reader.isLost) break;
    heredoc = reader.heredoc;
  }
  reader.endCommand();
  return reader.commands;
}

/** Reads line by line; a line that ends in a backslash goes on. */
class Reader {
  readonly commands: Word[][] = [];
  goesOn = false;
  isLost = false;
  heredoc: string | undefined;
  #words: Word[] = [];
  #word: Word | undefined;
  /** Words after a redirection are no arguments. */
  #isRedirected = false;

  read(text: string, line: number, column: number): void {
    this.goesOn = false;
    this.heredoc = undefined;
    for (let at = 0; at < text.length; ) {
      const char = text[at] as string;
      const place = { line, column: column + at };
      if (char === '\\' && at === text.length - 1) {
        this.#endWord();
        this.goesOn = true;
        return;
      }
      if (char === '#' && this.#word === undefined) break;
      if (/\s/.test(char)) {
        this.#endWord();
        at++;
      } else if (char === '<' || char === '>') at = this.#redirect(text, at);
      else if (ENDS_COMMAND.has(char)) {
        this.endCommand();
        at++;
      } else {
        const piece = pieceAt(text, at);
        if (piece === undefined) {
          this.isLost = true;
          this.#words = [];
          this.#word = undefined;
          return;
        }
        this.#word ??= { text: '', ...place };
        this.#word.text += piece.text;
        at = piece.end;
      }
    }
    this.endCommand();
  }

  endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.commands.push(this.#words);
    this.#words = [];
    this.#isRedirected = false;
  }

  #endWord(): void {
    if (this.#word !== undefined && !this.#isRedirected) this.#words.push(this.#word);
    this.#word = undefined;
  }

  #redirect(text: string, at: number): number {
    if (/^\d$/.test(this.#word?.text ?? '')) this.#word = undefined;
    this.#endWord();
    const heredoc = HEREDOC.exec(text.slice(at, at + 80));
    if (heredoc !== null) {
      this.heredoc = heredoc[2];
      return at + heredoc[0].length;
    }
    this.#isRedirected = true;
    return at + (/^[<>]+&?/.exec(text.slice(at, at + 4)) as RegExpExecArray)[0].length;
  }
}

/** A quoted or plain stretch of a word; undefined for one that does not end on its line. */
function pieceAt(text: string, at: number): { text: string; end: number } | undefined {
  const char = text[at] as string;
  if (char === '\\') return { text: text[at + 1] as string, end: at + 2 };
  if (text.startsWith('$(', at)) {
    const substituted = closedBy(text, at, ')');
    return substituted?.text.includes('(', 2) ? undefined : substituted;
  }
  if (char === '`' || char === "'" || char === '"') {
    const quoted = closedBy(text, at, char);
    return quoted === undefined || char === '`'
      ? quoted
      : { text: quoted.text.slice(char.length, -1), end: quoted.end };
  }
  return { text: char, end: at + 1 };
}

function closedBy(text: string, at: number, close: string): { text: string; end: number } | undefined {
  const end = text.indexOf(close, at + 1) + 1;
  return end === 0 ? undefined : { text: text.slice(at, end), end };
}
