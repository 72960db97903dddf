// The one reader of disk: what the project is made from, as texts with hashes.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Report } from './diagnostics.ts';
import { PROJECT_FILE } from './project.ts';
import { MOST_YAML_BYTES, tooLarge } from './yaml.ts';

export type Input = { path: string; sha256: string; bytes: number };
export type Sources = { project: string; inputs: readonly Input[] };

/** Undefined when there is nothing to build from; the reason has then been reported. */
export function collect(root: string, report: Report): Sources | undefined {
  const place = { file: PROJECT_FILE, line: 1, column: 1 };
  const path = join(root, PROJECT_FILE);
  try {
    if (statSync(path).size > MOST_YAML_BYTES) {
      report(tooLarge(PROJECT_FILE));
      return undefined;
    }
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { project: text, inputs: [{ path: PROJECT_FILE, sha256, bytes: bytes.length }] };
  } catch (error) {
    report(unreadable(error, place));
    return undefined;
  }
}

function unreadable(error: unknown, place: { file: string; line: number; column: number }) {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') {
    const fix = 'Write one: version: "1.0" and project: { name: … } are enough. Or name another folder with --root.';
    return problem('project-missing', place, `There is no ${PROJECT_FILE} in this folder.`, fix);
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
