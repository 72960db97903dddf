// The licences of what is compiled into the shipped files, as one text: whoever passes the code on must pass
// them on. Which packages those are is read off the bundler's metafiles, so none can be forgotten.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const LICENCE_SECTION = /^#*\s*licen[cs]e\b[\s\S]*/im;
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Packages by name and version, each with what its licence files say. */
export function thirdPartyLicences(root: string, metafiles: Iterable<Metafile>): string {
  const folders = new Map<string, string>();
  for (const { inputs } of metafiles) {
    for (const input of Object.keys(inputs)) {
      const [, folder, name] = PACKAGE.exec(input) ?? [];
      if (folder !== undefined && name !== undefined) folders.set(folder, name);
    }
  }
  const texts = [...folders].map(([folder, name]) => licenceText(join(root, folder), name));
  return [
    'Fieldguide is under the MIT licence (see LICENSE). It contains code of the packages below.',
    ...[...new Set(texts)].sort(),
  ].join(`\n\n${'='.repeat(80)}\n\n`);
}

/** Without a file, what the read-me says of the licence: some packages have no other place for it. */
function licenceText(folder: string, name: string): string {
  const { version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const kind: unknown = license ?? licenses?.[0]?.type;
  if (typeof kind !== 'string') throw new Error(`${name} states no licence`);
  const names = readdirSync(folder);
  const texts = names.filter((file) => LICENCE_FILE.test(file)).map((file) => read(folder, file));
  if (texts.length === 0) {
    const readMe = names.find((file) => /^readme(?:\.|$)/i.test(file));
    const said = readMe === undefined ? undefined : LICENCE_SECTION.exec(read(folder, readMe))?.[0];
    if (said === undefined) throw new Error(`${name} carries no text of its licence`);
    texts.push(said.trim());
  }
  return [`${name} ${version} (${kind})`, ...texts].join('\n\n');
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8').trim();
}
