// The whitelist `files:`: documents at the top that agents and people read first, and docs/. Only what is there, and
// what the compiler takes without a warning: a file that it would complain about is named in a note instead.

import { isSuspect } from './foreign-text.ts';
import { joined, type Survey } from './survey.ts';

export type FoundFiles = {
  readme?: string;
  /** Paths and globs, in the order in which they are served. */
  files: readonly string[];
  /** The folder of documents, when it has markdown, whether it is in the list or not. */
  docs?: string;
};

const NAMES = [
  /^readme(?:\.(?:md|markdown|rst|txt))?$/i,
  /^agents\.md$/i,
  /^claude\.md$/i,
  /^contributing\.md$/i,
  /^architecture\.md$/i,
];
/** CLAUDE.md is often a link to AGENTS.md, and a listing has no links. */
const LINKED = ['README.md', 'AGENTS.md', 'CLAUDE.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'];
const DOCS = ['docs', 'doc'];
/** Beyond, every resource of docs/ would drown the others in a client's list; the author may still write it. */
const MOST_DOCUMENTS = 200;
const MOST_LEVELS = 6;

export async function findFiles(survey: Survey): Promise<FoundFiles> {
  const top = [...survey.list('').files, ...LINKED.filter((name) => survey.isFile(name))];
  const named = NAMES.flatMap((name) => top.filter((one) => name.test(one)));
  const usable: string[] = [];
  const seen = new Set<string>();
  for (const path of named) {
    const real = survey.realPath(path) ?? path;
    if (!seen.has(real) && (await isUsable(survey, path))) usable.push(path);
    seen.add(real);
  }
  const docs = DOCS.find((folder) => markdownIn(survey, folder).length > 0);
  const served = docs === undefined ? [] : await docsPattern(survey, docs);
  const readme = usable.find((path) => /^readme\.(?:md|markdown)$/i.test(path));
  return {
    ...(readme === undefined ? {} : { readme }),
    files: [...usable, ...served],
    ...(docs === undefined ? {} : { docs }),
  };
}

async function docsPattern(survey: Survey, docs: string): Promise<string[]> {
  const pattern = `${docs}/**/*.md`;
  const paths = markdownIn(survey, docs);
  if (paths.length > MOST_DOCUMENTS) {
    survey.notes.push(
      `${docs}/ has more than ${MOST_DOCUMENTS} documents; write "${pattern}" under files to serve them all.`,
    );
    return [];
  }
  for (const path of paths) {
    if (await isUsable(survey, path)) continue;
    survey.notes.push(`${docs}/ is not written under files, because of ${path}.`);
    return [];
  }
  return [pattern];
}

/** One more than may be served at most: then there are too many. */
function markdownIn(survey: Survey, folder: string, levels = MOST_LEVELS): string[] {
  const { files, folders } = survey.list(folder);
  const found = files.filter((name) => name.endsWith('.md')).map((name) => joined(folder, name));
  for (const name of levels > 0 ? folders : []) {
    if (found.length > MOST_DOCUMENTS) break;
    found.push(...markdownIn(survey, joined(folder, name), levels - 1));
  }
  return found.slice(0, MOST_DOCUMENTS + 1);
}

async function isUsable(survey: Survey, path: string): Promise<boolean> {
  const text = survey.text(path);
  if (text === undefined) return false;
  if (isSuspect(text)) {
    survey.passOver(path, 'it has hidden characters, or what looks like a secret');
    return false;
  }
  if (!/^\ufeff?---[ \t]*\r?\n/.test(text) || !/\.(?:md|markdown)$/i.test(path)) return true;
  const { isFrontMatterFine } = await import('./foreign-markdown.ts');
  if (isFrontMatterFine(text)) return true;
  survey.passOver(path, 'its front matter is not what Fieldguide expects');
  return false;
}
