// The whitelist `files:` to bytes: what each path or glob names, in the order written. Names of secrets and
// files that leave the repository through a link are left out, whatever pattern matches them.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compileGlob, isGlob } from '../runtime/glob.ts';
import { decodeUtf8, type Input, inputOf } from './collect.ts';
import { problem, type Report } from './diagnostics.ts';
import type { FilePattern } from './guide-config.ts';
import { escapeGlob, listFiles, type Repository, unreadable } from './list-files.ts';
import { didYouMean } from './near-misses.ts';
import { show } from './yaml.ts';

/** `text` is undefined for what is not UTF-8. */
export type ListedFile = { path: string; bytes: Buffer; text: string | undefined; input: Input };

const MOST_FILE_BYTES = 8 * 1024 * 1024;
const HIDDEN = /(?:^|\/)\./;
/** Names that secrets go by. A document about them (`secret.md`, `credentials.md`) is not one. */
const SECRET_NAMES = new RegExp(
  `(?:^|/)(?:${[
    '\\.env[^/]*',
    '[^/]*\\.env(?:\\.[^/]*)?',
    'secrets?(?=/)',
    '[^/]*secrets?\\.(?:ya?ml|json|toml|ini|conf|properties|txt|xml)',
    'tokens?\\.(?:txt|json|ya?ml)',
    'credentials(?:\\.(?!md$|markdown$)[^/]*)?',
    'service[-_]?account[^/]*\\.json',
    'id_(?:rsa|dsa|ecdsa|ed25519)[^/]*',
    '[^/]*\\.(?:pem|key|p12|pfx|jks|keystore|kdbx)',
    '\\.(?:ssh|aws|gnupg)(?=/)',
    '\\.(?:npmrc|netrc|pypirc|htpasswd|git-credentials|pgpass)',
  ].join('|')})(?:/|$)`,
  'i',
);

export function collectFiles(
  repository: Repository,
  patterns: readonly FilePattern[],
  report: Report,
  nearest: (pattern: string) => string | undefined = () => undefined,
): ListedFile[] {
  const found = new Map<string, ListedFile | undefined>();
  for (const { text: pattern, place } of patterns) {
    let told = false;
    const paths = matching(repository, pattern, (found) => {
      told = true;
      report(found);
    });
    if (paths.length === 0 && !told) {
      const what = `The pattern ${show(pattern)} matches no file.`;
      const fix = didYouMean(nearest(pattern), 'Mend it, or remove it. What git ignores is not matched.');
      report(problem('pattern-unmatched', place, what, fix));
    }
    for (const path of paths) if (!found.has(path)) found.set(path, readListed(repository.root, path, report));
  }
  return [...found.values()].filter((file) => file !== undefined);
}

/** By the bytes of their paths. Names that start with a dot are for patterns that have one. */
function matching(repository: Repository, pattern: string, report: Report): string[] {
  const glob = compileGlob(pattern);
  const folder = glob.prefix.slice(0, glob.prefix.lastIndexOf('/') + 1);
  return listFiles(repository, isGlob(pattern) ? `${escapeGlob(folder)}**` : escapeGlob(pattern), report).filter(
    (path) => glob.matches(path) && (HIDDEN.test(pattern) || !HIDDEN.test(path)),
  );
}

function readListed(root: string, path: string, report: Report): ListedFile | undefined {
  const place = { file: path, line: 1, column: 1 };
  try {
    const real = realpathSync(join(root, path));
    if (SECRET_NAMES.test(path) || SECRET_NAMES.test(relative(realpathSync(root), real))) {
      const fix = 'Narrow the pattern under files: that matches it.';
      report(problem('file-secret', place, 'It is named as secrets are, or leads to such a file.', fix));
      return undefined;
    }
    const { size } = statSync(real);
    if (size > MOST_FILE_BYTES) {
      report(problem('file-too-large', place, `It has ${size} bytes.`, 'Remove it from files:.'));
      return undefined;
    }
    const bytes = readFileSync(real);
    return { path, bytes, text: textOf(bytes), input: inputOf(path, bytes) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    report(unreadable(path, code));
    return undefined;
  }
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}
