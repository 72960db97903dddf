// What the compiler would say of front matter and prompts that were there before it. In a file of its own, because
// it brings a YAML parser, and most repositories have neither.

import type { Code } from '../../build/diagnostics.ts';
import { readFrontMatter } from '../../build/front-matter.ts';
import { RESERVED_PROMPTS, readPrompts } from '../../build/read-prompts.ts';

export function isFrontMatterFine(text: string): boolean {
  const [, opening = '', inside = ''] = /^(\ufeff?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*$/m.exec(text) ?? [];
  let fine = true;
  const span = { from: opening.length, to: opening.length + inside.length, line: 2, column: 1 };
  readFrontMatter('', text, span, () => {
    fine = false;
  });
  return fine;
}

/** The codes of all that is wrong with files in a folder of prompts. */
export function promptProblems(files: readonly { path: string; text: string }[]): Code[] {
  const codes = new Set<Code>();
  const sources = files.map(({ path, text }) => ({ path, text, input: { path, sha256: '', bytes: 0 } }));
  readPrompts(sources, RESERVED_PROMPTS, ({ code }) => codes.add(code));
  return [...codes].sort();
}
