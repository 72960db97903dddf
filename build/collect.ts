// The one reader of disk: what the project is made from, as texts with hashes.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Report } from './diagnostics.ts';
import type { GuideConfig } from './guide-config.ts';
import { escapeGlob, listFiles, type Repository, unreadable } from './list-files.ts';
import { withoutProjectFile } from './nearby-project.ts';
import { PROJECT_FILE } from './project-file.ts';
import { MOST_YAML_BYTES, tooLarge } from './yaml.ts';

export type Input = { path: string; sha256: string; bytes: number };
export type ProjectSource = { text: string; input: Input };

/** A text file of the guide; `path` is from the root of the repository, with slashes. */
export type Source = { path: string; text: string; input: Input };

/** A file that a document may not be larger than: the largest real one seen has 0.7 MB. */
const MOST_DOCUMENT_BYTES = 2 * 1024 * 1024;
const TEXT_NAMES = /\.(md|markdown|txt)$/i;

/** Undefined when there is nothing to build from; the reason has then been reported. */
export function readProject(root: string, report: Report): ProjectSource | undefined {
  const place = { file: PROJECT_FILE, line: 1, column: 1 };
  const path = join(root, PROJECT_FILE);
  try {
    const stats = statSync(path);
    if (!stats.isFile() && !stats.isDirectory()) {
      report(problem('project-unreadable', place, `${PROJECT_FILE} is not a file.`, 'Put a file in its place.'));
      return undefined;
    }
    if (stats.size > MOST_YAML_BYTES) {
      report(tooLarge(PROJECT_FILE));
      return undefined;
    }
    const bytes = readFileSync(path);
    return { text: decodeUtf8(bytes), input: inputOf(PROJECT_FILE, bytes) };
  } catch (error) {
    report(projectFault(root, error, place));
    return undefined;
  }
}

/** Every text file under the guide's folder that may be served as part of it, sorted by the bytes of its path. */
export function collectGuide(
  repository: Repository,
  config: GuideConfig,
  report: Report,
  isElsewhere: (path: string) => boolean = () => false,
): Source[] {
  const base = config.root === '' ? '' : `${config.root}/`;
  const outright = namedOutright(config);
  return listFiles(repository, `${escapeGlob(base)}**`, report)
    .filter((path) => isServedName(path.slice(base.length), outright) && !isElsewhere(path))
    .flatMap((path) => readDocument(repository.root, path, report) ?? []);
}

/** Hidden files and drafts are left out, unless a pattern of project.yaml names one outright. */
function isServedName(path: string, outright: ReadonlySet<string>): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) as string;
  const hidden =
    segments.some((segment) => segment.startsWith('.')) || (name.startsWith('_') && !name.startsWith('_index.'));
  return !hidden || outright.has(path);
}

/** What patterns of categories and members of collections name, from the guide's root. */
function namedOutright({ categories = [], collections }: GuideConfig): Set<string> {
  const named = categories.flatMap(({ dir, patterns }) => patterns.map((pattern) => join(dir, pattern)));
  const members = collections.flatMap(({ members: all }) => all.map(({ text }) => text));
  for (const { name, dir } of categories) {
    const own = members.filter((text) => text.startsWith(`${name}/`));
    named.push(...own.map((text) => join(dir, text.slice(name.length + 1))));
  }
  return new Set(named);
}

/** Undefined for what is not text; a document that should be, and is not, is reported. */
export function readDocument(root: string, path: string, report: Report): Source | undefined {
  const place = { file: path, line: 1, column: 1 };
  try {
    const bytes = readFileSync(join(root, path));
    if (bytes.length > MOST_DOCUMENT_BYTES) {
      if (TEXT_NAMES.test(path))
        report(
          problem(
            'document-too-large',
            place,
            `It has ${bytes.length} bytes.`,
            'Split it: agents read pages, not books.',
          ),
        );
      return undefined;
    }
    if (bytes.includes(0)) return undefined;
    return { path, text: decodeUtf8(bytes), input: inputOf(path, bytes) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof TypeError) {
      if (TEXT_NAMES.test(path)) report(problem('document-not-utf8', place, 'It is not UTF-8.', 'Save it as UTF-8.'));
    } else if (code === undefined) throw error;
    else report(unreadable(path, code));
    return undefined;
  }
}

export function decodeUtf8(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function inputOf(path: string, bytes: Buffer): Input {
  return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
}

function projectFault(root: string, error: unknown, place: { file: string; line: number; column: number }) {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') {
    return problem('project-missing', place, `There is no ${PROJECT_FILE} in this folder.`, withoutProjectFile(root));
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return problem('project-unreadable', place, `${PROJECT_FILE} is not UTF-8.`, 'Save it as UTF-8.');
  }
  return problem(
    'project-unreadable',
    place,
    `${PROJECT_FILE} cannot be read (${code}).`,
    'Check what it is and its permissions.',
  );
}
