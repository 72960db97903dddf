// Pages to Guide: which category holds which document, what each is called, where its links lead, and
// what the collections are made of.

import { compileGlob } from '../runtime/glob.ts';
import { documentUri, fileUri } from '../runtime/uri.ts';
import { type Collection, firstOfEachPath, resolveCollection } from './collections.ts';
import type { Counted } from './counted.ts';
import { problem, type Report } from './diagnostics.ts';
import type { Disk } from './disk.ts';
import type { Parsed } from './examine-all.ts';
import type { FrontMatter } from './front-matter.ts';
import { type CategoryConfig, checkName, DEFAULT_PATTERNS, type GuideConfig } from './guide-config.ts';
import { type ServedText, serveText, type Targets } from './links.ts';
import { didYouMean, type NearMisses, nearPattern } from './near-misses.ts';
import { oneLine } from './one-line.ts';
import type { Page } from './parse.ts';
import { anchorsOf, headingText } from './slug.ts';
import { checkTitles } from './titles.ts';
import { show } from './yaml.ts';

export type Document = {
  category: string;
  /** Its path from the root of the repository, and from its category's folder. */
  source: string;
  path: string;
  uri: string;
  title: string;
  front: FrontMatter;
  page: Page | undefined;
  counted: Counted;
  served: ServedText;
  isDefault: boolean;
};

export type Category = { name: string; description?: string; documents: readonly Document[] };
export type Guide = { categories: readonly Category[]; collections: readonly Collection[]; help: string | undefined };

/** What is there beside the documents: whitelisted files, and the disk with what names on it may have meant. */
export type Around = { files: ReadonlySet<string>; disk: Disk; near: NearMisses };

export function resolve(config: GuideConfig, parsed: readonly Parsed[], around: Around, report: Report): Guide {
  const { disk, near } = around;
  const base = config.root === '' ? '' : `${config.root}/`;
  const declared = config.categories ?? folderCategories(parsed, base, report);
  const held = declared.map((category) => ({ category, folder: folderOf(base, category) }));
  const known = new Map(parsed.map((one) => [one.source.path, describe(one, report)]));
  checkTitles(
    [...known].filter(([path]) => held.some(({ folder }) => path.startsWith(folder))),
    report,
  );
  const categories = held.map(({ category, folder }): Category => {
    const inside = parsed.filter(({ source }) => source.path.startsWith(folder));
    const targets = targetsFrom(folder, category.name, held, known, around);
    const matchers = category.patterns.map((pattern, n) => ({
      pattern,
      place: category.patternPlaces?.[n] ?? category.place,
      glob: compileGlob(pattern),
    }));
    const documents = inside.map(({ source, page, counted }): Document => {
      const path = source.path.slice(folder.length);
      const { title, front } = known.get(source.path) as Described;
      return {
        category: category.name,
        source: source.path,
        path,
        uri: documentUri(category.name, path),
        title,
        front,
        page,
        counted,
        served:
          page === undefined ? plainText(source.text) : serveText(source.path, source.text, page, targets, report),
        isDefault: matchers.some(({ glob }) => glob.matches(path)),
      };
    });
    if (documents.length === 0) {
      report(
        problem(
          'category-missing',
          category.place,
          `The category ${show(category.name)} has no document.`,
          didYouMean(
            disk.exists(folder) ? undefined : near.path(folder),
            `Put documents into ${folder}, or remove it.`,
          ),
        ),
      );
    } else {
      for (const { pattern, place, glob } of matchers) {
        if (documents.some(({ path }) => glob.matches(path))) continue;
        const fix = didYouMean(nearPattern(folder, pattern, disk, near), 'Mend it, or remove it.');
        report(problem('pattern-unmatched', place, `The pattern ${show(pattern)} matches no document.`, fix));
      }
    }
    return {
      name: category.name,
      documents,
      ...(category.description === undefined ? {} : { description: category.description }),
    };
  });
  const collections =
    config.categories === undefined && config.collections.length === 0 && categories.length > 0
      ? [
          {
            id: 'all',
            description: 'Every document of the guide',
            documents: firstOfEachPath(categories.map((category) => category.documents)),
          },
        ]
      : config.collections.map((collection) => resolveCollection(collection, categories, config.collections, report));
  const elsewhere = targetsFrom(NO_FOLDER, '', held, known, around);
  const help = config.help === undefined ? undefined : helpText(config.help, base, parsed, elsewhere, report);
  return { categories, collections, help };
}

