// What one file's bytes tell, whatever else the guide holds: where its sections and links stand, what its
// front matter says, how often it has which word, and the problems that it has by itself. Only this is done
// in threads and kept in the cache; everything that depends on other files is done anew in every build.

import { countWords } from './count-words.ts';
import type { Counted } from './counted.ts';
import type { Diagnostic, Report } from './diagnostics.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { type Page, parse, type Span } from './parse.ts';
import { readIgnoreComments, type SilencedLines } from './silence-comments.ts';
import { checkText } from './text-checks.ts';
import { type Command, commandsIn } from './truth/commands.ts';

export type Examined = {
  /** Undefined for a text that is not markdown. */
  page: Page | undefined;
  front: FrontMatter;
  /** Without front matter. */
  counted: Counted;
  /** What its shell blocks tell people to run, as far as it can be checked. */
  commands: readonly Command[];
  silenced: readonly SilencedLines[];
  /** Their file is left out: the same bytes may stand in several. */
  problems: readonly Diagnostic[];
};

const NO_FILE = '';

export function examine(text: string, isMarkdown: boolean): Examined {
  const problems: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void problems.push(diagnostic);
  checkText(NO_FILE, text, report);
  if (!isMarkdown) {
    const counted = countWords({ text, from: 0, headings: [] });
    return { page: undefined, front: {}, counted, commands: [], silenced: [], problems };
  }
  const { shell, ignores, ...page } = parse(text);
  const front = page.frontMatter === undefined ? {} : readFrontMatter(NO_FILE, text, page.frontMatter, report);
  if (page.frontMatter !== undefined) checkValues(front, page.frontMatter, report);
  const headings = page.sections.map(({ from }) => from);
  const counted = countWords({ text, from: page.bodyAt, headings });
  const commands = commandsIn(shell, text);
  const silenced = readIgnoreComments(NO_FILE, ignores, report);
  return { page, front, counted, commands, silenced, problems };
}

/** An escape of YAML can hide what the source does not show. */
function checkValues(front: FrontMatter, { line, column }: Span, report: Report): void {
  for (const value of [front.title, front.description].filter((one) => one !== undefined)) {
    checkText(NO_FILE, value, (found) => report({ ...found, line, column }));
  }
}
