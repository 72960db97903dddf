// `<!-- fieldguide-ignore-next-line code: reason -->` in a document: what it silences, or what is wrong with it. Only
// comments that the tokenizer calls so get here; one in a code block is text.

import { nearest } from '../runtime/nearest.ts';
import { CODES, problem, type Report } from './diagnostics.ts';
import { oneLine } from './one-line.ts';
import { show } from './yaml.ts';

/** A comment that starts with `fieldguide-ignore`, and what follows that word in it. */
export type IgnoreComment = {
  line: number;
  column: number;
  says: string;
  /** The lines it speaks of: the one after it, or the fenced block that starts there. */
  first: number;
  last: number;
};

/** A problem that is accepted on some lines, and where that is said. */
export type SilencedLines = { rule: string; first: number; last: number; line: number; column: number };

const SAYS = /^-next-line\s+([\w-]+)\s*(?::\s*([\s\S]*))?$/;
const FORM = '<!-- fieldguide-ignore-next-line code: reason -->';
const MOST_SHOWN = 40;

export function ignoreCommentsIn(html: string, start: { line: number; column: number }): IgnoreComment[] {
  const found: IgnoreComment[] = [];
  if (!html.includes('fieldguide-ignore')) return found;
  let { line } = start;
  let column = start.column;
  let counted = 0;
  const countTo = (at: number): void => {
    const passed = html.slice(counted, at);
    const breaks = passed.split('\n').length - 1;
    column = breaks === 0 ? column + passed.length : passed.length - passed.lastIndexOf('\n');
    line += breaks;
    counted = at;
  };
  for (let open = html.indexOf('<!--'); open >= 0; open = html.indexOf('<!--', counted)) {
    const close = html.indexOf('-->', open + 4);
    if (close < 0) break;
    const says = /^\s*fieldguide-ignore([\s\S]*)$/.exec(html.slice(open + 4, close))?.[1];
    countTo(open);
    const place = { line, column };
    countTo(close + 3);
    if (says !== undefined) found.push({ ...place, says, first: line + 1, last: line + 1 });
  }
  return found;
}

/** No comment can stand in a fenced block, so one before it speaks of all its lines. */
export function reachOver(comments: readonly IgnoreComment[], first: number, last: number): void {
  for (let n = comments.length - 1; comments[n]?.first === first; n--) (comments[n] as IgnoreComment).last = last;
}

/** Of several comments in a row, each speaks of what the last one does. */
function inRows(comments: readonly IgnoreComment[]): IgnoreComment[] {
  const joined: IgnoreComment[] = [];
  for (const comment of comments.toReversed()) {
    const after = joined.at(-1);
    joined.push(after?.line === comment.first ? { ...comment, first: after.first, last: after.last } : comment);
  }
  return joined.reverse();
}

export function readIgnoreComments(
  file: string,
  comments: readonly IgnoreComment[],
  report: Report,
): readonly SilencedLines[] {
  return inRows(comments).flatMap(({ line, column, says, first, last }) => {
    const [match, rule = '', reason = ''] = SAYS.exec(says.trimEnd()) ?? [];
    const wrong = (what: string, fix: string): [] => {
      report(problem('ignore-wrong', { file, line, column }, what, fix));
      return [];
    };
    if (match === undefined) {
      return wrong(`It is not the comment that silences: ${show(oneLine(says, MOST_SHOWN))}.`, `Write ${FORM}.`);
    }
    if (!CODES.some((code) => code === rule)) {
      const near = nearest(rule, CODES);
      const fix = near === undefined ? 'The codes stand in the messages.' : `Did you mean ${show(near)}?`;
      return wrong(`There is no problem called ${show(rule)}.`, fix);
    }
    if (reason === '') return wrong('It gives no reason.', `Write why it is accepted: ${FORM}.`);
    return [{ rule, first, last, line, column }];
  });
}
