// What project.yaml says of files: categories, collections, the whitelist, and the problems that are accepted. What
// can be known without looking at the disk is checked here.

import { compileGlob, GlobError } from '../runtime/glob.ts';
import { nearest } from '../runtime/nearest.ts';
import { CODES, type Place, problem, type Report } from './diagnostics.ts';
import type { Ignored } from './silences.ts';
import { show } from './yaml.ts';

export type CategoryConfig = {
  name: string;
  dir: string;
  patterns: readonly string[];
  /** Of the patterns that are written. */
  patternPlaces?: readonly Place[];
  description?: string;
  place: Place;
};

export type CollectionConfig = {
  id: string;
  description?: string;
  members: readonly { text: string; place: Place }[];
  place: Place;
};

export type GuideConfig = {
  root: string;
  /** Undefined: each folder of the guide is one, and the collection `all` holds them. */
  categories: readonly CategoryConfig[] | undefined;
  collections: readonly CollectionConfig[];
  help?: { path: string; place: Place };
};

/** A path or glob of the whitelist, from the root, with the place where it is written. */
export type FilePattern = { text: string; place: Place };

/** An entry of `ignore:` as it is written; a key that is missing has been reported. */
export type WrittenIgnored = { rule?: string; files?: readonly string[]; reason?: string };

export type WrittenGuide = {
  root?: string;
  categories?: Map<string, { dir?: string; patterns?: string[]; description?: string } | undefined>;
  collections?: Map<string, { categories?: string[]; description?: string } | undefined>;
  help?: string;
};

type PlaceOf = (path: readonly (string | number)[]) => Place;

export const DEFAULT_PATTERNS = ['**/*.md'];
const MOST_NAME = 30;

export function readGuide(written: WrittenGuide | undefined, placeOf: PlaceOf, report: Report): GuideConfig {
  const root = cleanFolder(written?.root ?? 'content');
  if (root === undefined) {
    report(wrongPath('guide.root', written?.root ?? '', placeOf(['guide', 'root'])));
  }
  const categories =
    written?.categories &&
    [...written.categories].map(([name, category]) => readCategory(name, category ?? {}, placeOf, report));
  const collections = [...(written?.collections ?? [])].map(([id, collection]): CollectionConfig => {
    const place = placeOf(['guide', 'collections', id, '#key']);
    checkName('collection', id, place, report);
    const members = (collection?.categories ?? []).map((text, n) => ({
      text,
      place: placeOf(['guide', 'collections', id, 'categories', n]),
    }));
    for (const { text, place: where } of members) {
      if (text.includes('/')) checkPattern(text.slice(text.indexOf('/') + 1), where, report);
    }
    return {
      id,
      members,
      place,
      ...(collection?.description === undefined ? {} : { description: collection.description }),
    };
  });
  return {
    root: root ?? 'content',
    categories,
    collections,
    ...(written?.help === undefined ? {} : { help: { path: written.help, place: placeOf(['guide', 'help']) } }),
  };
}

function readCategory(
  name: string,
  written: { dir?: string; patterns?: string[]; description?: string },
  placeOf: PlaceOf,
  report: Report,
): CategoryConfig {
  const place = placeOf(['guide', 'categories', name, '#key']);
  checkName('category', name, place, report);
  const dir = cleanFolder(written.dir ?? name);
  if (dir === undefined)
    report(
      wrongPath(
        `The folder of the category ${show(name)}`,
        written.dir ?? name,
        placeOf(['guide', 'categories', name, 'dir']),
      ),
    );
  const patternPlaces = (written.patterns ?? []).map((pattern, n) => {
    const at = placeOf(['guide', 'categories', name, 'patterns', n]);
    checkPattern(pattern, at, report);
    return at;
  });
  return {
    name,
    dir: dir ?? name,
    patterns: written.patterns ?? DEFAULT_PATTERNS,
    patternPlaces,
    place,
    ...(written.description === undefined ? {} : { description: written.description }),
  };
}

export function readFilePatterns(written: readonly string[], placeOf: PlaceOf, report: Report): FilePattern[] {
  return written.flatMap((pattern, n) => {
    const place = placeOf(['files', n]);
    const text = cleanFolder(pattern);
    if (text === undefined || text === '') {
      report(wrongPath('A file', pattern, place));
      return [];
    }
    checkPattern(text, place, report);
    return [{ text, place }];
  });
}

export function readIgnored(written: readonly WrittenIgnored[], placeOf: PlaceOf, report: Report): Ignored[] {
  return written.map(({ rule, files, reason }, n) => {
    if (reason?.trim() === '') {
      const fix = 'Write why it is accepted.';
      report(problem('value-wrong', placeOf(['ignore', n, 'reason']), 'The reason is empty.', fix));
    }
    if (rule !== undefined && !CODES.includes(rule as (typeof CODES)[number])) {
      const near = nearest(rule, CODES);
      const fix = near === undefined ? 'The codes stand in the messages.' : `Did you mean ${show(near)}?`;
      report(problem('value-wrong', placeOf(['ignore', n, 'rule']), `There is no problem called ${show(rule)}.`, fix));
    }
    const globs = files?.map((text, m) => ({ text, place: placeOf(['ignore', n, 'files', m]) }));
    for (const { text, place } of globs ?? []) checkPattern(text, place, report);
    return { rule: rule ?? '', place: placeOf(['ignore', n]), ...(globs === undefined ? {} : { files: globs }) };
  });
}

export function checkName(what: 'category' | 'collection', name: string, place: Place, report: Report): void {
  const fault =
    name === ''
      ? 'is empty'
      : name.length > MOST_NAME
        ? `is longer than ${MOST_NAME} characters`
        : name.startsWith('_')
          ? 'starts with an underscore'
          : name === '.' || name === '..'
            ? 'is a dot segment'
            : // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
              /[\s/\\!\u0000-\u001f\u007f]/.test(name)
              ? 'has a space, a slash, a backslash or an exclamation mark'
              : !name.isWellFormed()
                ? 'has half of a surrogate pair'
                : undefined;
  if (fault !== undefined)
    report(problem('name-wrong', place, `The ${what} name ${show(name)} ${fault}.`, 'Choose a plain name.'));
}

function checkPattern(pattern: string, place: Place, report: Report): void {
  try {
    compileGlob(pattern);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    report(problem('value-wrong', place, `The pattern ${show(pattern)} cannot be used.`, error.message));
  }
}

/** A folder as `a/b`, `` for the root itself; undefined when it is absolute or leaves its root. */
export function cleanFolder(dir: string): string | undefined {
  const segments = dir
    .replace(/\/+$/, '')
    .split('/')
    .filter((segment) => segment !== '.' && segment !== '');
  return dir.startsWith('/') || dir.includes('\\') || segments.includes('..') ? undefined : segments.join('/');
}

export function wrongPath(what: string, dir: string, place: Place) {
  return problem(
    'value-wrong',
    place,
    `${what} is ${show(dir)}, which is not inside.`,
    'Write a relative path without "..".',
  );
}
