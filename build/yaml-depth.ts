// How deeply YAML nests, told from its lexemes before it is parsed: the parser recurses, and a stack that
// runs out inside a regular expression ends the whole process, beyond any catch.

import { Lexer } from 'yaml';

/** Nothing that people write comes near; the parser's stack runs out between 500 and 1,000. */
const MOST_LEVELS = 200;

const OPENING = new Set(['[', '{']);
const CLOSING = new Set([']', '}']);
/** Several of these on one line nest: `- - - a`. */
const COMPACT = new Set(['-', '?', ':']);

/** Lexemes that stand for no character: the lexer's own marks. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f']);

export function nestsTooDeeply(source: string): boolean {
  return tooDeepAt(source) !== undefined;
}

/**
 * Where it nests too deeply. Lines of a block cost an indent each, so that by lines alone 64 KB reach some
 * hundred levels, and the largest project.yaml about a thousand, which is refused when it is parsed.
 */
export function tooDeepAt(source: string): number | undefined {
  let at = 0;
  let flow = 0;
  let inLine = 0;
  for (const lexeme of new Lexer().lex(source)) {
    if (OPENING.has(lexeme)) flow++;
    else if (CLOSING.has(lexeme)) flow = Math.max(0, flow - 1);
    else if (flow === 0 && COMPACT.has(lexeme)) inLine++;
    else if (lexeme.startsWith('\n') || lexeme.startsWith('\r\n')) inLine = 0;
    if (flow > MOST_LEVELS || inLine > MOST_LEVELS) return at;
    if (!MARKS.has(lexeme)) at += lexeme.length;
  }
  return undefined;
}
