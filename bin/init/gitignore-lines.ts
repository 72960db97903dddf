// What .gitignore lacks so that bundles and caches are not committed by accident: only in a git repository, or where
// there is such a file already. The lines end as those of the file do.

import type { Survey } from './survey.ts';

const FILE = '.gitignore';
const WANTED: readonly { line: string; example: string }[] = [
  { line: '/dist-index/', example: 'dist-index/context.fgb' },
  { line: '/.fieldguide/', example: '.fieldguide/parsed.cache' },
];
const COMMENT = '# Fieldguide: the bundle, and what builds keep for the next one';

export type Addition = { path: string; text: string; how: 'create' | 'append' };

export function gitignoreAddition(survey: Survey): Addition | undefined {
  const isThere = survey.isTaken(FILE);
  if (!isThere && survey.ignored.gitRoot === undefined) return undefined;
  const lines = WANTED.filter(({ example }) => !survey.ignored.has(example)).map(({ line }) => line);
  if (lines.length === 0) return undefined;
  if (!isThere) return { path: FILE, text: `${[COMMENT, ...lines].join('\n')}\n`, how: 'create' };
  if (survey.realPath(FILE) !== FILE) {
    survey.passOver(FILE, `it is no plain file; see that git ignores ${lines.join(' and ')}`);
    return undefined;
  }
  const text = survey.text(FILE);
  if (text === undefined) return undefined;
  const newline = /\r\n/.test(text) ? '\r\n' : '\n';
  const before = text === '' ? [] : text.endsWith('\n') ? [''] : ['', ''];
  return { path: FILE, text: [...before, COMMENT, ...lines, ''].join(newline), how: 'append' };
}