/** Longer ones are cut: a title is shown in lists. */
const MOST_TITLE = 200;
/** No path starts so. */
const NO_FOLDER = '\0';

type Described = {
  title: string;
  hasTitle: boolean;
  front: FrontMatter;
  anchors: ReadonlySet<string> | undefined;
};

/** What a document is called and what its headings are, once whatever number of categories hold it. */
function describe({ source, page, front, problems }: Parsed, report: Report): Described {
  for (const found of problems) report({ ...found, file: source.path });
  const name = source.path.split('/').at(-1) as string;
  if (page === undefined) return { title: name, hasTitle: true, front, anchors: undefined };
  const heading = page.sections.find(({ level }) => level === 1) ?? page.sections[0];
  const title = oneLine(front.title ?? '', MOST_TITLE) || oneLine(headingText(heading?.text ?? ''), MOST_TITLE);
  return {
    title: title || name.replace(/\.[^.]+$/, ''),
    hasTitle: title !== '',
    front,
    anchors: anchorsAreKnown(page) ? anchorsOf(page) : undefined,
  };
}

/** A text without headings is a fragment of others, and a heading may be made by a template. */
function anchorsAreKnown({ sections }: Page): boolean {
  return sections.length > 0 && !sections.some(({ text }) => /\{\{|\{%/.test(text));
}

/** Where links of one category lead: its own document, else the first declared one's, else a listed file. */
function targetsFrom(
  folder: string,
  category: string,
  held: readonly { category: CategoryConfig; folder: string }[],
  known: ReadonlyMap<string, Described>,
  { files, disk, near }: Around,
): Targets {
  const listed = (path: string): string | undefined => (files.has(path) ? fileUri(path) : undefined);
  return {
    uriOf(path) {
      if (!known.has(path)) return listed(path);
      if (path.startsWith(folder)) return documentUri(category, path.slice(folder.length));
      const other = held.find((one) => path.startsWith(one.folder));
      return other === undefined ? listed(path) : documentUri(other.category.name, path.slice(other.folder.length));
    },
    anchorsOf: (path) => known.get(path)?.anchors,
    exists: disk.exists,
    near,
  };
}

function folderCategories(parsed: readonly Parsed[], base: string, report: Report): CategoryConfig[] {
  const folders = new Set(
    parsed.flatMap(({ source }) => source.path.slice(base.length).split('/').slice(0, -1)[0] ?? []),
  );
  return [...folders].flatMap((name) => {
    const place = { file: `${base}${name}`, line: 1, column: 1 };
    let good = true;
    checkName('category', name, place, (diagnostic) => {
      good = false;
      report({ ...diagnostic, severity: 'warning' });
    });
    return good ? [{ name, dir: name, patterns: DEFAULT_PATTERNS, place }] : [];
  });
}

function folderOf(base: string, { dir }: CategoryConfig): string {
  return dir === '' ? base : `${base}${dir}/`;
}

function helpText(
  { path, place }: NonNullable<GuideConfig['help']>,
  base: string,
  parsed: readonly Parsed[],
  targets: Targets,
  report: Report,
): string | undefined {
  const found = parsed.find(({ source }) => source.path === `${base}${path}`);
  if (found === undefined) {
    const near = targets.near.path(`${base}${path}`);
    const fix = didYouMean(near?.startsWith(base) ? near.slice(base.length) : undefined, 'Mend the path.');
    report(problem('link-broken', place, `guide.help names ${show(path)}, which is not in the guide.`, fix));
    return undefined;
  }
  const { source, page } = found;
  return page === undefined ? source.text : serveText(source.path, source.text, page, targets, report).text;
}

function plainText(text: string): ServedText {
  return { text, placeOf: (at) => at };
}
