// The whitelist `files:` to bytes: what each path or glob names, in the order written. Names of secrets and
// files that leave the repository through a link are left out, whatever pattern matches them.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { globbySync } from 'globby';
import { compileGlob, isGlob } from '../runtime/glob.ts';
import { decodeUtf8, escapeGlob, type Input, inputOf } from './collect.ts';
import { problem, type Report } from './diagnostics.ts';
import type { FilePattern } from './guide-config.ts';
import { show } from './yaml.ts';

/** `text` is undefined for what is not UTF-8. */
export type ListedFile = { path: string; bytes: Buffer; text: string | undefined; input: Input };

const MOST_FILE_BYTES = 8 * 1024 * 1024;
const NEVER_LISTED = ['**/node_modules/**', '**/.git/**', '**/.fieldguide/**'];
const HIDDEN = /(?:^|\/)\./;
const SECRET_NAMES =
  /(?:^|\/)(?:\.env[^/]*|secrets?|\.ssh|\.aws|\.gnupg|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|\.npmrc|\.netrc|\.pypirc|\.htpasswd|\.git-credentials|credentials(?:\.[^/]*)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx))(?:\/|$)/i;

export function collectFiles(root: string, patterns: readonly FilePattern[], report: Report): ListedFile[] {
  const found = new Map<string, ListedFile | undefined>();
  for (const { text: pattern, place } of patterns) {
    const paths = matching(root, pattern);
    if (paths.length === 0) {
      const what = `The pattern ${show(pattern)} matches no file.`;
      report(problem('pattern-unmatched', place, what, 'Mend it, or remove it. What git ignores is not matched.'));
    }
    for (const path of paths) if (!found.has(path)) found.set(path, readListed(root, path, report));
  }
  return [...found.values()].filter((file) => file !== undefined);
}

/** By the bytes of their paths. Names that start with a dot are for patterns that have one. */
function matching(root: string, pattern: string): string[] {
  const glob = compileGlob(pattern);
  const folder = glob.prefix.slice(0, glob.prefix.lastIndexOf('/') + 1);
  const listed = globbySync(isGlob(pattern) ? `${escapeGlob(folder)}**` : escapeGlob(pattern), {
    cwd: root,
    gitignore: true,
    dot: true,
    onlyFiles: false,
    followSymbolicLinks: false,
    ignore: NEVER_LISTED,
  });
  return listed
    .filter((path) => glob.matches(path) && (HIDDEN.test(pattern) || !HIDDEN.test(path)))
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function readListed(root: string, path: string, report: Report): ListedFile | undefined {
  const place = { file: path, line: 1, column: 1 };
  const leaveOut = (code: 'file-secret' | 'file-outside' | 'file-too-large', what: string, fix: string): undefined =>
    void report(problem(code, place, what, fix));
  if (SECRET_NAMES.test(path)) {
    return leaveOut('file-secret', 'It is named as secrets are.', 'Narrow the pattern under files: that matches it.');
  }
  const real = realpathSync(join(root, path));
  if (!real.startsWith(realpathSync(root) + sep)) {
    return leaveOut(
      'file-outside',
      'It leads out of the repository.',
      'Put a copy in its place, or remove it from files:.',
    );
  }
  if (SECRET_NAMES.test(real.slice(realpathSync(root).length + 1))) {
    return leaveOut('file-secret', 'It leads to a file that is named as secrets are.', 'Remove it from files:.');
  }
  const { size } = statSync(real);
  if (size > MOST_FILE_BYTES) return leaveOut('file-too-large', `It has ${size} bytes.`, 'Remove it from files:.');
  const bytes = readFileSync(real);
  return { path, bytes, text: textOf(bytes), input: inputOf(path, bytes) };
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}
